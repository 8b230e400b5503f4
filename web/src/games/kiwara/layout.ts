// Coordinates in the picture of the savanna.
export const SPACE = 72;
export const PATH = 40;
export const EDGE = 8;
const MARGIN = EDGE + PATH;
export const WIDTH = 6 * SPACE + 2 * MARGIN;
export const HEIGHT = 5 * SPACE + 2 * MARGIN;
export const COLUMNS = "abcdef";
export const ROWS = "12345";
export const SPACES = [...ROWS].flatMap((row) => [...COLUMNS].map((column) => column + row));
export const STONES = 22;

export type Point = readonly [number, number];

export function corner(column: number, row: number): Point {
  return [MARGIN + column * SPACE, MARGIN + row * SPACE];
}

/** The middle of a space. */
export function middle(space: string): Point {
  return corner(COLUMNS.indexOf(space[0] ?? "") + 0.5, ROWS.indexOf(space[1] ?? "") + 0.5);
}

/** On which side of the savanna a stone of the path lies, and the line that it faces. */
export function side(stone: number): { where: "above" | "right" | "below" | "left"; line: string } {
  if (stone < 6) return { where: "above", line: COLUMNS[stone]! };
  if (stone < 11) return { where: "right", line: ROWS[stone - 6]! };
  if (stone < 17) return { where: "below", line: COLUMNS[16 - stone]! };
  return { where: "left", line: ROWS[21 - stone]! };
}

/** The middle of a stone of the path. */
export function stone(position: number): Point {
  const { where, line } = side(position);
  const near = EDGE + PATH / 2;
  if (where === "above" || where === "below") return [middle(line + "1")[0], where === "above" ? near : HEIGHT - near];
  return [where === "left" ? near : WIDTH - near, middle("a" + line)[1]];
}

/** The spaces of the line that a stone faces. */
export function lineOf(position: number): string[] {
  const { line } = side(position);
  return SPACES.filter((space) => space.includes(line));
}

/** The letter of a space's territory on a board written as five rows. */
export function territoryAt(board: readonly string[], space: string): string {
  return board[Number(space[1]) - 1]?.[COLUMNS.indexOf(space[0] ?? "")] ?? "";
}

/**
 * Where a territory's badge lies: at a corner between four spaces, where no token reaches. The best corner touches most
 * spaces of the territory; beside others, the badge moves a little towards its own.
 */
export function badgeAt(board: readonly string[], letter: string): Point {
  let best: Point = [0, 0];
  let most = -1;
  for (let row = 0; row <= ROWS.length; row++) {
    for (let column = 0; column <= COLUMNS.length; column++) {
      const around = [-1, 0].flatMap((down) => [-1, 0].map((right) => [column + right, row + down] as const));
      const own = around.filter(([x, y]) => board[y]?.[x] === letter);
      const inside = column > 0 && row > 0 && column < COLUMNS.length && row < ROWS.length;
      const score = own.length + (inside ? 0.5 : 0);
      if (own.length < 2 || score <= most) continue;
      most = score;
      const [x, y] = corner(column, row);
      const off = (axis: 0 | 1, at: number) => own.reduce((sum, space) => sum + space[axis] + 0.5 - at, 0) / own.length;
      best = [x + 14 * off(0, column), y + 14 * off(1, row)];
    }
  }
  return best;
}
