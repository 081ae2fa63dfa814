import { vi } from 'vitest';

/** Time that a test waits for anything: far longer than a busy machine needs, and less than the timeout of a test. */
export const PATIENCE_MS = 25_000;
const POLL_MS = 10;

// Tests replace the timers of the runtime with their own.
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis;

/** Resolves in real time. For work that has no event to wait for. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setRealTimeout(resolve, milliseconds));
}

/** Result of the work. Throws if it does not end within the deadline. `what`: what did not happen. */
export async function withPatience<Value>(work: Promise<Value>, what: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setRealTimeout(() => reject(new ImpatientError(`${what} within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearRealTimeout(timer);
  }
}

/** The work did not end within the deadline of the tests. */
export class ImpatientError extends Error {}

/** Repeats the step until it neither throws nor returns false, and returns its result. Throws its last error after the deadline. */
export async function eventually<Value>(step: () => Value | Promise<Value>): Promise<Exclude<Value, false>> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      const value = await step();
      if (value !== false) return value as Exclude<Value, false>;
      if (performance.now() > end) throw new Error(`still false after ${PATIENCE_MS / 1000} s`);
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await pause(POLL_MS);
  }
}

/** Time by which the timers of `withQuickTimers` advance in a turn of the event loop. The shortest limit then takes dozens of turns. */
const TURN_MS = 25;

/**
 * Runs work whose time limits end quickly: timers count turns of the event loop, so what does respond is in time on a busy machine
 * as well.
 */
export async function withQuickTimers<Value>(work: () => Promise<Value>): Promise<Value> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    return await advancingTimers(work());
  } finally {
    vi.useRealTimers();
  }
}

/** Result of work that waits for timers which the test has replaced. */
export async function advancingTimers<Value>(result: Promise<Value>): Promise<Value> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  result.then(end, end);
  while (!hasEnded) {
    await pause(0);
    vi.advanceTimersByTime(TURN_MS);
  }
  return result;
}
