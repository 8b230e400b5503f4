// A table in the browser as one state machine. It knows no socket, no timer and no page: news of the table, answers of
// the server, actions of the player and the end of a pause go in; the next state comes out, and what to ask or wait for.
// Everything on the screen follows from the state, so no timer can change what is shown.
import type { Message, Preview, Table, Tried, View } from "../messages";

export type Phase =
  | "waiting" // for the table or for other players
  | "showing" // what happened, one step after the other
  | "choosing" // the player chooses the next step of the turn
  | "trying" // the server plays a step without storing it
  | "confirming" // the turn is complete, and waits for the player's confirmation
  | "sending" // the turn is on its way
  | "over";

/** Something that happened on the board. */
export interface Step {
  readonly number: number; // of its event
  readonly seat: number | null; // null: chance
  readonly move: string;
  readonly told: readonly Message[];
  readonly view: View;
}

export interface State {
  readonly phase: Phase;
  readonly table: Table | null; // as the server last sent it
  readonly scene: Step | null; // on the board while showing
  readonly queue: readonly Step[]; // still to be shown
  readonly last: Step | null; // the last step shown
  readonly trail: readonly Tried[]; // the unsent steps of the turn, each with the position after it
  readonly asked: readonly string[]; // the moves being tried or sent
  readonly held: boolean; // the move waits for the previews, which say whether it is to be tried or sent
  readonly attempt: number; // of the last try: answers to earlier ones are ignored
  readonly previews: Record<string, Preview> | null; // of the legal moves at the start of the decision
  readonly others: Tried["others"]; // where the others' pawns could go then
}

export type Input =
  | { type: "news"; table: Table; steps: readonly Step[]; jump: boolean } // jump: show the position at once
  | {
      type: "previews";
      decision: number;
      previews: Record<string, Preview> | null;
      others: Tried["others"];
    }
  | { type: "play"; move: string; confirm: boolean; previewsCome: boolean } // the previews have been asked for
  | { type: "tried"; attempt: number; answer: Tried; confirm: boolean }
  | { type: "told"; attempt: number; confirm: boolean } // the player has been told of a step that is no choice
  | { type: "try-refused"; attempt: number; stale: boolean }
  | { type: "move-refused" }
  | { type: "back" }
  | { type: "confirm" }
  | { type: "pause-over" }
  | { type: "skip" };

/** What the surroundings have to do after a transition. */
export type Task =
  | { type: "try"; attempt: number; decision: number; moves: readonly string[] }
  | { type: "tell"; attempt: number; confirm: boolean } // of a step that is no choice, for a while; then "told"
  | { type: "move"; decision: number; moves: readonly string[]; seat: number | null }
  | { type: "pause" }; // then "pause-over"

export type Transition = readonly [State, Task?];

export const INITIAL: State = {
  phase: "waiting",
  table: null,
  scene: null,
  queue: [],
  last: null,
  trail: [],
  asked: [],
  held: false,
  attempt: 0,
  previews: null,
  others: {},
};

/** The position on the board. */
export function shownView(state: State): View | null {
  if (state.scene) return state.scene.view;
  return state.trail.at(-1)?.view ?? state.table?.view ?? null;
}

/** What the player may play now. */
export function legalMoves(state: State): readonly string[] {
  return state.phase === "choosing" ? openMoves(state) : [];
}

/** What each legal move would do, if it is known. */
export function currentPreviews(state: State): Record<string, Preview> | null {
  const tried = state.trail.at(-1);
  return tried ? tried.previews : state.previews;
}

/** Where the others' pawns could go if it were their turn. */
export function othersMoves(state: State): Tried["others"] {
  return (state.trail.at(-1) ?? state).others;
}

/** What the last unsent step does. */
export function lastUnsent(state: State): Preview | null {
  const move = state.trail.at(-1)?.moves.at(-1);
  const before = state.trail.length > 1 ? state.trail.at(-2)!.previews : state.previews;
  return (move !== undefined && before?.[move]) || null;
}

/** The unsent steps of the turn. */
export function unsentMoves(state: State): readonly string[] {
  return state.trail.at(-1)?.moves ?? [];
}

/** Whether the next step of the turn is no choice, and about to be made. */
export function isForced({ phase, trail }: State): boolean {
  return phase === "trying" && trail.at(-1)?.legal.length === 1;
}

/** The number of the last event that has been shown. */
export function seenNumber(state: State): number {
  return state.scene ? state.scene.number : (state.table?.number ?? -1);
}

