// Rivers along the edges between territories: smooth lines that sway and cut corners.
import { corner, type Point } from "./layout";

type Corner = readonly [number, number]; // of a space: how many columns and rows come before it
const SWAY = 3;
const key = ([column, row]: Corner) => `${column},${row}`;
const link = (one: Corner, other: Corner) => [key(one), key(other)].sort().join(" ");

export interface Rivers {
  course: string; // all streams, to be stroked
  mouths: string; // the confluences, to be filled
  gleams: (drift: number) => string;
}

export function rivers(board: readonly string[]): Rivers {
  const edges: [Corner, Corner][] = [];
  for (let row = 0; row < 5; row++)
    for (let column = 0; column < 6; column++) {
      const here = board[row]?.[column];
      if (column < 5 && board[row]?.[column + 1] !== here)
        edges.push([
          [column + 1, row],
          [column + 1, row + 1],
        ]);
      if (row < 4 && board[row + 1]?.[column] !== here)
        edges.push([
          [column, row + 1],
          [column + 1, row + 1],
        ]);
    }
  return riversAlong(edges);
}

export function riversAlong(edges: readonly (readonly [Corner, Corner])[]): Rivers {
  const ways = new Map<string, { corner: Corner; ends: Corner[] }>();
  const way = (at: Corner) => {
    const found = ways.get(key(at)) ?? { corner: at, ends: [] };
    ways.set(key(at), found);
    return found;
  };
  for (const [one, other] of edges) {
    way(one).ends.push(other);
    way(other).ends.push(one);
  }
  const all = streams(ways);
  return {
    course: all.map((stream) => curve(stream, SWAY)).join(""),
    mouths: [...ways.values()]
      .filter(({ ends }) => ends.length > 2)
      .map(({ corner, ends }) => mouth(corner, ends))
      .join(""),
    gleams: (drift) => all.map((stream) => curve(stream, SWAY + drift)).join(""),
  };
}

/** The rivers as chains of corners: straight on where several meet, round the bend where only two do. */
function streams(ways: Map<string, { corner: Corner; ends: Corner[] }>): Corner[][] {
  function onward(before: Corner, here: Corner): Corner | undefined {
    let ends = (ways.get(key(here))?.ends ?? []).filter((end) => key(end) !== key(before));
    if (ends.length > 1)
      ends = ends.filter((end) => end[0] + before[0] === 2 * here[0] && end[1] + before[1] === 2 * here[1]);
    return ends[0];
  }
  const seen = new Set<string>();
  const everywhere = [...ways.values()].flatMap(({ corner, ends }) => ends.map((end) => [corner, end] as const));
  const sources = everywhere.filter(([here, after]) => !onward(after, here));
  const found: Corner[][] = [];
  for (const [here, first] of [...sources, ...everywhere]) {
    const stream = [here];
    let after: Corner | undefined = first;
    while (after && !seen.has(link(stream.at(-1)!, after))) {
      seen.add(link(stream.at(-1)!, after));
      stream.push(after);
      after = onward(stream.at(-2)!, after);
    }
    if (stream.length > 1) found.push(stream);
  }
  return found;
}

function curve(stream: readonly Corner[], sway: number): string {
  const last = stream.length - 1;
  const loop = key(stream[0]!) === key(stream[last]!);
  const points: Point[] = [];
  stream.forEach((here, step) => {
    const before = step ? stream[step - 1] : loop ? stream[last - 1] : undefined;
    const after = step < last ? stream[step + 1] : loop ? stream[1] : undefined;
    let [x, y] = corner(...here);
    if (before && after) {
      // into the bend; nowhere if it is straight
      x += 5.5 * (before[0] + after[0] - 2 * here[0]);
      y += 5.5 * (before[1] + after[1] - 2 * here[1]);
    }
    points.push([x, y]);
    if (after && step < last) points.push(along(here, after, 0.5, sway));
  });
  return spline(points, loop);
}

/** A point between two neighbouring corners, beside the straight line, on alternating sides. */
function along(here: Corner, after: Corner, part: number, sway: number): Point {
  const [x, y] = corner(here[0] + part * (after[0] - here[0]), here[1] + part * (after[1] - here[1]));
  const aside = (here[0] + here[1] + after[0] + after[1]) & 2 ? sway : -sway;
  return here[0] === after[0] ? [x + aside, y] : [x, y + aside];
}

/** A smooth path through all the points. */
function spline(points: readonly Point[], loop: boolean): string {
  const last = points.length - 1;
  let path = `M${points[0]!.map((number) => number.toFixed(1)).join(" ")}`;
  for (let step = 0; step < last; step++) {
    const before = (step ? points[step - 1] : loop ? points[last - 1] : points[0])!;
    const [start, end] = [points[step]!, points[step + 1]!];
    const after = (step + 1 < last ? points[step + 2] : loop ? points[1] : points[last])!;
    const numbers = [
      start[0] + (end[0] - before[0]) / 6,
      start[1] + (end[1] - before[1]) / 6,
      end[0] - (after[0] - start[0]) / 6,
      end[1] - (after[1] - start[1]) / 6,
      ...end,
    ];
    path += `C${numbers.map((number) => number.toFixed(1)).join(" ")}`;
  }
  return path;
}

/** Where rivers meet, the corners between them are rounded. */
function mouth(at: Corner, ends: readonly Corner[]): string {
  const [x, y] = corner(...at);
  let path = "";
  for (const beside of ends.filter((end) => end[1] === at[1]))
    for (const above of ends.filter((end) => end[0] === at[0])) {
      const [[x1, y1], [x2, y2]] = [along(at, beside, 0.2, SWAY / 2), along(at, above, 0.2, SWAY / 2)];
      path += `M${x1.toFixed(1)} ${y1.toFixed(1)}Q${x} ${y} ${x2.toFixed(1)} ${y2.toFixed(1)}L${x} ${y}Z`;
    }
  return path;
}
