// A pack while it is edited: its contents as the server opens them, and where it is kept.
import { linkTo } from "../../router.svelte";

export type Kind = "savanna" | "ruin" | "lake";
export const KINDS: readonly Kind[] = ["savanna", "ruin", "lake"];
export const MAPS = ["2", "3", "4"] as const;
export const AGES = [0, 1, 2, 3, 4] as const;

export interface Space {
  id: string;
  kind: Kind;
  start?: boolean;
  borders?: string[];
  at: [number, number];
  shape?: string; // without it, everything nearest to `at` is the territory
}
export interface MapDraft {
  size: [number, number];
  spaces: Space[];
}
export interface Contents {
  name: string;
  note?: string;
  starting_card: string;
  tokens: Record<string, number>;
  decks: Record<string, string[][]>;
  maps: Record<string, MapDraft>;
}

const KEY = "mchezo-pack-draft";

/** An empty pack, as `mchezo pack new` writes it. */
export const EMPTY = (): Contents => ({
  name: "My Kitara",
  note: "",
  starting_card: "D2W3M2",
  tokens: { 2: 0, 3: 0, 4: 0, 5: 0 },
  decks: {
    blue: [7, 7, 7, 7, 4].map((cards) => Array<string>(cards).fill("")),
  },
  maps: {},
});

/** The text of the pack that was edited last in this browser; with an argument, keep that one. */
export function draft(text?: string): string | null {
  try {
    if (text !== undefined) localStorage.setItem(KEY, text);
    return localStorage.getItem(KEY);
  } catch {
    return null; // without storage the editor works all the same, until it is closed
  }
}

/** Add a space in the middle and return its index. */
export function newSpace(map: MapDraft): number {
  const taken = new Set(map.spaces.map(({ id }) => id));
  let number = 1;
  while (taken.has(`s${number}`)) number++;
  const [width, height] = map.size;
  const aside = map.spaces.length * 7; // no two spaces have the same place
  map.spaces.push({
    id: `s${number}`,
    kind: "savanna",
    borders: [],
    at: [Math.round((width / 2 + aside) % width), Math.round((height / 2 + aside) % height)],
  });
  return map.spaces.length - 1;
}

/** Open the border between two spaces, or close it. */
export function toggleBorder(map: MapDraft, first: number, second: number): void {
  const [one, other] = [map.spaces[first]!, map.spaces[second]!];
  const open = one.borders?.includes(other.id) ?? false;
  for (const [here, there] of [
    [one, other],
    [other, one],
  ] as const) {
    const rest = (here.borders ?? []).filter((border) => border !== there.id);
    here.borders = open ? rest : [...rest, there.id];
  }
}

/** A link that carries the whole pack after its #, which no browser sends to a server. */
export async function linkOf(text: string): Promise<string> {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return linkTo(`/packs#${letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`);
}

/** The pack in an address, or null if there is none that can be read. */
export async function packIn(hash: string): Promise<string | null> {
  if (hash.length < 20) return null;
  try {
    const letters = atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
  } catch {
    return null;
  }
}

async function through(stream: GenericTransformStream, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const flow = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(flow).arrayBuffer());
}
