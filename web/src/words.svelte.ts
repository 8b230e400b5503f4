// Sentences in the person's language: keys and named values, never glued strings.
import { settings } from "./settings.svelte";

export const LANGUAGES = ["en", "de", "fr", "nl"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Values = Record<string, string | number>;

const LOADERS: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import("virtual:words/en"),
  de: () => import("virtual:words/de"),
  fr: () => import("virtual:words/fr"),
  nl: () => import("virtual:words/nl"),
};

let spoken = $state.raw<Record<string, string>>({});
let tongue = $state<Language>("en");

/** The language of the settings, else the first of the browser's that we speak. */
export function preferred(): Language {
  const wished = [settings.language, ...navigator.languages].map((language) => language.slice(0, 2));
  return wished.find((language): language is Language => (LANGUAGES as readonly string[]).includes(language)) ?? "en";
}

export async function speak(language: Language): Promise<void> {
  spoken = (await LOADERS[language]()).default;
  tongue = language;
  document.documentElement.lang = language;
}

export function language(): Language {
  return tongue;
}

/** The sentence of a key with its gaps filled. */
export function t(key: string, values: Values = {}): string {
  const sentence = spoken[key];
  if (sentence === undefined) throw new Error(`no sentence ${key}`);
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? `{${name}}`));
}

/** Whether there is such a sentence: for keys that come from the server. */
export function known(key: string): boolean {
  return key in spoken;
}

/** Things one after the other: "a, b and c". */
export function list(things: readonly string[]): string {
  return new Intl.ListFormat(tongue, { type: "conjunction" }).format(things);
}
