// The table's state machine by itself, run by test_machine.py: single transitions, and random walks in which answers,
// news and clicks come in any order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { INITIAL, isForced, legalMoves, shownView, transition, unsentMoves } from "../../web/src/table/machine.ts";

const view = (name: string) => ({ name });
const step = (number: number, move: string) => ({ number, seat: 1, move, told: [], view: view(move) });

function table(decision: number | null, legal: string[], more: object = {}) {
  const status = "running";
  return { decision, legal, made: decision, number: decision, status, to_move: 0, result: null, view: view(`at ${decision}`), ...more };
}

/** Apply inputs one after the other; the last state and task are returned. */
function run(inputs: any[], state: any = INITIAL): [any, any] {
  let task: any;
  for (const input of inputs) [state, task] = transition(state, input);
  return [state, task];
}
const news = (news: any, steps: any[] = [], jump = false) => ({ type: "news", table: news, steps, jump });
const tried = (attempt: number, moves: string[], legal: string[], more: object = {}) => ({
  type: "tried",
  attempt,
  confirm: false,
  answer: { moves, legal, view: view(moves.join(" ")), turn_over: false, chance: false, told: [[]], previews: null, ...more },
});
const play = (move: string, confirm = false, previewsCome = false) => ({ type: "play", move, confirm, previewsCome });
const previews = (decision: number, ...ending: string[]) => ({
  type: "previews",
  decision,
  previews: Object.fromEntries(ending.map((move) => [move, { ends_turn: true, told: [] }])),
});

test("a move that ends the turn is sent without being tried", () => {
  const [state, task] = run([news(table(1, ["a", "b"])), previews(1, "a"), play("a")]);
  assert.equal(state.phase, "sending");
  assert.deepEqual(task, { type: "move", decision: 1, moves: ["a"], seat: 0 });
});

test("a move made before the previews have come waits for them, and is sent without being tried", () => {
  const [waits, nothing] = run([news(table(1, ["a", "b"])), play("a", false, true)]);
  assert.deepEqual([waits.phase, nothing], ["trying", undefined]);
  const [sent, task] = run([previews(1, "a")], waits);
  assert.deepEqual([sent.phase, task.type, task.moves], ["sending", "move", ["a"]]);
});

test("a move that does not end the turn is tried once the previews have come, or once they were refused", () => {
  const [waits] = run([news(table(1, ["a", "b"])), play("b", false, true)]);
  for (const answer of [previews(1, "a"), { type: "previews", decision: 1, previews: null }]) {
    const [state, task] = run([answer], waits);
    assert.deepEqual([state.phase, task.type, task.moves], ["trying", "try", ["b"]]);
    assert.deepEqual(unsentMoves(run([tried(task.attempt, ["b"], ["c", "d"])], state)[0]), ["b"]);
  }
});

test("a move that waits for the previews can be taken back", () => {
  const [state, task] = run([news(table(1, ["a", "b"])), play("a", false, true), { type: "back" }, previews(1, "a")]);
  assert.deepEqual([state.phase, legalMoves(state), task], ["choosing", ["a", "b"], undefined]);
});

test("with confirmation it is tried first, and sent once it is confirmed", () => {
  const [state, task] = run([news(table(1, ["a"])), previews(1, "a"), play("a", true)]);
  assert.equal(task.type, "try");
  const done = { ...tried(1, ["a"], [], { turn_over: true }), confirm: true };
  const [confirming, nothing] = run([done], state);
  assert.equal(confirming.phase, "confirming");
  assert.equal(nothing, undefined);
  assert.equal(run([{ type: "confirm" }], confirming)[1].type, "move");
});

test("a decision with a single answer is not asked", () => {
  const [state, task] = run([news(table(1, ["a", "b"])), play("a"), tried(1, ["a"], ["only"])]);
  assert.deepEqual([state.phase, isForced(state), task], ["trying", true, { type: "tell", attempt: 2, confirm: false }]);
  const [, next] = run([{ type: "told", attempt: 2, confirm: false }], state);
  assert.deepEqual([next.type, next.moves], ["try", ["a", "only"]]);
});

