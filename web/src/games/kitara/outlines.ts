// The outlines of a map's territories while they are drawn: points joined by curves. Territories that touch have the
// same points along their common border, so a point that is moved, added or removed changes both.
export type Point = readonly [number, number];

/** A point of an outline, with the ends of its handles: where the curve comes from, and where it goes. */
export interface Knot {
  at: Point;
  before: Point;
  after: Point;
}
/** A closed curve; the last knot is followed by the first. */
export type Ring = Knot[];
export type Outline = Ring[];

const NUMBERS: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, Z: 0 };
const SAMPLES = 32; // points of an outline with arcs, which have no handles

const distance = (one: Point, other: Point) => Math.hypot(one[0] - other[0], one[1] - other[1]);
const between = (one: Point, other: Point, share: number): Point => [
  one[0] + share * (other[0] - one[0]),
  one[1] + share * (other[1] - one[1]),
];
const corner = (at: Point): Knot => ({ at, before: at, after: at });
const next = (ring: Ring, index: number) => ring[(index + 1) % ring.length]!;
const previous = (ring: Ring, index: number) => ring[(index + ring.length - 1) % ring.length]!;

/** Read an SVG path. */
export function readOutline(path: string): Outline {
  if (/a/i.test(path)) return [sampled(path)];
  const rings: Ring[] = [];
  let ring: Ring = [];
  let at: Point = [0, 0];
  let handle: Point | null = null; // the last one, which S and T reflect
  let last = "";
  for (const [, letter = "", text = ""] of path.matchAll(/([MLHVCSQTZ])([^MLHVCSQTZ]*)/gi)) {
    const kind = letter.toUpperCase();
    const numbers = (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
    const takes = NUMBERS[kind]!;
    if (kind === "Z") {
      at = ring[0]?.at ?? at;
      last = kind;
    }
    for (let first = 0; takes && first + takes <= numbers.length; first += takes) {
      const from: Point = letter === kind ? [0, 0] : at;
      const points: Point[] = [];
      for (let index = first; index + 1 < first + takes; index += 2)
        points.push([from[0] + numbers[index]!, from[1] + numbers[index + 1]!]);
      const end: Point =
        kind === "H"
          ? [from[0] + numbers[first]!, at[1]]
          : kind === "V"
            ? [at[0], from[1] + numbers[first]!]
            : points.at(-1)!;
      const reflected: Point = handle ? [2 * at[0] - handle[0], 2 * at[1] - handle[1]] : at;
      if (kind === "M" && first === 0) {
        ring = [corner(end)];
        rings.push(ring);
        handle = null;
      } else {
        if (last === "Z") rings.push((ring = [corner(at)])); // a curve that goes on from the closed one's first point
        let [leaving, arriving]: [Point, Point] = [at, end];
        if (kind === "C") [leaving, arriving] = [points[0]!, points[1]!];
        if (kind === "S") [leaving, arriving] = [/[CS]/.test(last) ? reflected : at, points[0]!];
        if (kind === "Q" || kind === "T") {
          const pull: Point = kind === "Q" ? points[0]! : /[QT]/.test(last) ? reflected : at;
          [leaving, arriving] = [between(at, pull, 2 / 3), between(end, pull, 2 / 3)];
          handle = pull;
        } else handle = arriving;
        ring.at(-1)!.after = leaving;
        ring.push({ at: end, before: arriving, after: end });
      }
      at = end;
      last = kind;
    }
  }
  return rings.map(closed).filter((one) => one.length > 2);
}

/** A ring whose last knot is not its first one again. */
function closed(ring: Ring): Ring {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  if (ring.length < 2 || distance(first.at, last.at) > 0.05) return ring;
  first.before = last.before;
  return ring.slice(0, -1);
}

function sampled(path: string): Ring {
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "path");
  drawn.setAttribute("d", path);
  const length = drawn.getTotalLength();
  return Array.from({ length: SAMPLES }, (_, index) => {
    const { x, y } = drawn.getPointAtLength((index / SAMPLES) * length);
    return corner([x, y]);
  });
}

/** Write an outline as an SVG path, with one decimal. */
export function writeOutline(outline: Outline): string {
  return outline.map(writeRing).join("");
}

function writeRing(ring: Ring): string {
  const tenths = ([x, y]: Point): Point => [Math.round(10 * x), Math.round(10 * y)];
  const text = (point: Point, from: Point) => `${(point[0] - from[0]) / 10} ${(point[1] - from[1]) / 10}`;
  let at = tenths(ring[0]!.at);
  let path = `M${text(at, [0, 0])}`;
  ring.forEach((knot, index) => {
    const following = next(ring, index);
    const [leaving, arriving, end] = [knot.after, following.before, following.at].map(tenths) as [Point, Point, Point];
    const straight = distance(leaving, at) < 1 && distance(arriving, end) < 1;
    const closing = index === ring.length - 1;
    if (!straight) path += `c${text(leaving, at)} ${text(arriving, at)} ${text(end, at)}`;
    else if (!closing) path += `l${text(end, at)}`;
    at = end;
  });
  return `${path}Z`.replaceAll(" -", "-");
}

