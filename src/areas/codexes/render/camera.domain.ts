import { SIDE_X, SIDE_Y, SIDE_Z } from './visible-faces.domain.ts';
import type { Voxels } from './voxels.domain.ts';

const RADIANS = Math.PI / 180;
/** Camera azimuth and elevation. */
const AZIMUTH = 40 * RADIANS;
const ELEVATION = 29.7 * RADIANS;
/** From the centre, in radii of the sphere around the model: a vertical field of 42.9° just holds the sphere. */
const DISTANCE = 2.55;

/** Numbers that `corners` writes for a voxel: two for each of its corners 0 to 7, of which 0 cannot be seen. */
export const CORNER_NUMBERS = 16;
/** The four corners of each side, clockwise as the camera sees them. Bits of a corner: 1 for greater x, 2 for y, 4 for z. */
export const SIDE_CORNERS = [
  { side: SIDE_X, corners: [1, 3, 7, 5] },
  { side: SIDE_Y, corners: [2, 6, 7, 3] },
  { side: SIDE_Z, corners: [4, 5, 7, 6] },
] as const;

/** Projects voxels to a plane in front of the camera: the first coordinate grows to the right, the second downwards; +X lies to the left. */
export interface Camera {
  /** Writes the corners 1 to 7 of the voxel at a place. A corner that voxels share is the same for each. */
  corners(x: number, y: number, z: number, into: Float64Array): void;
}

/** A camera aimed at the model's centre. Its coordinates exceed all of the model's, which lies in front of it as a whole. */
export function createCamera({ x, y, z }: Voxels): Camera {
  const [x0, x1] = extent(x);
  const [y0, y1] = extent(y);
  const [z0, z1] = extent(z);
  const [cx, cy, cz] = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2];
  const distance = (DISTANCE * Math.hypot(x1 - x0, y1 - y0, z1 - z0)) / 2;
  const [sinA, cosA, sinE, cosE] = [Math.sin(AZIMUTH), Math.cos(AZIMUTH), Math.sin(ELEVATION), Math.cos(ELEVATION)];
  const [nearX, nearY, nearZ] = [cosE * sinA, sinE, cosE * cosA];
  const [downX, downZ] = [sinE * sinA, sinE * cosA];

  return {
    corners(px, py, pz, into) {
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

/** The planes between which all voxels lie on an axis. */
function extent(values: Int32Array): [number, number] {
  let [least, greatest] = [values[0] as number, values[0] as number];
  for (const value of values) {
    if (value < least) least = value;
    else if (value > greatest) greatest = value;
  }
  return [least, greatest + 1];
}
