import { SIDE_X, SIDE_Y, SIDE_Z } from './visible-faces.domain.ts';
import type { Voxels } from './voxels.domain.ts';

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

/** Projects voxels to the image plane: the first coordinate increases to the right, the second downwards; +X points to the left. */
export interface Camera {
  /** Writes the corners 1 to 7 of the voxel at a position. Shared corners of voxels have identical coordinates. */
  corners(x: number, y: number, z: number, into: Float64Array): void;
}

/** Camera aimed at the centre of the model. Its coordinates exceed those of every voxel: the whole model is in front of the camera. */
export function createCamera({ x, y, z }: Voxels): Camera {
  const [x0, x1] = boundsOf(x);
  const [y0, y1] = boundsOf(y);
  const [z0, z1] = boundsOf(z);
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

/** Lower and upper bound of the voxels on an axis. */
function boundsOf(values: Int32Array): [number, number] {
  let [least, greatest] = [values[0] as number, values[0] as number];
  for (const value of values) {
    if (value < least) least = value;
    else if (value > greatest) greatest = value;
  }
  return [least, greatest + 1];
}
