// Kitara alone: scenarios, difficulties, and the medals won in this browser.
import { DIFFICULTIES, SCENARIOS } from "./art";

export type Scenario = keyof typeof SCENARIOS;
export type Medal = "bronze" | "silver" | "gold";

export const scenarios = Object.keys(SCENARIOS) as Scenario[];
export const difficulties = Object.keys(DIFFICULTIES).map(Number);
export const MEDALS: readonly Medal[] = ["bronze", "silver", "gold"];

const KEY = "mchezo-kitara-alone";

interface Stored {
  won: Partial<Record<Scenario, number>>; // the highest difficulty beaten
  last: number; // the difficulty chosen last
}

function stored(): Stored {
  const none: Stored = { won: {}, last: 2 };
  try {
    return { ...none, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Stored>) };
  } catch {
    return none; // unreadable, or there is no storage
  }
}

function store(change: Partial<Stored>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), ...change }));
  } catch {
    // without storage medals last as long as the page
  }
}

/** The medal for beating the rival at a difficulty. */
export function medalFor(difficulty: number): Medal {
  return difficulty >= 5 ? "gold" : difficulty >= 3 ? "silver" : "bronze";
}

/** The highest difficulty beaten in each scenario. */
export function victories(): Stored["won"] {
  return stored().won;
}

export function addVictory(scenario: Scenario, difficulty: number): void {
  const { won } = stored();
  if ((won[scenario] ?? 0) < difficulty) store({ won: { ...won, [scenario]: difficulty } });
}

export function lastRival(): number {
  const { last } = stored();
  return difficulties.includes(last) ? last : 2;
}

export function rememberRival(difficulty: number): void {
  store({ last: difficulty });
}
