import { ApiError } from './errors/api-error.ts';
import { type IsolateMemory, isolateMemory } from './isolate-memory.ts';

/** Maximum queued work ahead of a request, in estimated milliseconds of processor time. */
const MAX_AHEAD_MS = 5000;
/** Maximum wait in real time, because costs are only estimates. */
const MAX_WAIT_MS = 20_000;
/** Work that has not paused for this long is removed. Last resort: the pipeline keeps a handler alive after its client disconnects. */
const LEASE_MS = 10_000;
/** Polling interval: a Workers request cannot await another request's promise. */
const POLL_MS = 20;
/** A waiter that has not polled for this long is skipped. */
const STALE_MS = 1000;
/** Duration of a pause: enough for other requests to send and receive some RPCs. */
const PAUSE_MS = 2;
/** WebAssembly memory of a drawing, in bytes. */
const DRAWING_BYTES = 16 * 1024 * 1024;

/** Lets other requests run. Call it regularly during long work. */
export type Pause = () => Promise<void>;

/** The queue of an isolate for CPU-bound work: one task at a time. */
export interface HeavyWork {
  /**
   * Runs work in queue order. `costMs`: estimated processor time of the work. `neededBytes`: its memory besides that of kept
   * WebAssembly instances; default: a drawing. Throws 503 when more than 5 s of estimated work is queued, or when the isolate has too
   * little memory. Must not be nested: the inner work would wait for the outer one.
   */
  run<Value>(costMs: number, work: (pause: Pause) => Promise<Value>, neededBytes?: () => number): Promise<Value>;
}

export interface HeavyWorkOptions {
  /** Real time in milliseconds. */
  clock?(): number;
  /** Null: the work needs no memory to speak of. Default: the memory of the isolate. */
  memory?: Pick<IsolateMemory, 'startWork' | 'onShortage'> | null;
}

interface Entry {
  costMs: number;
  /** Time of the last poll or pause. */
  seenAt: number;
}

interface Running extends Entry {
  freeMemory: (() => void) | undefined;
}

interface Waiter extends Entry {
  until: number;
}

export function createHeavyWork({ clock = () => performance.now(), memory = isolateMemory }: HeavyWorkOptions = {}): HeavyWork {
  const running = new Set<Running>();
  /** Oldest first. A waiter whose request has ended stays until `until`. */
  let waiting: Waiter[] = [];

  function queuedMs(): number {
    removeExpired();
    return [...running, ...waiting].reduce((sum, { costMs }) => sum + costMs, 0);
  }

  function remove(entry: Running): void {
    running.delete(entry);
    entry.freeMemory?.();
  }

  function removeExpired(): void {
    const now = clock();
    for (const entry of running) if (now - entry.seenAt > LEASE_MS) remove(entry);
    waiting = waiting.filter(({ until }) => until > now);
  }

  function isNext(waiter: Waiter): boolean {
    removeExpired();
    return running.size === 0 && waiting.find(({ seenAt }) => clock() - seenAt <= STALE_MS) === waiter;
  }

  async function waitUntilNext(costMs: number): Promise<void> {
    const waiter = { costMs, seenAt: clock(), until: clock() + MAX_WAIT_MS };
    waiting.push(waiter);
    while (!isNext(waiter)) {
      if (clock() >= waiter.until) throw busy(queuedMs());
      await sleep(POLL_MS);
      waiter.seenAt = clock();
    }
    waiting = waiting.filter((other) => other !== waiter);
  }

  memory?.onShortage(removeExpired);

  return {
    async run(costMs, work, neededBytes = () => DRAWING_BYTES) {
      const ahead = queuedMs();
      if (ahead > MAX_AHEAD_MS) throw busy(ahead);
      if (ahead > 0) await waitUntilNext(costMs);
      const own: Running = { costMs, seenAt: clock(), freeMemory: memory?.startWork(neededBytes) };
      running.add(own);
      try {
        return await work(async () => {
          await sleep(PAUSE_MS);
          own.seenAt = clock();
        });
      } finally {
        remove(own);
      }
    },
  };
}

/** The queue of this isolate. */
export const heavyWork = createHeavyWork();

/** The queue of password hashes: images that anybody requests must not keep users from signing in. */
export const passwordWork = createHeavyWork({ memory: null });

function busy(aheadMs: number): ApiError {
  return new ApiError('service_unavailable', 'too many CPU-intensive requests are queued', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(aheadMs / 1000))) },
  });
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