/** A place in the outlines of a map: space, ring and knot. */
export interface Place {
  space: number;
  ring: number;
  knot: number;
}

/** All knots that lie at a point: those of every territory that meets there. */
export function knotsAt(outlines: readonly Outline[], at: Point, near: number): Place[] {
  return outlines.flatMap((outline, space) =>
    outline.flatMap((ring, number) =>
      ring.flatMap((knot, index) => (distance(knot.at, at) <= near ? [{ space, ring: number, knot: index }] : [])),
    ),
  );
}

/** Move the knots at these places to a point; their handles go with them. */
export function moveKnots(outlines: readonly Outline[], places: readonly Place[], to: Point): void {
  for (const { space, ring, knot } of places) {
    const moved = outlines[space]![ring]![knot]!;
    const shift = (point: Point): Point => [point[0] + to[0] - moved.at[0], point[1] + to[1] - moved.at[1]];
    Object.assign(moved, { at: to, before: shift(moved.before), after: shift(moved.after) });
  }
}

/** The knot of another territory's outline nearest to a point, if one is this near: two outlines are joined there. */
export function knotNear(
  outlines: readonly Outline[],
  places: readonly Place[],
  at: Point,
  near: number,
): Point | null {
  const own = new Set(places.map(({ space, ring }) => `${space} ${ring}`));
  let [best, found]: [number, Point | null] = [near, null];
  outlines.forEach((outline, space) =>
    outline.forEach((ring, number) => {
      if (own.has(`${space} ${number}`)) return;
      for (const knot of ring) if (distance(knot.at, at) < best) [best, found] = [distance(knot.at, at), knot.at];
    }),
  );
  return found;
}

/** Add a knot to the curve from one point to another, in every territory that has it; return where it is. */
export function addKnot(outlines: readonly Outline[], from: Point, to: Point, share: number, near: number): Point {
  let added: Point = between(from, to, share);
  for (const outline of outlines)
    for (const ring of outline)
      for (let index = 0; index < ring.length; index++) {
        const [start, end] = [ring[index]!, next(ring, index)];
        const forwards = distance(start.at, from) <= near && distance(end.at, to) <= near;
        const backwards = distance(start.at, to) <= near && distance(end.at, from) <= near;
        if (!forwards && !backwards) continue;
        // de Casteljau's construction: both halves together are the same curve
        const part = forwards ? share : 1 - share;
        const [leaving, middle, arriving] = [
          between(start.at, start.after, part),
          between(start.after, end.before, part),
          between(end.before, end.at, part),
        ];
        const [before, after] = [between(leaving, middle, part), between(middle, arriving, part)];
        added = between(before, after, part);
        start.after = leaving;
        end.before = arriving;
        ring.splice(index + 1, 0, { at: added, before, after });
        index++;
      }
  return added;
}

/** The point of the curve from a knot to the next one, at a share of it. */
function pointOn(ring: Ring, index: number, share: number): Point {
  const [start, end] = [ring[index]!, next(ring, index)];
  const [leaving, middle, arriving] = [
    between(start.at, start.after, share),
    between(start.after, end.before, share),
    between(end.before, end.at, share),
  ];
  return between(between(leaving, middle, share), between(middle, arriving, share), share);
}

/** The share of the curve after a knot that is nearest to a point. */
export function shareNear(ring: Ring, index: number, at: Point): number {
  const shares = Array.from({ length: 17 }, (_, step) => 0.1 + (0.8 * step) / 16);
  const away = shares.map((share) => distance(pointOn(ring, index, share), at));
  return shares[away.indexOf(Math.min(...away))]!;
}

/** Whether territories part at these knots: then no knot can be removed without opening a gap. */
function isCorner(outlines: readonly Outline[], places: readonly Place[], near: number): boolean {
  const [first, ...others] = places.map(({ space, ring, knot }) => {
    const knots = outlines[space]![ring]!;
    return [previous(knots, knot).at, next(knots, knot).at] as const;
  });
  return others.some(
    ([before, after]) =>
      !(distance(before, first![0]) <= near && distance(after, first![1]) <= near) &&
      !(distance(before, first![1]) <= near && distance(after, first![0]) <= near),
  );
}

/** Remove knots that are no corner, unless a territory would have fewer than three; return whether it was done. */
export function removeKnots(outlines: readonly Outline[], places: readonly Place[], near: number): boolean {
  if (isCorner(outlines, places, near)) return false;
  if (places.some(({ space, ring }) => outlines[space]![ring]!.length < 4)) return false;
  for (const { space, ring, knot } of places) outlines[space]![ring]!.splice(knot, 1);
  return true;
}

/** The mean of the knots of a ring. */
export function middleOf(ring: Ring): Point {
  const sum = ring.reduce(([x, y], { at }) => [x + at[0], y + at[1]] as const, [0, 0] as Point);
  return [sum[0] / ring.length, sum[1] / ring.length];
}

