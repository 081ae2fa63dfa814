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

/** Runs the work of each item, in order. A failure does not stop the other items; the first error is thrown at the end. */
export async function runEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  let first: { error: unknown } | null = null;
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (first === null) first = { error };
      else logError('further failure of a list of tasks', error);
    }
  }
  if (first) throw first.error;
}

/** Resolves with the result of `work`, or rejects after `timeoutMs`. The work itself is not cancelled. `label` names it in the error. */
export async function withTimeout<Result>(work: Result | Promise<Result>, timeoutMs: number, label: string): Promise<Result> {
  // No `instanceof Promise`: promises of storage and RPC may belong to another realm.
  if (typeof (work as Partial<PromiseLike<Result>> | null | undefined)?.then !== 'function') return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${label} took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Groups items for `run`, which returns a result for each: items that arrive while a group runs are the next group. When a group fails,
 * its items run one by one, so one of them fails alone. For work of one request or alarm, which shares its I/O.
 */
export function grouped<Item, Result>(run: (items: readonly Item[]) => Promise<readonly Result[]>): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function runGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      const [only, ...others] = group;
      if (others.length > 0) for (const one of group) await runGroup([one]);
      else only?.reject(error);
    }
  }

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await runGroup(group);
    }
    isRunning = false;
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}
