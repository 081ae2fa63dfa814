import { ArtifactFault, type ArtifactInspector, type InspectedArtifact } from '../../../game/artifact.ts';
import { type Base64Text, decodeBase64Text } from '../../../platform/http/bodies/big-json.ts';
import { imageTypeOf } from '../../../platform/http/bodies/image-type.ts';
import { badRequest } from '../../../platform/kit/errors/api-error.ts';
import { sha256Of } from '../../../platform/storage/content-store.ts';
import { type ArtifactFormat, MAX_IMAGE_BYTES } from '../records/catalog.data.ts';
import { hasZipSignature } from './insert.domain.ts';

type Location = readonly (string | number)[];

/** 400 for a field of the body. */
export function fieldError(path: Location, msg: string, type = 'refused') {
  const loc = ['body', ...path];
  return badRequest(`${loc.join('.')}: ${msg}`, [{ loc, msg, type }]);
}

/** Decodes a base64 field. */
export function decodeBytes(text: Base64Text, path: Location): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64Text(text);
  if (bytes === null) throw fieldError(path, 'must be base64 (standard alphabet, padded)');
  if (bytes.length === 0) throw fieldError(path, 'must not be empty');
  return bytes;
}

/** An image to store. */
export interface ImageFile {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

/** Decodes an image in a base64 field. The content determines the type. */
export function decodeImage(text: Base64Text, path: Location): ImageFile {
  const bytes = decodeBytes(text, path);
  if (bytes.length > MAX_IMAGE_BYTES) throw fieldError(path, `must have at most ${MAX_IMAGE_BYTES} bytes`);
  const contentType = imageTypeOf(bytes);
  if (contentType === null) throw fieldError(path, 'must be a PNG, JPEG, WebP or GIF image');
  return { bytes, contentType };
}

/** Hash of a `.tmod` without its header, which every upload changes; null for a zip. */
export const contentHashOf = async (bytes: Uint8Array<ArrayBuffer>, inspected: Pick<InspectedArtifact, 'headerSize'> | null) =>
  inspected && sha256Of(bytes.subarray(inspected.headerSize));

/** Metadata of a file; null for a zip. Throws 400 for an invalid file. */
export async function inspectFile(
  bytes: Uint8Array<ArrayBuffer>,
  format: ArtifactFormat,
  inspect: ArtifactInspector,
  path: Location,
): Promise<InspectedArtifact | null> {
  if (format === 'zip') {
    if (!hasZipSignature(bytes)) throw fieldError(path, 'must be a zip archive');
    return null;
  }
  try {
    return await inspect(bytes);
  } catch (error) {
    if (error instanceof ArtifactFault) throw fieldError(path, error.message);
    throw error;
  }
}
