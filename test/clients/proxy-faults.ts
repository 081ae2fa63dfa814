import { createHash } from 'node:crypto';
import { seededRandom } from '../../scripts/lib/dumps/seeded-random.ts';

/** Failed attempts of one request before the proxy forwards it unharmed: fewer than the default retries of the clients. */
const MAX_FAULTS = 2;
/** Faulty connections of one event stream before the proxy leaves it open. */
const MAX_STREAM_FAULTS = 12;
const MAX_DELAY_MS = 150;
const MAX_STREAM_BYTES = 3000;
const STATUSES = [429, 502, 503, 504] as const;
const STREAM_STATUSES = [408, 429, 500, 502, 503, 504] as const;

/**
 * - `refuse`: disconnects before the request reaches the service.
 * - `lose`: the service handles the request, and the response is lost.
 * - `cut`: disconnects within the body; a stream after `bytes`.
 * - `status`: the proxy responds. `retryAfter`: seconds, a date, or none.
 * - `twin`: a write reaches the service twice at once; the client gets the response that reports the other as running, if there is one.
 */
export type Fault =
  | { kind: 'none' | 'refuse' | 'lose' | 'twin' }
  | { kind: 'cut'; bytes: number }
  | { kind: 'status'; status: number; retryAfter: 'seconds' | 'date' | null };

/** Fault of an attempt, and a delay in milliseconds: responses of concurrent requests overtake each other. */
export interface Plan {
  fault: Fault;
  delayMs: number;
}

export type RequestKind = 'read' | 'write' | 'stream';

/**
 * The plan of an attempt (from 0) of a request. It depends only on its arguments, not on the order in which concurrent requests arrive.
 * `name`: method, URL and idempotency key.
 */
export function planOf(seed: number, name: string, attempt: number, kind: RequestKind): Plan {
  const random = seededRandom(createHash('sha256').update(`${seed} ${name} ${attempt}`).digest().readInt32LE());
  const delayMs = Math.floor(random() * MAX_DELAY_MS);
  if (attempt >= (kind === 'stream' ? MAX_STREAM_FAULTS : MAX_FAULTS)) return { fault: { kind: 'none' }, delayMs };
  const bytes = Math.floor(random() * MAX_STREAM_BYTES);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const fault = (name: Fault['kind']): Fault => {
    if (name === 'cut') return { kind: name, bytes };
    if (name !== 'status') return { kind: name };
    return { kind: name, status: pick(kind === 'stream' ? STREAM_STATUSES : STATUSES), retryAfter: pick(['seconds', 'date', null]) };
  };
  const kinds = {
    read: ['none', 'none', 'refuse', 'lose', 'cut', 'status'],
    write: ['none', 'refuse', 'lose', 'cut', 'status', 'twin', 'twin'],
    stream: ['cut', 'cut', 'cut', 'refuse', 'status'],
  } as const;
  return { fault: fault(pick<Fault['kind']>(kinds[kind])), delayMs };
}
