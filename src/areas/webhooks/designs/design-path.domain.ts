/** Bounding box of a line, with upper bounds on its length and number of points. */
export interface Extent {
  width: number;
  height: number;
  length: number;
  points: number;
}

const COMMAND = /[a-z]/iy;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy;
/** Flags of arcs need no separator before the next number. */
const FLAG = /[01]/y;
const GAP = /[\s,]*/y;
/** Number of arguments per command. */
const ARGUMENTS: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };

type Point = readonly [x: number, y: number];

/** Traces a path. Control points count as points: a curve lies within their hull and is no longer than the polyline through them. */
class PathTracer {
  #left = Number.POSITIVE_INFINITY;
  #top = Number.POSITIVE_INFINITY;
  #right = Number.NEGATIVE_INFINITY;
  #bottom = Number.NEGATIVE_INFINITY;
  #length = 0;
  #points = 0;
  at: Point = [0, 0];
  #start: Point = [0, 0];
  /** Last control point, mirrored by smooth curves. */
  control: Point = [0, 0];

  moveTo(point: Point): void {
    this.#start = point;
    this.at = point;
    this.include(point);
  }

  lineTo(point: Point): void {
    this.#length += Math.hypot(point[0] - this.at[0], point[1] - this.at[1]);
    this.at = point;
    this.include(point);
  }

  close(): void {
    this.lineTo(this.#start);
  }

  /** Upper bound: an arc is no longer than its full ellipse, which grows until it connects both ends. */
  arcTo(point: Point, rx: number, ry: number): void {
    const distance = Math.hypot(point[0] - this.at[0], point[1] - this.at[1]);
    const reach = 2 * Math.max(Math.abs(rx), Math.abs(ry), distance);
    for (const [x, y] of [this.at, point]) {
      this.include([x - reach, y - reach]);
      this.include([x + reach, y + reach]);
    }
    this.#length += Math.PI * reach;
    this.at = point;
  }

  include([x, y]: Point): void {
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

/** Extent of path data; null when malformed. */
export function pathExtent(data: string): Extent | null {
  const tracer = new PathTracer();
  let at = 0;
  const read = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const token = pattern.exec(data)?.[0] ?? null;
    at += token?.length ?? 0;
    return token;
  };
  let command = '';
  read(GAP);
  while (at < data.length) {
    const letter = read(COMMAND);
    if (letter === null && (command === '' || ARGUMENTS[command.toLowerCase()] === 0)) return null;
    if (letter !== null && (ARGUMENTS[letter.toLowerCase()] === undefined || (command === '' && letter.toLowerCase() !== 'm'))) return null;
    command = letter ?? command;
    const numbers = readArguments(command.toLowerCase(), read);
    if (numbers === null) return null;
    applyCommand(tracer, command, numbers);
    // Additional points of a move are lines.
    if (command === 'm') command = 'l';
    if (command === 'M') command = 'L';
  }
  return tracer.extent();
}

/** Arguments of one command, with the whitespace after them; null when there are too few. */
function readArguments(kind: string, read: (pattern: RegExp) => string | null): number[] | null {
  const numbers: number[] = [];
  read(GAP);
  while (numbers.length < (ARGUMENTS[kind] ?? 0)) {
    const isFlag = kind === 'a' && (numbers.length === 3 || numbers.length === 4);
    const token = read(isFlag ? FLAG : NUMBER);
    if (token === null) return null;
    numbers.push(Number(token));
    read(GAP);
  }
  return numbers;
}

/** Applies one command. */
function applyCommand(walk: PathTracer, command: string, numbers: readonly number[]): void {
  const kind = command.toLowerCase();
  const [x, y] = command === kind ? walk.at : [0, 0];
  const pointAt = (index: number): Point => [x + (numbers[index] ?? 0), y + (numbers[index + 1] ?? 0)];
  const mirrored: Point = [2 * walk.at[0] - walk.control[0], 2 * walk.at[1] - walk.control[1]];
  if (kind === 'z') walk.close();
  else if (kind === 'm') walk.moveTo(pointAt(0));
  else if (kind === 'h') walk.lineTo([x + (numbers[0] ?? 0), walk.at[1]]);
  else if (kind === 'v') walk.lineTo([walk.at[0], y + (numbers[0] ?? 0)]);
  else if (kind === 'a') walk.arcTo(pointAt(5), numbers[0] ?? 0, numbers[1] ?? 0);
  else {
    const points = [...(kind === 's' || kind === 't' ? [mirrored] : []), ...pairStarts(numbers.length).map(pointAt)];
    for (const point of points) walk.lineTo(point);
    walk.control = points.at(-2) ?? walk.at;
    return;
  }
  walk.control = walk.at;
}

/** Start indices of the pairs in `count` numbers. */
function pairStarts(count: number): number[] {
  return Array.from({ length: count / 2 }, (_, index) => index * 2);
}

/** Extent of a closed polyline given as x, y pairs. */
export function polylineExtent(numbers: readonly number[]): Extent {
  const walk = new PathTracer();
  for (const index of pairStarts(numbers.length - (numbers.length % 2))) {
    const point: Point = [numbers[index] ?? 0, numbers[index + 1] ?? 0];
    if (index === 0) walk.moveTo(point);
    else walk.lineTo(point);
  }
  if (numbers.length > 0) walk.close();
  return walk.extent();
}
