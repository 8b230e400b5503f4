/** Reactive state that a page keeps in this browser; `initial` supplies what is not stored yet. */
export function persisted<T extends object>(name: string, initial: () => T): { now: T } {
  const key = `mchezo-${name}`;
  let stored: T;
  try {
    stored = { ...initial(), ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<T>) };
  } catch {
    stored = initial(); // unreadable, or there is no storage
  }
  const state = $state({ now: stored });
  $effect(() => {
    const text = JSON.stringify(state.now);
    try {
      localStorage.setItem(key, text);
    } catch {
      // without storage the page works all the same, until it is closed
    }
  });
  return state;
}