export function transition(state: State, input: Input): Transition {
  switch (input.type) {
    case "news":
      return hear(state, input.table, input.steps, input.jump);
    case "previews": {
      if (state.table?.decision !== input.decision) return [state];
      const known = { ...state, previews: input.previews, others: input.others, held: false };
      return state.held ? step(known, state.asked[0]!, false) : [known];
    }
    case "play":
      if (state.phase !== "choosing" || !openMoves(state).includes(input.move)) return [state];
      if (input.previewsCome && !input.confirm && !state.trail.length)
        return [{ ...state, phase: "trying", asked: [input.move], held: true, attempt: state.attempt + 1 }];
      return step(state, input.move, input.confirm);
    case "tried":
      if (state.phase !== "trying" || state.attempt !== input.attempt) return [state];
      return arrive({ ...state, trail: [...state.trail, input.answer], asked: [] }, input.answer, input.confirm);
    case "told":
      if (!isForced(state) || state.attempt !== input.attempt) return [state];
      return step(state, openMoves(state)[0]!, input.confirm);
    case "try-refused":
      if (state.phase !== "trying" || state.attempt !== input.attempt) return [state];
      return [settle(input.stale ? { ...state, trail: [] } : state)];
    case "move-refused":
      return [state.phase === "sending" ? settle({ ...state, trail: [] }) : state];
    case "back":
      return [stepBack(state)];
    case "confirm":
      return state.phase === "confirming" ? send(state, unsentMoves(state)) : [state];
    case "pause-over":
      return state.phase === "showing" ? showNext(state) : [state];
    case "skip":
      return [state.phase === "showing" ? settle(state) : state];
  }
}

function openMoves(state: State): readonly string[] {
  return state.trail.at(-1)?.legal ?? state.table?.legal ?? [];
}

/** News of the table. An unsent turn survives it unless the decision is another one. */
function hear(state: State, table: Table, steps: readonly Step[], jump: boolean): Transition {
  const before = state.table;
  if (before && samePosition(before, table) && !steps.length) {
    // the view keeps its identity, so that a selection on the board stays
    const same = { ...state, table: { ...table, view: before.view } };
    if (state.phase === "showing") return [same];
    if (table.result || !table.legal.length) return [settle({ ...same, trail: [] })];
    return [state.phase === "waiting" ? settle(same) : same];
  }
  const fresh = { ...state, table, trail: [], asked: [], held: false, previews: null, others: {} };
  if (jump) return [settle(fresh)];
  const unseen = withoutOwn(steps, unsentMoves(state));
  if (state.phase === "showing") return [{ ...fresh, queue: [...state.queue, ...unseen] }];
  return showNext({ ...fresh, queue: unseen });
}

function samePosition(one: Table, other: Table): boolean {
  return one.status === other.status && one.decision === other.decision && one.made === other.made;
}

/** The steps without those of the player's own turn that the board shows already. */
function withoutOwn(steps: readonly Step[], own: readonly string[]): readonly Step[] {
  let shown = 0;
  while (shown < own.length && steps[shown]?.move === own[shown]) shown++;
  return steps.slice(shown);
}

/** Show the next step. The last one opens the board at once if the player is to move. */
function showNext(state: State): Transition {
  const [scene, ...queue] = state.queue;
  if (!scene) return [settle(state)];
  if (!queue.length && state.table?.legal.length) return [settle({ ...state, last: scene })];
  return [{ ...state, phase: "showing", scene, queue, last: scene }, { type: "pause" }];
}

/** Nothing is left to be shown: the phase follows from the table and the unsent steps. */
function settle(state: State): State {
  const { table, trail } = state;
  const phase = table?.result ? "over" : trail.length || table?.legal.length ? "choosing" : "waiting";
  return { ...state, phase, scene: null, queue: [], asked: [], held: false, trail: table?.result ? [] : trail };
}

/** Play a step: send it if it completes the turn, else try it. */
function step(state: State, move: string, confirm: boolean): Transition {
  const moves = [...unsentMoves(state), move];
  if (!confirm && currentPreviews(state)?.[move]?.ends_turn) return send(state, moves);
  const decision = state.table?.decision;
  if (decision == null) return [state];
  const attempt = state.attempt + 1;
  return [
    { ...state, phase: "trying", asked: moves, attempt },
    { type: "try", attempt, decision, moves },
  ];
}

/** A step was tried: the turn is complete, or its next decision is due. One with a single answer is not asked. */
function arrive(state: State, tried: Tried, confirm: boolean): Transition {
  if (tried.turn_over || tried.chance)
    return confirm ? [{ ...state, phase: "confirming" }] : send(state, unsentMoves(state));
  if (tried.legal.length > 1) return [{ ...state, phase: "choosing" }];
  const attempt = state.attempt + 1;
  const asked = [...unsentMoves(state), ...tried.legal];
  return [
    { ...state, phase: "trying", asked, attempt },
    { type: "tell", attempt, confirm },
  ];
}

function send(state: State, moves: readonly string[]): Transition {
  const { decision, to_move } = state.table!;
  if (decision === null) return [state];
  return [
    { ...state, phase: "sending", asked: moves },
    { type: "move", decision, moves, seat: to_move },
  ];
}

/** Take back the last unsent step, and with it those before that were no choice; a step being tried is forgotten. */
function stepBack(state: State): State {
  if (!["choosing", "confirming", "trying"].includes(state.phase)) return state;
  let { trail } = state;
  if (state.phase !== "trying" || isForced(state)) trail = trail.slice(0, -1);
  while (trail.at(-1)?.legal.length === 1) trail = trail.slice(0, -1);
  return { ...state, phase: "choosing", trail, asked: [], held: false, attempt: state.attempt + 1 };
}
