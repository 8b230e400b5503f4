// What the coach says: tips that are true of the position on the board, each given once, when it first comes up.
import type { Lesson, LessonHint, Message, Preview } from "../messages";

/** A move as the coach sees it; chance belongs to the move before it. */
export interface Made {
  readonly seat: number;
  readonly move: string | null; // null: chance
  readonly told: readonly Message[];
}

/** What the learner sees when deciding. */
export interface Scene {
  readonly me: number;
  readonly decision: string | null;
  readonly legal: readonly string[];
  readonly previews: Record<string, Preview>;
  readonly picked: string; // what the learner has picked up
  readonly made: readonly Made[]; // all moves of the game
  readonly entersOpponent: (move: string) => boolean;
}

/** A tip that was given, and after how many turns of the learner. */
export interface Given {
  readonly name: string;
  readonly turn: number;
}

/** How many turns the learner has finished. */
export function finishedTurns({ me, made }: Scene): number {
  return made.filter(({ seat }, index) => seat === me && (made[index + 1]?.seat ?? me) !== me).length;
}

/** What happened since the learner's previous turn began, which is news; everything before is not. */
function news({ me, made }: Scene): readonly Made[] {
  let from = made.length;
  for (const mine of [true, false, true]) while (from > 0 && (made[from - 1]!.seat === me) === mine) from--;
  return made.slice(from);
}

/** Whether all conditions of a tip are met now. */
export function holds({ when }: LessonHint, scene: Scene): boolean {
  const { legal, picked } = scene;
  const previews = Object.values(scene.previews);
  const pattern = (name: string) => new RegExp(String(when[name]));
  const does = ({ told }: { told: readonly Message[] }, effect: unknown) => told.some(({ key }) => key === effect);
  const byRightSeat = ({ seat }: Made) => when["by"] === undefined || (when["by"] === "me") === (seat === scene.me);
  const met: Record<string, () => boolean> = {
    decision: () => scene.decision === when["decision"],
    legal: () => legal.some((move) => pattern("legal").test(move)),
    onto: () => legal.some(scene.entersOpponent),
    preview: () => previews.some((preview) => does(preview, when["preview"])),
    wins: () => previews.some((preview) => preview.wins && does(preview, when["wins"])),
    pick: () => pattern("pick").test(picked),
    turns: () => finishedTurns(scene) >= Number(when["turns"]),
    told: () => news(scene).some((made) => byRightSeat(made) && does(made, when["told"])),
    by: () => true,
  };
  return Object.keys(when).every((name) => met[name]!());
}

/** The tips that have not been given and are true now: first those that are urgent, then those that will pass. */
export function dueHints({ hints }: Lesson, given: readonly Given[], scene: Scene): readonly LessonHint[] {
  const rank = ({ always, when }: LessonHint) => (always ? 0 : when["pick"] ? 1 : when["told"] ? 2 : 3);
  return hints
    .filter((hint) => !given.some(({ name }) => name === hint.name) && holds(hint, scene))
    .sort((one, other) => rank(one) - rank(other));
}

/**
 * The tip for the position: an urgent one, or of those that were given in this turn and are still true the one about
 * what is picked up, or the last. Tips of earlier turns do not come again.
 */
export function currentHint({ hints }: Lesson, given: readonly Given[], scene: Scene): LessonHint | undefined {
  const now = finishedTurns(scene);
  const known = given
    .filter(({ turn }) => turn === now)
    .flatMap(({ name }) => hints.find((hint) => hint.name === name) ?? []);
  return (
    hints.find((hint) => hint.always && holds(hint, scene)) ??
    known.find((hint) => hint.when["pick"] !== undefined && holds(hint, scene)) ??
    known.findLast((hint) => holds(hint, scene))
  );
}
