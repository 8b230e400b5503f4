import { t } from "../../words.svelte";

export const ANIMALS = ["G", "Z", "C", "E", "L"] as const;
export type Animal = (typeof ANIMALS)[number];
export const ANIMAL_NAMES = {
  G: "gazelle",
  Z: "zebra",
  C: "crocodile",
  E: "elephant",
  L: "lion",
} as const satisfies Record<Animal, string>;
export const SIDES = ["yellow", "red"] as const;

/** The name of an animal by its letter. */
export function animalName(letter: string): string {
  return t(`kiwara.animal-${ANIMAL_NAMES[letter as Animal]}`);
}

/** Yellow or Red, by seat. */
export function sideName(seat: number): string {
  return t(`kiwara.seat-${SIDES[seat] ?? "yellow"}`);
}

/** The name of a territory by its letter: what grows or lies there. */
export function territoryName(letter: string): string {
  return t(`kiwara.territory-${letter as "A" | "B" | "C" | "D" | "E" | "F"}`);
}
