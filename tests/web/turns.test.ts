// The last turn by itself, run by test_machine.py: what the boards mark, and what is told of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { summary } from "../../web/src/games/kitara/summary.ts";
import { lastTurn } from "../../web/src/games/marks.ts";

const told = (...keys: string[]): any => keys.map((key) => ({ key, arguments: {} }));
const moved = (seat: number, ...keys: string[]): any => ({ key: "moved", seat, told: told(...keys) });
const drawn = (...keys: string[]): any => ({ key: "drawn", told: told(...keys) });
const keys = (events: readonly any[]) => events.flatMap((event) => event.told.map(({ key }: any) => key));
const game: any = { isReply: ({ key }: any) => key === "retreated" };

test("a turn goes on after another player's reply", () => {
  const events = [moved(0, "drafted"), moved(1, "drafted"), moved(1, "attacked"), moved(0, "retreated")];
  assert.deepEqual(keys(lastTurn(game, events)), ["drafted", "attacked", "retreated"]);
  assert.deepEqual(keys(lastTurn(game, [...events, moved(1, "crossed")])).length, 4);
});

test("without replies a turn ends where another player moves", () => {
  const events = [moved(1, "placed"), moved(0, "placed"), moved(0, "totem-moved")];
  assert.deepEqual(keys(lastTurn({} as any, events)), ["placed", "totem-moved"]);
});

test("chance belongs to the move before it", () => {
  const events = [drawn("card-revealed"), moved(0, "drafted"), drawn("card-revealed"), moved(1, "drafted")];
  assert.deepEqual(keys(lastTurn(game, events.slice(0, 3))), ["drafted", "card-revealed"]);
  assert.deepEqual(keys(lastTurn(game, events)), ["drafted"]);
});

test("nothing is left of a turn that was taken back", () => {
  assert.deepEqual(lastTurn(game, [moved(0, "drafted"), { key: "taken-back" } as any]), []);
});

test("a turn of Kitara is told with its outcome first and without what the row of cards shows", () => {
  const turn = told("drafted", "card-revealed", "attacked", "retreated", "moves-ended", "scored", "row-discarded");
  assert.deepEqual(summary(turn).map(({ key }) => key), ["attacked", "scored", "drafted", "retreated"]);
});
