import { encodePng } from '../../../platform/kit/images/png.domain.ts';
import type { Pixels } from '../../../platform/kit/images/shrink.domain.ts';
import type { Voxels } from './blueprint.domain.ts';
import { type Camera, CORNER_NUMBERS, createCamera, type Frame, fitFrame, SIDE_CORNERS } from './camera.domain.ts';
import { createCanvas, createSpans } from './canvas.domain.ts';
import { decodeBlueprint } from './decode-blueprint.domain.ts';
import { glassAlpha, isGlass, type SideColours, shade } from './materials.domain.ts';
import { findVisibleFaces, SIDE_X, SIDE_Y, type VisibleFaces } from './visible-faces.domain.ts';

/** Renders a model file as a PNG of `side` x `side` pixels. Throws `BlueprintError` if it cannot be rendered. */
export function renderBlueprint(bytes: Uint8Array, side: number): Uint8Array<ArrayBuffer> {
  return encodePng(renderVoxels(decodeBlueprint(bytes), side));
}

/** Renders decoded voxels to straight (not premultiplied) colours. */
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
export function averageSamples(samples: Uint32Array, side: number, perPixel: number): Pixels {
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
