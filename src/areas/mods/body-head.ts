import { bodyTooLarge } from '../../platform/errors/api-error.ts';
import { bodyChunks } from '../../platform/http/bodies/body.ts';
import type { Reservation } from '../../platform/http/bodies/memory-budget.ts';
import { FIXED_HEADER_BYTES, MAX_BODY_BYTES } from './tmod.data.ts';
import { readHeaderSize } from './tmod-header.domain.ts';

/** The first bytes of a body, and the length of all of it. */
export interface BodyHead {
  bytes: Uint8Array;
  length: number;
}

/**
 * Reads a container to its end but keeps no more than its header. The stream of packed files may be as long as a body
 * may be and costs no memory. Throws 413 over the limit.
 */
export async function readBodyHead(body: ReadableStream<Uint8Array> | null, reservation: Reservation): Promise<BodyHead> {
  let length = 0;
  let wanted = FIXED_HEADER_BYTES;
  let isSizeKnown = false;
  let bytes = new Uint8Array(FIXED_HEADER_BYTES);
  let kept = 0;
  for await (const chunk of body ? bodyChunks(body) : []) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES);
    for (let start = 0; start < chunk.length && kept < wanted; ) {
      const part = chunk.subarray(start, start + wanted - kept);
      bytes.set(part, kept);
      kept += part.length;
      start += part.length;
      if (kept < FIXED_HEADER_BYTES || isSizeKnown) continue;
      isSizeKnown = true;
      wanted = cachedBytes(bytes);
      reservation.grow(wanted);
      const whole = new Uint8Array(wanted);
      whole.set(bytes);
      bytes = whole;
    }
  }
  return { bytes: bytes.subarray(0, kept), length };
}

/** The size that the header states of itself; the fixed part alone where it cannot be right. */
function cachedBytes(fixed: Uint8Array): number {
  try {
    return readHeaderSize(fixed, MAX_BODY_BYTES);
  } catch {
    return FIXED_HEADER_BYTES;
  }
}
