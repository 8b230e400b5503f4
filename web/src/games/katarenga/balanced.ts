// A board from the catalogue of those that favour nobody.
import type { CheckedSetup } from "../../messages";
import { post } from "../../server/api";

/** Its tile code; null where the server has none. */
export async function drawBalanced(): Promise<string | null> {
  try {
    const { extras } = await post<CheckedSetup>("/api/games/katarenga/setup", { options: { board: "balanced" } });
    return typeof extras["code"] === "string" ? extras["code"] : null;
  } catch {
    return null;
  }
}
