import { systemRandom } from '../random.ts';

/**
 * A failure of the platform below a binding. `retryable`: the platform says that a repeat may succeed. `overloaded`: a repeat makes it
 * worse. `unflagged`: the platform gives only a message.
 */
export type InfrastructureFault = 'retryable' | 'overloaded' | 'unflagged';

/** Pause before the one repeat, in milliseconds; the exact one is random. */
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 200;

const OVERLOADED = /\b(?:Durable Object|DB) is overloaded\b/;
/** Messages of Durable Objects and D1. */
const TRANSIENT = [
  /Network connection lost/,
  /storage operation exceeded timeout/,
  /object to be reset/,
  /reset because its code was updated/,
  /transient issue on remote node/,
  /internal error(?:; reference|:)/,
  /exceeded its (?:CPU time|memory|CPU) limit and was reset/,
];
/** Messages of KV and of R2: `KV PUT failed: 429 Too Many Requests`, `put: We encountered an internal error. Please try again. (10001)`. */
const STORE = [/^KV [A-Z]+ failed: (?:429|5\d\d)\b/, /\((?:10001|10043|10054|10058)\)$/];

/** The fault that the platform reports with an error; null for an exception of our own code. */
export function infrastructureFaultOf(error: unknown): InfrastructureFault | null {
  if (!(error instanceof Error)) return null;
  const { overloaded, retryable, fault } = error as Partial<Record<'overloaded' | 'retryable' | 'fault', unknown>>;
  if (fault === 'retryable' || fault === 'overloaded' || fault === 'unflagged') return fault;
  if (overloaded === true || OVERLOADED.test(error.message)) return 'overloaded';
  if (retryable === true) return 'retryable';
  return [...TRANSIENT, ...STORE].some((known) => known.test(error.message)) ? 'unflagged' : null;
}

/**
 * Runs `work`, and once more after a random pause when it failed with a fault that `mayRepeat` admits. Each run has to use a fresh stub or
 * session, because one that failed may stay broken.
 */
export async function withOneRepeat<Result>(
  work: () => Promise<Result>,
  mayRepeat: (fault: InfrastructureFault) => boolean,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const fault = infrastructureFaultOf(error);
    if (fault === null || fault === 'overloaded' || !mayRepeat(fault)) throw error;
    const pauseMs = MIN_PAUSE_MS + systemRandom() * (MAX_PAUSE_MS - MIN_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return work();
  }
}
