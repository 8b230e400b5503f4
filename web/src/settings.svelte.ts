// What a person has chosen, kept in this browser.
export interface Settings {
  language: string; // "" follows the browser
  theme: "system" | "light" | "dark";
  patterns: boolean; // patterns on colours, so that nobody depends on seeing them
  speed: number; // of animations: 0 none, 1 calm, 2 quick
  sound: boolean;
  confirm: "touch" | "always" | "never"; // whether a finished turn waits for a word before it is sent
  name: string;
  levels: Record<string, number>; // the last level played, by game
}

const KEY = "mchezo";
const FIRST: Settings = {
  language: "",
  theme: "system",
  patterns: true,
  speed: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 1,
  sound: true,
  confirm: "touch",
  name: "",
  levels: {},
};

function kept(): Settings {
  try {
    return { ...FIRST, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return FIRST; // unreadable, or storage is closed to us
  }
}

export const settings = $state<Settings>(kept());

/** Keep the settings and the look of the page in step with them; call it once. */
export function follow(): void {
  $effect.root(() => {
    $effect(() => {
      document.documentElement.dataset["theme"] = settings.theme;
      try {
        localStorage.setItem(KEY, JSON.stringify(settings));
      } catch {
        // a browser without storage forgets, and plays all the same
      }
    });
  });
}

/** How long a movement of so many milliseconds takes at the chosen speed. */
export function pace(milliseconds: number): number {
  return settings.speed ? milliseconds / settings.speed : 0;
}
