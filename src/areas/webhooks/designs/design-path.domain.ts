/** How far a line reaches, and how long it is at most. */
export interface Extent {
  width: number;
  height: number;
  length: number;
  points: number;
}

const COMMAND = /[a-z]/iy;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy;
/** Flags of arcs may stand without anything between them and the next number. */
const FLAG = /[01]/y;
const GAP = /[\s,]*/y;
/** Numbers that each command takes at a time. */
const ARGUMENTS: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };

type Point = readonly [x: number, y: number];

/** Follows a line from point to point. Control points count as points: a curve stays among them and is no longer than their way. */
class Walk {
  #left = Number.POSITIVE_INFINITY;
  #top = Number.POSITIVE_INFINITY;
  #right = Number.NEGATIVE_INFINITY;
  #bottom = Number.NEGATIVE_INFINITY;
  #length = 0;
  #points = 0;
  at: Point = [0, 0];
  #start: Point = [0, 0];
  /** Last control point, which smooth curves mirror. */
  control: Point = [0, 0];

  moveTo(point: Point): void {
    this.#start = point;
    this.at = point;
    this.reach(point);
  }

  lineTo(point: Point): void {
    this.#length += Math.hypot(point[0] - this.at[0], point[1] - this.at[1]);
    this.at = point;
    this.reach(point);
  }

  close(): void {
    this.lineTo(this.#start);
  }

  /** An arc is no longer than all of its ellipse, which grows until it reaches from end to end. */
  arcTo(point: Point, rx: number, ry: number): void {
    const distance = Math.hypot(point[0] - this.at[0], point[1] - this.at[1]);
    const reach = 2 * Math.max(Math.abs(rx), Math.abs(ry), distance);
    for (const [x, y] of [this.at, point]) {
      this.reach([x - reach, y - reach]);
      this.reach([x + reach, y + reach]);
    }
    this.#length += Math.PI * reach;
    this.at = point;
  }

  reach([x, y]: Point): void {
    this.#points += 1;
    this.#left = Math.min(this.#left, x);
    this.#right = Math.max(this.#right, x);
    this.#top = Math.min(this.#top, y);
    this.#bottom = Math.max(this.#bottom, y);
  }

  extent(): Extent {
    if (this.#points === 0) return { width: 0, height: 0, length: 0, points: 0 };
    return { width: this.#right - this.#left, height: this.#bottom - this.#top, length: this.#length, points: this.#points };
  }
}

/** Extent of the data of a path; null when it is not well formed. */
export function pathExtent(data: string): Extent | null {
  const walk = new Walk();
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const token = pattern.exec(data)?.[0] ?? null;
    at += token?.length ?? 0;
    return token;
  };
  let command = '';
  take(GAP);
  while (at < data.length) {
    const letter = take(COMMAND);
    if (letter === null && (command === '' || ARGUMENTS[command.toLowerCase()] === 0)) return null;
    if (letter !== null && (ARGUMENTS[letter.toLowerCase()] === undefined || (command === '' && letter.toLowerCase() !== 'm'))) return null;
    command = letter ?? command;
    const numbers = takeNumbers(command.toLowerCase(), take);
    if (numbers === null) return null;
    follow(walk, command, numbers);
    // Further points of a move are lines.
    if (command === 'm') command = 'l';
    if (command === 'M') command = 'L';
  }
  return walk.extent();
}

/** The numbers of one step, and the gap behind them; null when there are too few. */
function takeNumbers(kind: string, take: (pattern: RegExp) => string | null): number[] | null {
  const numbers: number[] = [];
  take(GAP);
  while (numbers.length < (ARGUMENTS[kind] ?? 0)) {
    const isFlag = kind === 'a' && (numbers.length === 3 || numbers.length === 4);
    const token = take(isFlag ? FLAG : NUMBER);
    if (token === null) return null;
    numbers.push(Number(token));
    take(GAP);
  }
  return numbers;
}

/** Takes one step. */
function follow(walk: Walk, command: string, numbers: readonly number[]): void {
  const kind = command.toLowerCase();
  const [x, y] = command === kind ? walk.at : [0, 0];
  const place = (index: number): Point => [x + (numbers[index] ?? 0), y + (numbers[index + 1] ?? 0)];
  const mirrored: Point = [2 * walk.at[0] - walk.control[0], 2 * walk.at[1] - walk.control[1]];
  if (kind === 'z') walk.close();
  else if (kind === 'm') walk.moveTo(place(0));
  else if (kind === 'h') walk.lineTo([x + (numbers[0] ?? 0), walk.at[1]]);
  else if (kind === 'v') walk.lineTo([walk.at[0], y + (numbers[0] ?? 0)]);
  else if (kind === 'a') walk.arcTo(place(5), numbers[0] ?? 0, numbers[1] ?? 0);
  else {
    const points = [...(kind === 's' || kind === 't' ? [mirrored] : []), ...pairs(numbers.length).map(place)];
    for (const point of points) walk.lineTo(point);
    walk.control = points.at(-2) ?? walk.at;
    return;
  }
  walk.control = walk.at;
}

/** Where the pairs in so many numbers begin. */
function pairs(count: number): number[] {
  return Array.from({ length: count / 2 }, (_, index) => index * 2);
}

/** Extent of corners, one after the other. */
export function polylineExtent(numbers: readonly number[]): Extent {
  const walk = new Walk();
  for (const index of pairs(numbers.length - (numbers.length % 2))) {
    const point: Point = [numbers[index] ?? 0, numbers[index + 1] ?? 0];
    if (index === 0) walk.moveTo(point);
    else walk.lineTo(point);
  }
  if (numbers.length > 0) walk.close();
  return walk.extent();
}