test("a step that is no choice is told before it completes the turn, and can be taken back until then", () => {
  const ending = { previews: { only: { ends_turn: true } } };
  const [state, task] = run([news(table(1, ["a", "b"])), play("a"), tried(1, ["a"], ["only"], ending)]);
  assert.deepEqual([task.type, unsentMoves(state)], ["tell", ["a"]]);
  const [back] = run([{ type: "back" }], state);
  assert.deepEqual([back.phase, legalMoves(back)], ["choosing", ["a", "b"]]);
  assert.equal(run([{ type: "told", attempt: task.attempt, confirm: false }], back)[1], undefined);
  const [sent, move] = run([{ type: "told", attempt: task.attempt, confirm: false }], state);
  assert.deepEqual([sent.phase, move.type, move.moves], ["sending", "move", ["a", "only"]]);
});

test("stepping back needs no request, and passes decisions that were no choice", () => {
  const start = [news(table(1, ["a", "b"])), play("a"), tried(1, ["a"], ["only"]), { type: "told", attempt: 2, confirm: false }];
  const [state, task] = run([...start, tried(3, ["a", "only"], ["c", "d"]), { type: "back" }]);
  assert.deepEqual([state.phase, unsentMoves(state), task], ["choosing", [], undefined]);
  assert.deepEqual(legalMoves(state), ["a", "b"]);
});

test("a step that was taken back while it was tried stays taken back", () => {
  const [state] = run([news(table(1, ["a", "b"])), play("a"), { type: "back" }, tried(1, ["a"], ["c", "d"])]);
  assert.deepEqual([state.phase, unsentMoves(state)], ["choosing", []]);
});

test("an answer to a step that was taken back does not answer the next one", () => {
  const start = [news(table(1, ["a", "b"])), play("a"), { type: "back" }, play("b")];
  const [state, task] = run(start);
  const [late] = run([tried(1, ["a"], ["c", "d"])], state);
  assert.equal(late.phase, "trying");
  const [done] = run([tried(task.attempt, ["b"], ["e", "f"])], late);
  assert.deepEqual([done.phase, unsentMoves(done)], ["choosing", ["b"]]);
});

test("steps are shown one after the other, and the last one opens the board", () => {
  let [state, task] = run([news(table(0, [])), news(table(3, ["a"]), [step(1, "x"), step(2, "y"), step(3, "z")])]);
  assert.deepEqual([state.phase, shownView(state), task], ["showing", view("x"), { type: "pause" }]);
  [state, task] = run([{ type: "pause-over" }], state);
  assert.deepEqual([state.phase, shownView(state), legalMoves(state)], ["showing", view("y"), []]);
  [state, task] = run([{ type: "pause-over" }], state);
  assert.deepEqual([state.phase, shownView(state), legalMoves(state)], ["choosing", view("at 3"), ["a"]]);
});

test("a pause that ends late changes nothing", () => {
  const start = [news(table(0, [])), news(table(1, ["a", "b"]), [step(1, "x")]), play("a"), tried(1, ["a"], ["c", "d"])];
  const [state] = run([...start, { type: "pause-over" }]);
  assert.deepEqual([state.phase, shownView(state), legalMoves(state)], ["choosing", view("a"), ["c", "d"]]);
});

test("the verdict comes after the last move has been shown", () => {
  const over = table(null, [], { result: { winners: [1] }, made: 1 });
  const [state] = run([news(table(0, [])), news(over, [step(1, "x")])]);
  assert.equal(state.phase, "showing");
  assert.equal(run([{ type: "pause-over" }], state)[0].phase, "over");
  assert.equal(run([{ type: "skip" }], state)[0].phase, "over");
});

test("steps of yours that the board already shows are not shown again", () => {
  const start = [news(table(1, ["a", "b"])), play("a"), tried(1, ["a"], [], { turn_over: true })];
  const [state] = run([...start, news(table(3, []), [step(2, "a"), step(3, "x")])]);
  assert.deepEqual(shownView(state), view("x"));
});

test("an offer of the opponent leaves an unsent turn alone", () => {
  const start = [news(table(1, ["a", "b"])), play("a"), tried(1, ["a"], ["c", "d"])];
  const [state] = run([...start, news(table(1, ["a", "b"], { number: 2 }))]);
  assert.deepEqual([state.phase, unsentMoves(state)], ["choosing", ["a"]]);
});

test("a refused turn starts again", () => {
  const start = [news(table(1, ["a", "b"])), previews(1, "a"), play("a")];
  const [state] = run([...start, { type: "move-refused" }]);
  assert.deepEqual([state.phase, legalMoves(state)], ["choosing", ["a", "b"]]);
});

