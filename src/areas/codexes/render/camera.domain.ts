import { BlueprintError, type Voxels } from './blueprint.domain.ts';
import { glassAlpha, isGlass } from './materials.domain.ts';
import { SIDE_X, SIDE_Y, SIDE_Z, type VisibleFaces } from './visible-faces.domain.ts';

const RADIANS = Math.PI / 180;
/** Camera azimuth and elevation. */
const AZIMUTH = 40 * RADIANS;
const ELEVATION = 29.7 * RADIANS;
/** Distance from the centre, in radii of the bounding sphere: a vertical field of view of 42.9° contains the sphere. */
const DISTANCE = 2.55;

/** Numbers that `corners` writes for a voxel: two per corner 0 to 7; corner 0 is never visible. */
export const CORNER_NUMBERS = 16;
/** Four corners of each side, clockwise in the image. Bits of a corner: 1 for greater x, 2 for y, 4 for z. */
export const SIDE_CORNERS = [
  { side: SIDE_X, corners: [1, 3, 7, 5] },
  { side: SIDE_Y, corners: [2, 6, 7, 3] },
  { side: SIDE_Z, corners: [4, 5, 7, 6] },
] as const;

export type Camera = ReturnType<typeof createCamera>;

/**
 * Projects voxels to the image plane: the first coordinate increases to the right, the second downwards; +X points to the left. The camera
 * is aimed at the centre of the model. Its coordinates exceed those of every voxel: the whole model is in front of it.
 */
export function createCamera({ x, y, z }: Voxels) {
  const [x0, x1] = boundsOf(x);
  const [y0, y1] = boundsOf(y);
  const [z0, z1] = boundsOf(z);
  const [cx, cy, cz] = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2];
  const distance = (DISTANCE * Math.hypot(x1 - x0, y1 - y0, z1 - z0)) / 2;
  const [sinA, cosA, sinE, cosE] = [Math.sin(AZIMUTH), Math.cos(AZIMUTH), Math.sin(ELEVATION), Math.cos(ELEVATION)];
  const [nearX, nearY, nearZ] = [cosE * sinA, sinE, cosE * cosA];
  const [downX, downZ] = [sinE * sinA, sinE * cosA];

  return {
    /** Writes the corners 1 to 7 of the voxel at a position. Shared corners of voxels have identical coordinates. */
    corners(px: number, py: number, pz: number, into: Float64Array): void {
      for (let corner = 1; corner < 8; corner += 1) {
        const dx = px + (corner & 1) - cx;
        const dy = py + ((corner >> 1) & 1) - cy;
        const dz = pz + (corner >> 2) - cz;
        const scale = 1 / (distance - dx * nearX - dy * nearY - dz * nearZ);
        into[2 * corner] = (dz * sinA - dx * cosA) * scale;
        into[2 * corner + 1] = (dx * downX - dy * cosE + dz * downZ) * scale;
      }
    },
  };
}

/** Lower and upper bound of the voxels on an axis. */
function boundsOf(values: Int16Array): [number, number] {
  let [least, greatest] = [values[0] as number, values[0] as number];
  for (const value of values) {
    if (value < least) least = value;
    else if (value > greatest) greatest = value;
  }
  return [least, greatest + 1];
}

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
