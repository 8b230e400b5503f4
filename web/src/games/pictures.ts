// A position of each game, drawn by mchezo.
import katarenga from "../../../docs/pictures/katarenga.svg?url";
import kitara from "../../../docs/pictures/kitara.svg?url";
import kiwara from "../../../docs/pictures/kiwara.svg?url";

export const PICTURES: Record<string, string> = { katarenga, kiwara, kitara };
