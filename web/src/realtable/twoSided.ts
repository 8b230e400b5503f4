// A clock for two players who press it in turn; times are milliseconds. Side 0 is the near one.
export type Side = 0 | 1;

export interface TwoSided {
  left: [number, number]; // as it was when the running clock was started
  increment: [number, number]; // added after every turn
  running: Side | null; // null: nobody has pressed yet
  since: number; // when it began to run
  paused: boolean;
  turns: [number, number];
}

export const other = (side: Side): Side => (side === 0 ? 1 : 0);

export function wound(minutes: readonly number[], seconds: readonly number[]): TwoSided {
  return {
    left: [minutes[0]! * 60_000, minutes[1]! * 60_000],
    increment: [seconds[0]! * 1000, seconds[1]! * 1000],
    running: null,
    since: 0,
    paused: false,
    turns: [0, 0],
  };
}

/** What a side has left at a moment. */
export function left(clock: TwoSided, side: Side, now: number): number {
  const runs = clock.running === side && !clock.paused;
  return Math.max(0, clock.left[side] - (runs ? Math.max(0, now - clock.since) : 0));
}

/** The side whose time is up. */
export function fallen(clock: TwoSided, now: number): Side | null {
  return left(clock, 0, now) === 0 ? 0 : left(clock, 1, now) === 0 ? 1 : null;
}

/** A player presses: the other's clock runs. Who is not to move presses in vain. */
export function press(clock: TwoSided, side: Side, now: number): TwoSided {
  if (clock.paused || fallen(clock, now) !== null || clock.running === other(side)) return clock;
  const next = { ...clock, left: [...clock.left] as [number, number], turns: [...clock.turns] as [number, number] };
  if (clock.running === side) {
    next.left[side] = left(clock, side, now) + clock.increment[side];
    next.turns[side]++;
  }
  return { ...next, running: other(side), since: now };
}

export function pause(clock: TwoSided, now: number): TwoSided {
  return { ...clock, left: [left(clock, 0, now), left(clock, 1, now)], paused: true };
}

export function resume(clock: TwoSided, now: number): TwoSided {
  return { ...clock, since: now, paused: false };
}

/** 12:05, 1:02:03, and with tenths when it gets short. */
export function shown(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const end = String(seconds % 60).padStart(2, "0");
  if (hours) return `${hours}:${String(minutes).padStart(2, "0")}:${end}`;
  return milliseconds < 20_000 ? `${minutes}:${end}.${Math.floor((milliseconds % 1000) / 100)}` : `${minutes}:${end}`;
}
