// What the server would say about games, rules and first games, from files (mchezo.local.content).
import { language } from "../words.svelte";
import { readIndex, readJson } from "./download";
import { RUNTIME } from "./folder";

type Content = Record<string, unknown>;
let loaded: { language: string; content: Promise<Content> } | undefined;

/** The answer to a request for something that is the same for everybody; undefined if there is no such file. */
export async function kept(path: string): Promise<unknown> {
  if (!/^\/api\/(games$|rules\/|lessons\/)/.test(path)) return undefined;
  const now = language();
  if (loaded?.language !== now) loaded = { language: now, content: load(now) };
  try {
    return (await loaded.content)[path];
  } catch (error) {
    loaded = undefined; // try again next time
    throw error;
  }
}

async function load(language: string): Promise<Content> {
  const { version } = await readIndex(RUNTIME);
  return await readJson<Content>(`${RUNTIME}${version}/content-${language}.bin`);
}
