// Something that a page remembers in this browser, until it is told to forget.
export function kept<T extends object>(name: string, first: () => T): { now: T } {
  const key = `mchezo-${name}`;
  let found: T;
  try {
    found = { ...first(), ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<T>) };
  } catch {
    found = first(); // unreadable, or storage is closed to us
  }
  const holder = $state({ now: found });
  $effect(() => {
    const text = JSON.stringify(holder.now);
    try {
      localStorage.setItem(key, text);
    } catch {
      // a browser without storage forgets, and works all the same
    }
  });
  return holder;
}
