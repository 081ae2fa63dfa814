import { AsyncLocalStorage } from 'node:async_hooks';
import { logError } from './logging.ts';

type Later = (work: Promise<unknown>) => void;

const current = new AsyncLocalStorage<Later>();

/** Runs a request; work that `runInBackground` starts meanwhile is kept going by `later` after the response. */
export function withBackground<Result>(later: Later, request: () => Result): Result {
  return current.run(later, request);
}

/**
 * Starts work that nobody waits for, under the request that runs now. Outside a request (jobs, objects) it lasts as long as they do, and
 * whoever relies on it must bear that it never ends.
 */
export function runInBackground(work: () => Promise<unknown>): void {
  const running = work().catch((error: unknown) => logError('background work failed', error));
  current.getStore()?.(running);
}
