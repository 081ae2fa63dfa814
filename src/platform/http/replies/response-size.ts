import { Buffer } from 'node:buffer';
import { type ApiError, validationError } from '../../kit/errors/api-error.ts';

/** Maximum size of the response of a batch, in bytes of UTF-8: a client chooses how often large items occur in it. */
export const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** Adds the bytes of a serialized part of a response. Returns whether all parts together are at most the maximum. */
export function createByteCount(maxBytes = MAX_BATCH_BYTES): (text: string) => boolean {
  let bytes = 0;
  return (text) => {
    bytes += Buffer.byteLength(text);
    return bytes <= maxBytes;
  };
}

/**
 * Starts a batch response whose items the client selected by a body field or query parameter. The returned function counts the bytes of
 * a serialized item and returns the item; it throws 422 for `field` before the response is larger than the maximum.
 */
export function createResponseSize(source: 'body' | 'query', field: string): (text: string) => string {
  const fits = createByteCount();
  return (text) => {
    if (!fits(text)) throw responseTooLarge(source, field);
    return text;
  };
}

/** The error of a batch response that would be too large. */
export function responseTooLarge(source: 'body' | 'query', field: string): ApiError {
  const msg = `the response would be larger than ${MAX_BATCH_BYTES / 1024 / 1024} MiB; request fewer items`;
  return validationError([{ loc: [source, field], msg, type: 'response_too_large' }]);
}
