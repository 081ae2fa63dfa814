import { logError } from './logging.ts';

type KeepAlive = (work: Promise<unknown>) => void;

/** Until the entry of the Worker says otherwise: work lasts as long as the request or object that started it. */
let keepAlive: KeepAlive = () => {};

/** Says what keeps work going after the response of the request that started it: the runtime's `waitUntil`. */
export function setBackgroundKeepAlive(runtime: KeepAlive): void {
  keepAlive = runtime;
}

/** Starts work that nobody waits for, under the request that runs now. */
export function runInBackground(work: () => Promise<unknown>): void {
  keepAlive(work().catch((error: unknown) => logError('background work failed', error)));
}
