import { bodyChunks } from '../../platform/http/bodies/body.ts';
import type { Reservation } from '../../platform/http/bodies/memory-budget.ts';
import { bodyTooLarge } from '../../platform/kit/errors/api-error.ts';
import { FIXED_HEADER_BYTES, MAX_BODY_BYTES } from './tmod.data.ts';
import { readHeaderSize } from './tmod-header.domain.ts';

/** Start of a body, and the length of the whole body. */
interface BodyHead {
  bytes: Uint8Array;
  length: number;
}

/**
 * Reads a `.tmod` file to its end and keeps only the header, so that the packed files use no memory. Throws 413 over the
 * limit.
 */
export async function readBodyHead(body: ReadableStream<Uint8Array> | null, reservation: Reservation): Promise<BodyHead> {
  let length = 0;
  let headerSize = FIXED_HEADER_BYTES;
  let isSizeKnown = false;
  let bytes = new Uint8Array(FIXED_HEADER_BYTES);
  let used = 0;
  for await (const chunk of body ? bodyChunks(body) : []) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES);
    for (let start = 0; start < chunk.length && used < headerSize; ) {
      const part = chunk.subarray(start, start + headerSize - used);
      bytes.set(part, used);
      used += part.length;
      start += part.length;
      if (used < FIXED_HEADER_BYTES || isSizeKnown) continue;
      isSizeKnown = true;
      headerSize = declaredHeaderSize(bytes);
      reservation.grow(headerSize);
      const header = new Uint8Array(headerSize);
      header.set(bytes);
      bytes = header;
    }
  }
  return { bytes: bytes.subarray(0, used), length };
}

/** Header size in the fixed part of a header; the size of the fixed part if the value is invalid. */
function declaredHeaderSize(fixed: Uint8Array): number {
  try {
    return readHeaderSize(fixed, MAX_BODY_BYTES);
  } catch {
    return FIXED_HEADER_BYTES;
  }
}
