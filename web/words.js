// Sentences for the browser: one module a language, made of src/words/*.toml and of those sentences of the games that a
// player meets here too. A key is FILE.KEY: `table.your-turn`, `kiwara.animal-lion`.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "smol-toml";

export const LANGUAGES = ["en", "de", "fr", "nl"];
const OURS = join(import.meta.dirname, "src/words");
const GAMES = join(import.meta.dirname, "../src/mchezo/games");
const SHARED = /^(seat|animal|name|card|reason|told|score|why)-/; // what of a game's words.toml the browser uses

function sentences(language) {
  const found = {};
  for (const game of ["katarenga", "kiwara", "kitara"])
    for (const [key, said] of Object.entries(parse(readFileSync(join(GAMES, game, "words.toml"), "utf8"))))
      if (SHARED.test(key)) found[`${game}.${key}`] = said[language];
  const levels = parse(readFileSync(join(GAMES, "../search/words.toml"), "utf8"));
  for (const [key, said] of Object.entries(levels)) if (/^(level-\d|why-)/.test(key)) found[`search.${key}`] = said[language];
  for (const file of readdirSync(OURS))
    for (const [key, said] of Object.entries(parse(readFileSync(join(OURS, file), "utf8"))))
      found[`${basename(file, ".toml")}.${key}`] = said[language];
  return found;
}

/** No line ends before a %, nor at the spaces that French has beside its signs. */
function unbroken(language, text) {
  return text.replace(language === "fr" ? / (?=[%;:!?»])|(?<=«) /g : / (?=%)/g, "\u00a0");
}

export function words() {
  const prefix = "virtual:words/";
  return {
    name: "words",
    resolveId: (id) => (id.startsWith(prefix) ? "\0" + id : undefined),
    load(id) {
      if (!id.startsWith("\0" + prefix)) return;
      for (const file of readdirSync(OURS)) this.addWatchFile(join(OURS, file));
      const language = id.slice(prefix.length + 1);
      return `export default ${unbroken(language, JSON.stringify(sentences(language)))}`;
    },
  };
}
