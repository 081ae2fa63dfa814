import { encodePng } from '../../../platform/images/png.domain.ts';
import type { Pixels } from '../../../platform/images/shrink.domain.ts';
import { createCamera } from './camera.domain.ts';
import { decodeBlueprint } from './decode-blueprint.domain.ts';
import { fitFrame } from './image-frame.domain.ts';
import { paint } from './paint.domain.ts';
import { averageSamples } from './samples.domain.ts';
import { visibleFaces } from './visible-faces.domain.ts';
import type { Voxels } from './voxels.domain.ts';

/** The image of a model file, `side` pixels square, as PNG. Throws `BlueprintFault` for a file that cannot be drawn. */
export function renderBlueprint(bytes: Uint8Array, side: number): Uint8Array<ArrayBuffer> {
  return encodePng(drawVoxels(decodeBlueprint(bytes), side));
}

/** The same from decoded voxels to straight colours. */
export function drawVoxels(voxels: Voxels, side: number): Pixels {
  const faces = visibleFaces(voxels);
  const camera = createCamera(voxels);
  const frame = fitFrame(voxels, faces, camera, side);
  return averageSamples(paint(voxels, faces, camera, frame), frame.side, frame.samplesPerPixel);
}
