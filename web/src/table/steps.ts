// The steps of news, one after the other, and how long each is shown.
import type { FromServer, TableEvent } from "../messages";
import type { State, Step } from "./machine";

export type News = Extract<FromServer, { type: "news" }>;

const PAUSE = 650; // after a step, in milliseconds
const SHORT_PAUSE = 300; // if many steps are to be shown
const MANY = 12;

/** How long the step on the board is shown: longer if something follows from the move that is to be read, too. */
export function pauseAfter({ queue, scene }: State): number {
  const more = Math.max(0, (scene?.told.length ?? 0) - 1);
  return (queue.length > MANY ? SHORT_PAUSE : PAUSE) + more * PAUSE;
}

/** The moves among new events, with the position after each. */
export function stepsOf(news: News, events: readonly TableEvent[]): Step[] {
  // without views of its own, the news has at most one step, and the table's view follows it
  const views = news.views.length ? news.views : news.events.map(() => news.table.view);
  return events.flatMap((event) => {
    if (event.key !== "moved" && event.key !== "drawn") return [];
    const view = views[news.events.indexOf(event)];
    const seat = event.key === "moved" ? event.seat : null;
    return view ? [{ number: event.number, seat, move: event.move, told: event.told, view }] : [];
  });
}
