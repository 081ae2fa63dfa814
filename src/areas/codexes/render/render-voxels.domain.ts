import type { Pixels } from '../../../platform/kit/images/pixels.domain.ts';
import type { Voxels } from './blueprint.domain.ts';
import { type Camera, CORNER_NUMBERS, createCamera, type Frame, fitFrame, SIDE_CORNERS } from './camera.domain.ts';
import { glassAlpha, isGlass, type SideColours, shade } from './materials.domain.ts';
import { findVisibleFaces, SIDE_X, SIDE_Y, type VisibleFaces } from './visible-faces.domain.ts';

/** Renders decoded voxels to straight (not premultiplied) colours. Throws `BlueprintError` if they cannot be rendered. */
export function renderVoxels(voxels: Voxels, side: number): Pixels {
  const faces = findVisibleFaces(voxels);
  const camera = createCamera(voxels);
  const frame = fitFrame(voxels, faces, camera, side);
  return averageSamples(paint(voxels, faces, camera, frame), frame.side, frame.samplesPerPixel);
}

/**
 * Paints sides from nearest to farthest. Returns samples row by row, as straight (not premultiplied) colours with red in the lowest byte
 * and alpha in the highest.
 */
export function paint(voxels: Voxels, { order, sides }: VisibleFaces, camera: Camera, frame: Frame): Uint32Array {
  const { x, y, z, type, bgrw } = voxels;
  const spans = createSpans(frame.side);
  const canvas = createCanvas(frame.side);
  const points = new Float64Array(CORNER_NUMBERS);
  const colours: SideColours = { x: 0, y: 0, z: 0 };
  for (const index of order) {
    camera.corners(x[index] as number, y[index] as number, z[index] as number, points);
    for (let at = 2; at < CORNER_NUMBERS; at += 2) {
      points[at] = (points[at] as number) * frame.scale + frame.offsetA;
      points[at + 1] = (points[at + 1] as number) * frame.scale + frame.offsetB;
    }
    if (canvas.isCovered(points)) continue;
    const kind = type[index] as number;
    const at = 4 * index;
    shade(kind, bgrw[at + 2] as number, bgrw[at + 1] as number, bgrw[at] as number, colours);
    const alpha = isGlass(kind) ? glassAlpha(bgrw[at + 3] as number) : 1;
    for (const { side, corners } of SIDE_CORNERS) {
      if (((sides[index] as number) & side) === 0) continue;
      spans.trace(points, corners);
      canvas.paint(spans, side === SIDE_X ? colours.x : side === SIDE_Y ? colours.y : colours.z, alpha);
    }
  }
  return canvas.samples;
}

/** Averages squares of samples to pixels; colours are weighted by alpha. `side` is the number of samples per row. */
function averageSamples(samples: Uint32Array, side: number, perPixel: number): Pixels {
  const width = side / perPixel;
  const rgba = new Uint8Array(4 * width ** 2);
  const perSquare = perPixel ** 2;
  for (let pixel = 0; pixel < width ** 2; pixel += 1) {
    const [row, column] = [Math.floor(pixel / width), pixel % width];
    const first = row * perPixel * side + column * perPixel;
    let [red, green, blue, alpha] = [0, 0, 0, 0];
    for (let y = 0; y < perPixel; y += 1) {
      for (let at = first + y * side; at < first + y * side + perPixel; at += 1) {
        const sample = samples[at] as number;
        if (sample === 0) continue;
        const weight = sample >>> 24;
        red += (sample & 0xff) * weight;
        green += ((sample >>> 8) & 0xff) * weight;
        blue += ((sample >>> 16) & 0xff) * weight;
        alpha += weight;
      }
    }
    if (alpha === 0) continue;
    rgba[4 * pixel] = Math.round(red / alpha);
    rgba[4 * pixel + 1] = Math.round(green / alpha);
    rgba[4 * pixel + 2] = Math.round(blue / alpha);
    rgba[4 * pixel + 3] = Math.round(alpha / perSquare);
  }
  return { width, height: width, rgba };
}

const MAX_CHANNEL = 255;
const WORD_BITS = 32;
const ALL_BITS = -1;
/** Rows of a tile; a tile is one word wide. */
const TILE_ROWS = 16;

/** Square of samples, painted from front to back. */
function createCanvas(side: number) {
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
interface Spans {
  top: number;
  bottom: number;
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Sets the samples of a shape with four corners, clockwise. Shapes with a common edge neither overlap nor leave a gap. */
  trace(points: Float64Array, corners: readonly number[]): void;
}

/** Spans clipped to a square of samples. */
function createSpans(side: number): Spans {
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
