import { logError } from './logging.ts';

type KeepAlive = (work: Promise<unknown>) => void;

/** Until the Worker sets `waitUntil`, background work ends with the request or object that started it. */
let keepAlive: KeepAlive = () => {};

/** Sets the function that extends work beyond the response: the runtime's `waitUntil`. */
export function setBackgroundKeepAlive(runtime: KeepAlive): void {
  keepAlive = runtime;
}

/** Starts background work under the current request. */
export function runInBackground(work: () => Promise<unknown>): void {
  keepAlive(work().catch((error: unknown) => logError('background work failed', error)));
}
