// Parts of a game that are loaded when they are needed. Once a part has come, it is shown without waiting again.
import type { Component } from "svelte";

type Part = () => Promise<{ default: Component<any> }>;
const loaded = new Map<Part, Component>();

/** Load parts of a game; one that cannot be loaded is tried again where it is shown. */
export async function loadParts(...parts: readonly (Part | undefined)[]): Promise<void> {
  await Promise.allSettled(
    parts.filter((part) => part !== undefined).map(async (part) => loaded.set(part, (await part()).default)),
  );
}

/** A part, if it has been loaded. */
export function loadedPart<P extends Part>(part: P | undefined): Awaited<ReturnType<P>>["default"] | undefined {
  return part && (loaded.get(part) as Awaited<ReturnType<P>>["default"] | undefined);
}
