// A chess clock; times are in milliseconds, side 0 is the near one.
export type Side = 0 | 1;

export interface ChessClock {
  left: [number, number]; // when the running clock was started
  increment: [number, number]; // added after every turn
  running: Side | null; // null: nobody has pressed yet
  since: number; // when the running clock was started
  paused: boolean;
  turns: [number, number];
}

export const other = (side: Side): Side => (side === 0 ? 1 : 0);

export function newClock(minutes: readonly number[], seconds: readonly number[]): ChessClock {
  return {
    left: [minutes[0]! * 60_000, minutes[1]! * 60_000],
    increment: [seconds[0]! * 1000, seconds[1]! * 1000],
    running: null,
    since: 0,
    paused: false,
    turns: [0, 0],
  };
}

/** The time a side has left. */
export function timeLeft(clock: ChessClock, side: Side, now: number): number {
  const runs = clock.running === side && !clock.paused;
  return Math.max(0, clock.left[side] - (runs ? Math.max(0, now - clock.since) : 0));
}

/** The side whose time is up. */
export function expired(clock: ChessClock, now: number): Side | null {
  return timeLeft(clock, 0, now) === 0 ? 0 : timeLeft(clock, 1, now) === 0 ? 1 : null;
}

/** A player presses their half: the other clock runs. Nothing happens if they are not to move. */
export function press(clock: ChessClock, side: Side, now: number): ChessClock {
  if (clock.paused || expired(clock, now) !== null || clock.running === other(side)) return clock;
  const next = { ...clock, left: [...clock.left] as [number, number], turns: [...clock.turns] as [number, number] };
  if (clock.running === side) {
    next.left[side] = timeLeft(clock, side, now) + clock.increment[side];
    next.turns[side]++;
  }
  return { ...next, running: other(side), since: now };
}

export function pause(clock: ChessClock, now: number): ChessClock {
  return { ...clock, left: [timeLeft(clock, 0, now), timeLeft(clock, 1, now)], paused: true };
}

export function resume(clock: ChessClock, now: number): ChessClock {
  return { ...clock, since: now, paused: false };
}
