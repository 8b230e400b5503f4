// Tables of this browser have ids that no server gives: they are one character longer.
const LOCAL = /\bL[0-9A-Za-z]{12}\b/;

/** The local table that an id or an address names; null if it names none. */
export function localTable(address: string): string | null {
  return LOCAL.exec(address)?.[0] ?? null;
}
