import { createHash } from 'node:crypto';
import type { Caller } from '../access/policy/access-control.ts';
import { ApiError, validationError } from '../errors/api-error.ts';
import { logError } from '../logging.ts';
import type { IdempotencyObject, StoredAnswer } from './idempotency.object.ts';

const HEADER = 'Idempotency-Key';
const MAX_KEY_LENGTH = 200;
/** Larger bodies and answers are not kept, in bytes. */
export const MAX_IDEMPOTENT_BYTES = 1024 * 1024;

/** The key a request may use: sent by a token, not too long, with a declared body that is not too large. */
export function idempotencyKeyOf(request: Request, caller: Caller): { key: string; tokenId: string } | null {
  const key = request.headers.get(HEADER);
  if (caller.kind !== 'token' || key === null || key === '' || key.length > MAX_KEY_LENGTH) return null;
  if (request.body && !(Number(request.headers.get('Content-Length') ?? Number.NaN) <= MAX_IDEMPOTENT_BYTES)) return null;
  return { key, tokenId: caller.tokenId };
}

/** What to do with a request that has a key: send the first one's answer, or run it and report how it ended. */
export type Ticket = { kind: 'replay'; answer: StoredAnswer } | { kind: 'run'; finish(response: Response | null): Promise<void> };

/** Runs a write at most once per key of a token. */
export interface Idempotency {
  /** Throws 409 while the first request runs, and 422 when its body was another. Storage trouble fails no request. */
  begin(request: Request, key: { key: string; tokenId: string }, body: Uint8Array): Promise<Ticket>;
}

export function createIdempotency(objects: DurableObjectNamespace<IdempotencyObject>): Idempotency {
  return {
    async begin(request, { key, tokenId }, body) {
      const { pathname } = new URL(request.url);
      const object = objects.getByName(sha256(`${tokenId}\n${request.method}\n${pathname}\n${key}`));
      const bodyHash = sha256(body);
      const claim = await object.claim(bodyHash).catch((error: unknown) => {
        logError('idempotency storage failed', error);
        return null;
      });
      if (claim === null) return { kind: 'run', finish: async () => {} };
      if (claim.state === 'locked') throw new ApiError('conflict', 'a request with this Idempotency-Key is still running');
      if (claim.state === 'other_body') throw otherBody();
      if (claim.state === 'replay') return { kind: 'replay', answer: claim.answer };
      return { kind: 'run', finish: (response) => finish(object, claim.holder, response) };
    },
  };
}

/** Keeps a successful answer, or frees the key. */
async function finish(object: DurableObjectStub<IdempotencyObject>, holder: string, response: Response | null): Promise<void> {
  try {
    const answer = response?.ok ? await storable(response.clone()) : null;
    await (answer ? object.keep(holder, answer) : object.free(holder));
  } catch (error) {
    logError('idempotent answer was not kept', error);
  }
}

async function storable(response: Response): Promise<StoredAnswer | null> {
  const body = await response.text();
  if (body.length > MAX_IDEMPOTENT_BYTES) return null;
  return { status: response.status, contentType: response.headers.get('Content-Type') ?? '', body };
}

function otherBody(): ApiError {
  return validationError([
    { loc: ['header', HEADER], msg: 'was used with another body; a new request needs a new key', type: 'idempotency_key_reused' },
  ]);
}

function sha256(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex');
}
