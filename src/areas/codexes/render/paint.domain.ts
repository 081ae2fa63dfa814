import { type Camera, CORNER_NUMBERS, SIDE_CORNERS } from './camera.domain.ts';
import { createCanvas } from './canvas.domain.ts';
import type { Frame } from './image-frame.domain.ts';
import { glassAlpha, isGlass, type SideColours, shade } from './materials.domain.ts';
import { createSpans } from './spans.domain.ts';
import { SIDE_X, SIDE_Y, type VisibleFaces } from './visible-faces.domain.ts';
import type { Voxels } from './voxels.domain.ts';

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
