// The games that are played on Katarenga's tiles.
export const VARIANTS = [
  "katarenga",
  "congress",
  "quebec",
  "isolation",
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
/** The name of a variant, which is the same in all languages. */
export function variantTitle(variant: Variant): string {
  return variant.replace(/(^|-)(.)/g, (_, gap: string, letter: string) => (gap && " ") + letter.toUpperCase());
}
