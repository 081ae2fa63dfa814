import { CORNER_NUMBERS } from './camera.domain.ts';

const MAX_CHANNEL = 255;
const WORD_BITS = 32;
const ALL_BITS = -1;
/** Rows of a tile; a tile is one word wide. */
const TILE_ROWS = 16;

/** Square of samples, painted from front to back. */
export function createCanvas(side: number) {
  const samples = new Uint32Array(side ** 2);
  const rowWords = Math.ceil(side / WORD_BITS);
  /** One bit per sample: whether it is opaque. */
  const covered = new Int32Array(rowWords * side);
  /** Number of samples of each tile that are not covered. */
  const open = countSamples(side, rowWords);

  /** Paints the samples of a word whose bits are set. Returns their number. */
  function paintWord(bits: number, first: number, colour: number, alpha: number): number {
    let count = 0;
    for (let left = bits; left !== 0; left &= left - 1) {
      const at = first + (WORD_BITS - 1 - Math.clz32(left & -left));
      const over = samples[at] as number;
      samples[at] = over === 0 ? (colour | ((alpha * MAX_CHANNEL + 0.5) << 24)) >>> 0 : blend(over, colour, alpha);
      count += 1;
    }
    return count;
  }

  return {
    /** Row by row: straight (not premultiplied) colours with red in the lowest byte and alpha in the highest. */
    samples,

    /** Paints a shape where no opaque sample is painted; existing glass is blended over it. */
    paint({ top, bottom, left, right }: Spans, colour: number, alpha: number): void {
      for (let row = top; row < bottom; row += 1) {
        const [start, last] = [left[row] as number, (right[row] as number) - 1];
        const [firstWord, lastWord] = [start >> 5, last >> 5];
        for (let word = firstWord; start <= last && word <= lastWord; word += 1) {
          const head = word === firstWord ? ALL_BITS << (start & 31) : ALL_BITS;
          const tail = word === lastWord ? ALL_BITS >>> (31 - (last & 31)) : ALL_BITS;
          const at = row * rowWords + word;
          const bits = head & tail & ~(covered[at] as number);
          if (bits === 0) continue;
          const count = paintWord(bits, row * side + word * WORD_BITS, colour, alpha);
          if (alpha < 1) continue;
          covered[at] = (covered[at] as number) | bits;
          const tile = Math.floor(row / TILE_ROWS) * rowWords + word;
          open[tile] = (open[tile] as number) - count;
        }
      }
    },

    /** Whether a voxel with these corners is certainly behind opaque samples. */
    isCovered(points: Float64Array): boolean {
      let [left, top, right, bottom] = [side - 1, side - 1, 0, 0];
      for (let at = 2; at < CORNER_NUMBERS; at += 2) {
        const [x, y] = [points[at] as number, points[at + 1] as number];
        if (x < left) left = x;
        if (x > right) right = x;
        if (y < top) top = y;
        if (y > bottom) bottom = y;
      }
      const lastWord = Math.min(rowWords - 1, right >> 5);
      const lastTile = Math.floor(Math.min(side - 1, bottom) / TILE_ROWS);
      for (let tile = Math.floor(Math.max(0, top) / TILE_ROWS); tile <= lastTile; tile += 1) {
        for (let word = Math.max(0, left >> 5); word <= lastWord; word += 1) if (open[tile * rowWords + word] !== 0) return false;
      }
      return true;
    },
  };
}

function countSamples(side: number, rowWords: number): Uint16Array {
  const tileRows = Math.ceil(side / TILE_ROWS);
  return Uint16Array.from({ length: tileRows * rowWords }, (_, index) => {
    const [tile, word] = [Math.floor(index / rowWords), index % rowWords];
    return Math.min(TILE_ROWS, side - tile * TILE_ROWS) * Math.min(WORD_BITS, side - word * WORD_BITS);
  });
}

/** Blends a sample over a colour with alpha. */
function blend(over: number, colour: number, alpha: number): number {
  const overAlpha = (over >>> 24) / MAX_CHANNEL;
  const sum = overAlpha + alpha * (1 - overAlpha);
  const share = overAlpha / sum;
  const red = (colour & 0xff) + ((over & 0xff) - (colour & 0xff)) * share;
  const green = ((colour >>> 8) & 0xff) + (((over >>> 8) & 0xff) - ((colour >>> 8) & 0xff)) * share;
  const blue = ((colour >>> 16) & 0xff) + (((over >>> 16) & 0xff) - ((colour >>> 16) & 0xff)) * share;
  return ((red + 0.5) | ((green + 0.5) << 8) | ((blue + 0.5) << 16) | ((sum * MAX_CHANNEL + 0.5) << 24)) >>> 0;
}

/** Samples of a convex shape: in each row from `top` to `bottom` (exclusive), the samples from `left` to `right` (exclusive). */
export interface Spans {
  top: number;
  bottom: number;
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Sets the samples of a shape with four corners, clockwise. Shapes with a common edge neither overlap nor leave a gap. */
  trace(points: Float64Array, corners: readonly number[]): void;
}

/** Spans clipped to a square of samples. */
export function createSpans(side: number): Spans {
  const left = new Int32Array(side);
  const right = new Int32Array(side);

  /** First sample whose centre is at or after a coordinate. */
  const sampleAt = (coordinate: number) => Math.min(side, Math.max(0, Math.ceil(coordinate - 0.5)));

  /** Records the crossings of an edge with the centres of the rows. */
  function traceEdge(topX: number, topY: number, bottomX: number, bottomY: number, bound: Int32Array): void {
    const end = sampleAt(bottomY);
    const slope = (bottomX - topX) / (bottomY - topY);
    for (let row = sampleAt(topY); row < end; row += 1) bound[row] = sampleAt(topX + (row + 0.5 - topY) * slope);
  }

  return {
    top: 0,
    bottom: 0,
    left,
    right,
    trace(points, corners) {
      let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let corner = 0; corner < 4; corner += 1) {
        const from = 2 * (corners[corner] as number);
        const to = 2 * (corners[(corner + 1) & 3] as number);
        const [fromX, fromY] = [points[from] as number, points[from + 1] as number];
        const [toX, toY] = [points[to] as number, points[to + 1] as number];
        if (fromY < top) top = fromY;
        if (fromY > bottom) bottom = fromY;
        // With clockwise corners, a downward edge is the right bound.
        if (fromY < toY) traceEdge(fromX, fromY, toX, toY, right);
        else if (toY < fromY) traceEdge(toX, toY, fromX, fromY, left);
      }
      this.top = sampleAt(top);
      this.bottom = sampleAt(bottom);
    },
  };
}
