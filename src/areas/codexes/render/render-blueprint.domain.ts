import { encodePng } from '../../../platform/kit/images/png.domain.ts';
import type { Pixels } from '../../../platform/kit/images/shrink.domain.ts';
import { createCamera } from './camera.domain.ts';
import { decodeBlueprint } from './decode-blueprint.domain.ts';
import { fitFrame } from './image-frame.domain.ts';
import { paint } from './paint.domain.ts';
import { averageSamples } from './samples.domain.ts';
import { findVisibleFaces } from './visible-faces.domain.ts';
import type { Voxels } from './voxels.domain.ts';

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
