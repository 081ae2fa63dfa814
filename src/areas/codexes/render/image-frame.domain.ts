import { BlueprintError } from './blueprint-error.domain.ts';
import { type Camera, CORNER_NUMBERS, SIDE_CORNERS } from './camera.domain.ts';
import { glassAlpha, isGlass } from './materials.domain.ts';
import type { VisibleFaces } from './visible-faces.domain.ts';
import type { Voxels } from './voxels.domain.ts';

/** Margin on each side, as a fraction of the image. */
const MARGIN = 0.06;
/** Glass with at most this alpha (of 255) is ignored for the crop. */
const MAX_CROPPED_ALPHA = 8;
const MAX_CHANNEL = 255;
/** Samples per pixel side: fewer for models with many overlapping layers, to bound the painting time. */
const SAMPLES_PER_PIXEL = [4, 2, 1] as const;
/** Maximum samples of all sides, including hidden ones. Solid samples are painted 32 at a time, glass samples one by one. */
const MAX_PAINTED_SAMPLES = 1_250_000_000;
const GLASS_WEIGHT = 100;

/** Mapping of the projection to a square of samples. */
export interface Frame {
  /** Samples along one side of a pixel. */
  samplesPerPixel: number;
  /** Samples along one side of the image. */
  side: number;
  /** Sample = projected coordinate x scale + offset. */
  scale: number;
  offsetA: number;
  offsetB: number;
}

/** Fits the visible sides into the image, centred. Throws `BlueprintError` if the model would take too long to paint. */
export function fitFrame(voxels: Voxels, faces: VisibleFaces, camera: Camera, imageSide: number): Frame {
  const { bounds, paintedArea } = measureSides(voxels, faces, camera);
  const pixelScale = (imageSide * (1 - 2 * MARGIN)) / Math.max(bounds.a1 - bounds.a0, bounds.b1 - bounds.b0);
  const paintedPixels = paintedArea * pixelScale ** 2;
  const samplesPerPixel = SAMPLES_PER_PIXEL.find((samples) => paintedPixels * samples ** 2 <= MAX_PAINTED_SAMPLES);
  if (samplesPerPixel === undefined) throw new BlueprintError('the blueprint has too many overlapping layers');
  const side = imageSide * samplesPerPixel;
  const scale = pixelScale * samplesPerPixel;
  return {
    samplesPerPixel,
    side,
    scale,
    offsetA: side / 2 - (scale * (bounds.a0 + bounds.a1)) / 2,
    offsetB: side / 2 - (scale * (bounds.b0 + bounds.b1)) / 2,
  };
}

interface Bounds {
  a0: number;
  a1: number;
  b0: number;
  b1: number;
}

/** Bounds of the visible sides, without faint glass unless there is nothing else, and the weighted sum of their areas. */
function measureSides(voxels: Voxels, { order, sides }: VisibleFaces, camera: Camera): { bounds: Bounds; paintedArea: number } {
  const { x, y, z, type, bgrw } = voxels;
  const points = new Float64Array(CORNER_NUMBERS);
  const [opaqueBounds, faintBounds] = [emptyBounds(), emptyBounds()];
  let paintedArea = 0;
  for (const index of order) {
    camera.corners(x[index] as number, y[index] as number, z[index] as number, points);
    const glass = isGlass(type[index] as number);
    const isFaint = glass && MAX_CHANNEL * glassAlpha(bgrw[4 * index + 3] as number) <= MAX_CROPPED_ALPHA;
    for (const { side, corners } of SIDE_CORNERS) {
      if (((sides[index] as number) & side) === 0) continue;
      for (const corner of corners)
        extendBounds(isFaint ? faintBounds : opaqueBounds, points[2 * corner] as number, points[2 * corner + 1] as number);
      paintedArea += calculateArea(points, corners) * (glass ? GLASS_WEIGHT : 1);
    }
  }
  return { bounds: opaqueBounds.a0 < opaqueBounds.a1 ? opaqueBounds : faintBounds, paintedArea };
}

function emptyBounds(): Bounds {
  const [most, least] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return { a0: most, a1: least, b0: most, b1: least };
}

function extendBounds(bounds: Bounds, a: number, b: number): void {
  if (a < bounds.a0) bounds.a0 = a;
  if (a > bounds.a1) bounds.a1 = a;
  if (b < bounds.b0) bounds.b0 = b;
  if (b > bounds.b1) bounds.b1 = b;
}

/** Half the cross product of the diagonals. */
function calculateArea(points: Float64Array, [first, second, third, fourth]: readonly [number, number, number, number]): number {
  const a = (corner: number) => points[2 * corner] as number;
  const b = (corner: number) => points[2 * corner + 1] as number;
  return Math.abs((a(third) - a(first)) * (b(fourth) - b(second)) - (b(third) - b(first)) * (a(fourth) - a(second))) / 2;
}
