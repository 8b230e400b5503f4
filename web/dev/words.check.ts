// What the compiler must refuse: an unused @ts-expect-error fails `npm run check`.
import { t } from "../src/words.svelte";

t("table.fair");
t("table.fair-seed", { seed: "1" });
t(Math.random() < 0.5 ? "table.you-won" : "table.you-lost");
// @ts-expect-error: there is no such sentence
t("table.nonsense");
// @ts-expect-error: a parameter is missing
t("table.fair-seed");
// @ts-expect-error: the sentence has no parameters
t("table.fair", { seed: "1" });
// @ts-expect-error: it has another one
t("table.fair-seed", { seed: "1", hash: "2" });
