// The user's choices, stored in this browser.
import type { Avatar } from "./messages";

export interface Settings {
  language: string; // "" follows the browser
  theme: "system" | "light" | "dark";
  patterns: boolean; // full patterns on the tiles of Katarenga; their glyphs are always there
  speed: number; // of animations: 0 none, 1 calm, 2 quick
  sound: boolean;
  volume: number; // from 0 to 1
  confirm: "touch" | "always" | "never"; // whether a complete turn waits for a confirmation before it is sent
  name: string;
  named: boolean; // the name was asked for
  avatar: Avatar | ""; // "": none chosen
  mutePhrases: boolean; // what the others at a table say is not shown
  chat: boolean; // what account holders write at tables is shown
  waitingNotice: boolean; // the header shows how many correspondence games wait
  levels: Record<string, number>; // the last level played, by game
  advanced: boolean; // the set-up page shows every option
  removed: string[]; // finished games that the list of own games leaves out
  autoFlip: boolean; // on a shared screen, the board turns to the side to move
  offline: boolean; // games on this device were asked for: what they need may be loaded
}

const KEY = "mchezo";
const DEFAULTS: Settings = {
  language: "",
  theme: "system",
  patterns: false,
  speed: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 1,
  sound: true,
  volume: 0.7,
  confirm: "touch",
  name: "",
  named: false,
  avatar: "",
  mutePhrases: false,
  chat: true,
  waitingNotice: true,
  levels: {},
  advanced: false,
  removed: [],
  autoFlip: false,
  offline: false,
};

function stored(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return DEFAULTS; // unreadable, or there is no storage
  }
}

export const settings = $state<Settings>(stored());

/** Store every change and apply the theme; call it once. */
export function watchSettings(): void {
  $effect.root(() => {
    $effect(() => {
      document.documentElement.dataset["theme"] = settings.theme;
      try {
        localStorage.setItem(KEY, JSON.stringify(settings));
      } catch {
        // without storage the settings last until the page is closed
      }
    });
  });
}

/** The duration of an animation at the chosen speed, in milliseconds. */
export function pace(milliseconds: number): number {
  return settings.speed ? milliseconds / settings.speed : 0;
}

/** The player's name as a field of a request, if there is one. */
export function nameField(): { name?: string } {
  return settings.name ? { name: settings.name } : {};
}

/** The computer's level in a game: the last one played, at first an easy one. */
export function lastLevel(game: string): number {
  return settings.levels[game] ?? 2;
}
