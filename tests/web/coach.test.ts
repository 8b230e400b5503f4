// The coach of the tutorial by itself, run by test_machine.py: a tip is shown only while it is true of the position.
import assert from "node:assert/strict";
import { test } from "node:test";
import { currentHint, dueHints, finishedTurns, holds } from "../../web/src/learn/coach.ts";

const hint = (name: string, when: object, always = false): any => ({ name, when, always, words: name });
const lesson: any = {
  hints: [
    hint("goal", {}),
    hint("win", { decision: "move", wins: "entered-camp" }, true),
    hint("red", { pick: "^R$" }),
    hint("visitor", { decision: "move", legal: "x[a-h]1$" }, true),
    hint("capture", { decision: "move", preview: "captured" }),
    hint("lost", { told: "captured", by: "them" }),
    hint("ahead", { decision: "move", turns: 1 }),
  ],
};
const preview = (...keys: string[]) => ({ told: keys.map((key) => ({ key, arguments: {} })), wins: false });
const made = (seat: number, ...keys: string[]) => ({ seat, move: "m", told: preview(...keys).told });
const scene = (more: object = {}): any => ({
  me: 0,
  decision: "move",
  legal: ["a1-a2"],
  previews: { "a1-a2": preview("moved") },
  picked: "",
  made: [],
  entersOpponent: () => false,
  ...more,
});
// tips given in the turn of the scene, or `ago` turns earlier
const given = (names: string[], now: object, ago = 0) =>
  names.map((name) => ({ name, turn: finishedTurns(scene(now)) - ago }));
const due = (names: string[], now: object) => dueHints(lesson, given(names, now), scene(now)).map(({ name }) => name);
const said = (names: string[], now: object, ago = 0) => currentHint(lesson, given(names, now, ago), scene(now))?.name;

test("a tip disappears when it is no longer true", () => {
  const visited = { legal: ["g1xh1"], previews: { g1xh1: preview("moved", "captured") } };
  assert.equal(said(["goal", "visitor"], visited), "visitor");
  assert.equal(said(["goal", "visitor"], {}), "goal");
});

test("an urgent tip comes again whenever it is true, others only if they were given", () => {
  const visited = { legal: ["g1xh1"], previews: { g1xh1: preview("moved", "captured") } };
  assert.deepEqual(due(["goal"], visited), ["visitor", "capture"]);
  assert.equal(said(["goal", "visitor", "ahead"], { ...visited, made: [made(0), made(1)] }), "visitor");
  assert.equal(said(["goal"], { previews: { a: preview("captured") } }), "goal");
});

test("the way to win comes before everything else", () => {
  const winning = { ...preview("moved", "entered-camp"), wins: true };
  assert.equal(said(["goal", "red"], { picked: "R", previews: { "d8-a9": winning } }), "win");
  assert.equal(said(["goal", "red"], { picked: "R", previews: { "d8-a9": preview("entered-camp") } }), "red");
});

test("what is picked up is explained while it is picked up", () => {
  assert.equal(said(["goal", "red", "ahead"], { picked: "R", made: [made(0), made(1)] }), "red");
  assert.equal(said(["goal", "red"], { picked: "B" }), "goal");
});

test("what happened is news until the player's next turn is over", () => {
  const lost = hint("lost", { told: "captured", by: "them" });
  assert.equal(holds(lost, scene({ made: [made(0), made(1, "captured")] })), true);
  assert.equal(holds(lost, scene({ made: [made(0), made(1, "captured"), made(0)] })), true);
  assert.equal(holds(lost, scene({ made: [made(0), made(1, "captured"), made(0), made(1)] })), false);
  assert.equal(holds(lost, scene({ made: [made(0, "captured"), made(1)] })), false);
});

test("a tip of an earlier turn does not come again, unless it is urgent", () => {
  const later = { legal: ["g1xh1"], previews: { g1xh1: preview("moved", "captured") }, made: [made(0), made(1)] };
  assert.equal(said(["goal", "capture"], later), "visitor");
  assert.equal(said(["goal", "capture"], { ...later, legal: ["g1-h1"] }), "capture");
  assert.equal(said(["goal", "capture"], { ...later, legal: ["g1-h1"] }, 1), undefined);
});

test("a tip that will pass is given before one that can wait", () => {
  assert.deepEqual(due(["goal"], { made: [made(0), made(1, "captured")] }), ["lost", "ahead"]);
});
