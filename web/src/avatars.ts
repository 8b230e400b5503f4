// The drawings that people choose from, and those that go with phrases.
import address from "./avatars.svg?url";
import type { Avatar, Phrase } from "./messages";

export const AVATARS = [
  "lion",
  "elephant",
  "crocodile",
  "zebra",
  "gazelle",
  "giraffe",
  "rhinoceros",
  "hyena",
  "okapi",
  "baboon",
  "vulture",
  "wildebeest",
  "warthog",
  "porcupine",
  "boa",
  "centaur",
  "red",
  "yellow",
  "green",
  "blue",
] as const satisfies readonly Avatar[];

/** The phrases in the order in which they are offered; some are spoken by an animal. */
export const PHRASES: readonly (readonly [Phrase, Avatar | null])[] = [
  ["hello", null],
  ["good-luck", null],
  ["nice-move", null],
  ["well-played", null],
  ["thanks", null],
  ["sorry", null],
  ["moment", null],
  ["bye", null],
  ["roar", "lion"],
  ["laugh", "hyena"],
  ["tears", "crocodile"],
  ["think", "elephant"],
  ["phew", "gazelle"],
  ["charge", "rhinoceros"],
];

export const avatarAddress = (avatar: Avatar): string => `${address}#${avatar}`;

/** An avatar for somebody who has not chosen one, always the same for a guest. */
export function suggestedAvatar(guest: string): Avatar {
  const number = Array.from(guest).reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 7207, 0);
  return AVATARS[number % AVATARS.length]!;
}
