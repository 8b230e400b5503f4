// Plants on a space of the map: along a spiral from its middle, trees clear of the pawns.
import type { KitaraMapSpace } from "../../messages";
import { GROWTH, TREES } from "./art";

export interface Plant {
  name: string;
  x: number;
  y: number;
}
type Point = readonly [number, number];
const ARGUMENTS: Record<string, number> = { M: 2, L: 2, T: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, A: 7 };

/** The corners of an SVG path. */
function cornersOf(path: string): Point[] {
  const corners: Point[] = [];
  let [x, y] = [0, 0];
  for (const [, letter = "", text = ""] of path.matchAll(/([MLHVCSQTA])([^MLHVCSQTAZ]*)/gi)) {
    const numbers = (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
    const takes = ARGUMENTS[letter.toUpperCase()] ?? 2;
    for (let end = takes; end <= numbers.length; end += takes) {
      const [fromX, fromY] = letter === letter.toLowerCase() ? [x, y] : [0, 0];
      if (letter.toUpperCase() === "H") x = fromX + numbers[end - 1]!;
      else if (letter.toUpperCase() === "V") y = fromY + numbers[end - 1]!;
      else [x, y] = [fromX + numbers[end - 2]!, fromY + numbers[end - 1]!];
      corners.push([x, y]);
    }
  }
  return corners;
}

/** The distance of a point from the border of a polygon; negative outside. */
function clearanceAt(corners: readonly Point[], x: number, y: number): number {
  let [inside, clearance] = [false, Infinity];
  corners.forEach(([fromX, fromY], index) => {
    const [toX, toY] = corners[(index + 1) % corners.length]!;
    const [alongX, alongY] = [toX - fromX, toY - fromY];
    const length = alongX * alongX + alongY * alongY || 1;
    const share = Math.min(1, Math.max(0, ((x - fromX) * alongX + (y - fromY) * alongY) / length));
    clearance = Math.min(clearance, Math.hypot(fromX + share * alongX - x, fromY + share * alongY - y));
    if (fromY > y !== toY > y && x < fromX + ((y - fromY) / alongY) * alongX) inside = !inside;
  });
  return inside ? clearance : -clearance;
}

export function growth(space: KitaraMapSpace, number: number, clear: number): Plant[] {
  const corners = cornersOf(space.shape);
  const [middleX = 0, middleY = 0] = space.at;
  const bare = space.kind === "ruin" ? clear : space.start ? 0.9 * clear : 0;
  const tree = (TREES as Record<string, string>)[space.kind];
  const plants = (GROWTH as Record<string, string[]>)[space.kind] ?? [];
  let trees = tree ? 2 : 0;
  const grown: Plant[] = [];
  const taken: [number, number, number][] = [];
  for (let step = 3; step < 150; step++) {
    const [angle, distance] = [2.39996 * step + 1.7 * number, 14 * Math.sqrt(step)];
    const [x, y] = [middleX + distance * Math.cos(angle), middleY + distance * Math.sin(angle)];
    const clearance = clearanceAt(corners, x, y);
    const apart = Math.min(99, ...taken.map(([toX, toY, size]) => Math.hypot(x - toX, y - toY) - size));
    if (tree && trees && clearance > 27 && apart > 30 && distance > 1.15 * clear) {
      trees -= 1;
      taken.push([x, y, 26]);
      grown.push({ name: tree, x, y });
    } else if (clearance > 21 && apart > 26 && distance > bare) {
      taken.push([x, y, 8]);
      grown.push({ name: plants[taken.length % plants.length]!, x, y });
    }
  }
  return grown;
}
