// The games that are played on Katarenga's tiles.
import { t } from "../../words.svelte";

export const VARIANTS = [
  "katarenga",
  "congress",
  "quebec",
  "isolation",
  "isolation-alone",
  "troika",
  "battle-stations",
  "cornered",
  "quartermaster",
  "central-park",
  "colorado",
  "north-west-passage",
  "greengage",
  "chameleon",
] as const;
export type Variant = (typeof VARIANTS)[number];
/** The name of a variant, which is the same in all languages but for the game that is played alone. */
export function variantTitle(variant: Variant): string {
  if (variant === "isolation-alone") return t("setup.variant-isolation-alone");
  return variant.replace(/(^|-)(.)/g, (_, gap: string, letter: string) => (gap && " ") + letter.toUpperCase());
}

/** The section of the rules page: two pairs of variants share one. */
export function chapterOf(variant: Variant): string {
  if (variant === "quartermaster") return "cornered";
  return variant === "chameleon" ? "greengage" : variant;
}

/** The date in UTC, which names the board of the day. */
export const today = (): string => new Date().toISOString().slice(0, 10);
