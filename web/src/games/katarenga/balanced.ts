import type { CheckedSetup } from "../../messages";
import { post } from "../../server/api";

/** The tile code of a random board that favours nobody; null if the server has none. */
export async function drawBalanced(): Promise<string | null> {
  try {
    const { extras } = await post<CheckedSetup>("/api/games/katarenga/setup", { options: { board: "balanced" } });
    return typeof extras["code"] === "string" ? extras["code"] : null;
  } catch {
    return null;
  }
}