/** How large a territory is: the area within its knots. */
export function areaOf(outline: Outline): number {
  return outline.reduce((sum, ring) => {
    const twice = ring.reduce((area, { at }, index) => {
      const to = next(ring, index).at;
      return area + at[0] * to[1] - at[1] * to[0];
    }, 0);
    return sum + Math.abs(twice) / 2;
  }, 0);
}

/** Cut a territory in two, straight across its middle; return the other half's outline, or null if that fails. */
export function cut(outlines: readonly Outline[], space: number, near: number): Outline | null {
  const ring = outlines[space]![0];
  if (!ring) return null;
  const middle = middleOf(ring);
  const farthest = ring.reduce((one, other) => (distance(other.at, middle) > distance(one.at, middle) ? other : one));
  const along = Math.atan2(farthest.at[1] - middle[1], farthest.at[0] - middle[0]);
  for (const turned of [0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2]) {
    const [x, y] = [Math.cos(along + turned), Math.sin(along + turned)];
    const side = (at: Point) => (at[0] - middle[0]) * x + (at[1] - middle[1]) * y;
    const crossings = ring.filter((knot, index) => side(knot.at) > 0 !== side(next(ring, index).at) > 0);
    if (crossings.length !== 2) continue;
    const ends = crossings.map((knot) => {
      const index = ring.indexOf(knot);
      let [low, high] = [0, 1];
      for (let step = 0; step < 20; step++) {
        const half = (low + high) / 2;
        if (side(pointOn(ring, index, half)) > 0 === side(knot.at) > 0) low = half;
        else high = half;
      }
      const share = Math.min(0.95, Math.max(0.05, low));
      return addKnot(outlines, knot.at, next(ring, index).at, share, near);
    });
    const [one, other] = ends
      .map((end) => ring.findIndex((knot) => distance(knot.at, end) <= near))
      .sort((first, second) => first - second) as [number, number];
    const half = (knots: Ring): Ring =>
      knots.map((knot, index) => ({
        ...knot,
        before: index === 0 ? knot.at : knot.before,
        after: index === knots.length - 1 ? knot.at : knot.after,
      }));
    const inner = half(ring.slice(one, other + 1));
    outlines[space]![0]!.splice(0, ring.length, ...half([...ring.slice(other), ...ring.slice(0, one + 1)]));
    return [inner];
  }
  return null;
}

/** Give a territory to the neighbour with the longest common border; return whether there was one. */
export function merge(outlines: readonly Outline[], space: number, near: number): boolean {
  const ring = outlines[space]![0];
  if (!ring || outlines[space]!.length > 1) return false;
  const common = (knot: Knot, others: Ring) => others.some(({ at }) => distance(at, knot.at) <= near);
  const lengths = outlines.map((outline, index) => {
    const others = outline[0];
    if (index === space || !others || outline.length > 1) return 0;
    return ring.reduce((length, knot, place) => {
      const to = next(ring, place);
      return length + (common(knot, others) && common(to, others) ? distance(knot.at, to.at) : 0);
    }, 0);
  });
  const neighbour = lengths.indexOf(Math.max(...lengths));
  if (!lengths[neighbour]) return false;
  const theirs = outlines[neighbour]![0]!;
  const mine = own(ring, (knot) => common(knot, theirs));
  let other = own(theirs, (knot) => common(knot, ring));
  if (!mine || !other) return false;
  if (distance(mine.at(-1)!.at, other[0]!.at) > near)
    other = other.reverse().map(({ at, before, after }) => ({ at, before: after, after: before }));
  // both run from one end of the common border to the other, outside of it
  const joined = [...mine.slice(0, -1), { ...mine.at(-1)!, after: other[0]!.after }, ...other.slice(1, -1)];
  joined[0] = { ...mine[0]!, before: other.at(-1)!.before };
  theirs.splice(0, theirs.length, ...joined);
  return true;
}

/** The part of a ring from the end of the common knots round to their beginning; null if they are not one run. */
function own(ring: Ring, common: (knot: Knot) => boolean): Ring | null {
  const starts = ring.flatMap((knot, index) => (common(knot) && !common(next(ring, index)) ? [index] : []));
  if (starts.length !== 1) return null;
  const turned = [...ring.slice(starts[0]!), ...ring.slice(0, starts[0]!)];
  const back = turned.findIndex((knot, index) => index > 0 && common(knot));
  return back < 0 ? null : turned.slice(0, back + 1);
}

/** How far an arrow key moves something. */
export const STEPS: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The border from a point of a ring to the next one, as an SVG path at a scale. */
export function curve(ring: Ring, index: number, scale: number): string {
  const [from, to] = [ring[index]!, ring[(index + 1) % ring.length]!];
  const points = [from.at, from.after, to.before, to.at].map(([x, y]) => `${x * scale} ${y * scale}`);
  return `M${points[0]}C${points.slice(1).join(" ")}`;
}