/** A generator of pseudo-random numbers (mulberry32). */
function generator(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A server with turns of up to three steps, whose messages wait in a line until they are delivered. */
class Server {
  decision = 0;
  over = false;
  mine = true;
  line: any[] = []; // inputs on their way to the browser, in order
  random: (below: number) => number;
  constructor(random: (below: number) => number) {
    this.random = random;
  }
  table(): any {
    const running = this.over ? null : this.decision;
    const legal = this.mine && !this.over ? this.legal([]) : [];
    return { ...table(running, legal), made: this.decision, number: this.decision, result: this.over ? { winners: [] } : null };
  }
  legal(moves: string[]): string[] {
    return moves.length < 1 + (this.decision % 3) ? ["a", "b", "c"].slice(0, 1 + ((this.decision + moves.length) % 3)) : [];
  }
  announce(steps: any[]): void {
    this.line.push(news(this.table(), steps, this.random(8) === 0));
  }
  do(task: any): void {
    if (task.type === "try") {
      const stale = task.decision !== this.decision || !this.mine || this.over;
      const legal = this.legal(task.moves);
      const answer = tried(task.attempt, task.moves, legal, { turn_over: !legal.length });
      this.line.push(stale ? { type: "try-refused", attempt: task.attempt, stale: true } : { ...answer, confirm: this.random(2) === 0 });
    }
    if (task.type === "tell") this.line.push({ ...task, type: "told" });
    if (task.type === "move") {
      if (task.decision !== this.decision || !this.mine || this.over) return void this.line.push({ type: "move-refused" });
      this.decision++;
      this.mine = this.random(3) === 0;
      this.announce(task.moves.map((move: string) => step(this.decision, move)));
    }
  }
  opponent(): void {
    if (this.mine || this.over) return;
    this.decision++;
    this.mine = this.random(2) === 0;
    this.over = this.random(60) === 0;
    this.announce(Array.from({ length: this.random(4) }, () => step(this.decision, "x")));
  }
}

test("whatever comes in whatever order, nothing gets stuck", () => {
  for (let seed = 1; seed <= 3_000; seed++) {
    const random = generator(seed);
    const server = new Server(random);
    let state: any = INITIAL;
    let pauses = 0;
    let asked: number | null = null; // the decision whose previews are on their way
    const apply = (input: any): void => {
      if (input.type === "previews" && input.decision === asked) asked = null;
      const decision = state.table?.decision;
      const [next, task] = transition(state, input);
      state = next;
      if (state.table?.decision !== decision && state.table?.legal.length) {
        asked = state.table.decision;
        server.line.push(random(4) ? previews(asked!, ...["a", "b"].slice(random(3))) : { type: "previews", decision: asked, previews: null });
      }
      if (task?.type === "pause") pauses++;
      else if (task) server.do(task);
      assert.equal(state.scene !== null, state.phase === "showing");
      if (legalMoves(state).length) assert.equal(state.phase, "choosing");
    };
    server.announce([]);
    for (let turn = 0; turn < 120; turn++) {
      const legal = legalMoves(state);
      const choice = random(9);
      if (choice < 3 && legal.length) apply(play(legal[random(legal.length)]!, random(2) === 0, asked === state.table?.decision));
      else if (choice === 3) apply({ type: "back" });
      else if (choice === 4) apply({ type: "confirm" });
      else if (choice === 5) apply({ type: "skip" });
      else if (choice === 6) server.opponent();
      else if (choice === 7 && pauses) (pauses--, apply({ type: "pause-over" }));
      else if (server.line.length) apply(server.line.shift());
    }
    // everything arrives and every pause ends: the player can choose, waits for others, or the game is over
    for (let turn = 0; turn < 200 && (server.line.length || pauses || state.phase === "confirming"); turn++) {
      while (server.line.length) apply(server.line.shift());
      while (pauses) (pauses--, apply({ type: "pause-over" }));
      if (state.phase === "confirming") apply({ type: "confirm" });
    }
    const expected = server.over ? "over" : server.mine ? "choosing" : "waiting";
    assert.equal(state.phase, expected, `seed ${seed}`);
    if (server.mine && !server.over) assert.ok(legalMoves(state).length, `seed ${seed}`);
    if (!unsentMoves(state).length) assert.deepEqual(shownView(state), server.table().view, `seed ${seed}`);
  }
});
