import { ApiError } from './errors/api-error.ts';

/** Most counted work that a request may have to wait for, in milliseconds of processor time. */
const MAX_AHEAD_MS = 5000;
/** Longest wait: counts are estimates. */
const MAX_WAIT_MS = 20_000;
/** Work without a sign of life for this long is dead. The pipeline keeps a handler alive after its client has left, so this is a last resort. */
const LEASE_MS = 10_000;
/** Polling interval: a Workers request cannot await another request's promise. */
const POLL_MS = 20;
/** A waiter that has not polled for this long loses its place. */
const STALE_MS = 1000;
/** Time that a pause gives to other requests: a few object requests and their responses. */
const PAUSE_MS = 2;

/** Lets other requests run. Long work calls it between its parts. */
export type Pause = () => Promise<void>;

/** The queue of an isolate for CPU-bound work: one task at a time. */
export interface HeavyWork {
  /**
   * Runs work when its turn has come. `costMs`: its processor time by count, in milliseconds. Throws 503 when more than 5 s of counted
   * work is ahead of it. Never nest it: the inner work would wait for the outer one.
   */
  run<Value>(costMs: number, work: (pause: Pause) => Promise<Value>): Promise<Value>;
}

export interface HeavyWorkOptions {
  /** Real time in milliseconds. */
  clock?(): number;
}

interface Entry {
  costMs: number;
  /** When it was last seen alive. */
  seenAt: number;
}

interface Waiter extends Entry {
  until: number;
}

export function createHeavyWork({ clock = () => performance.now() }: HeavyWorkOptions = {}): HeavyWork {
  const running = new Set<Entry>();
  /** Oldest first. A request that ended while it waited stays until its time is up. */
  let waiting: Waiter[] = [];

  function aheadMs(): number {
    dropDead();
    return [...running, ...waiting].reduce((sum, { costMs }) => sum + costMs, 0);
  }

  function dropDead(): void {
    const now = clock();
    for (const entry of running) if (now - entry.seenAt > LEASE_MS) running.delete(entry);
    waiting = waiting.filter(({ until }) => until > now);
  }

  function isNext(waiter: Waiter): boolean {
    dropDead();
    return running.size === 0 && waiting.find(({ seenAt }) => clock() - seenAt <= STALE_MS) === waiter;
  }

  async function waitForTurn(costMs: number): Promise<void> {
    const waiter = { costMs, seenAt: clock(), until: clock() + MAX_WAIT_MS };
    waiting.push(waiter);
    while (!isNext(waiter)) {
      if (clock() >= waiter.until) throw busy(aheadMs());
      await sleep(POLL_MS);
      waiter.seenAt = clock();
    }
    waiting = waiting.filter((other) => other !== waiter);
  }

  return {
    async run(costMs, work) {
      const ahead = aheadMs();
      if (ahead > MAX_AHEAD_MS) throw busy(ahead);
      if (ahead > 0) await waitForTurn(costMs);
      const own: Entry = { costMs, seenAt: clock() };
      running.add(own);
      try {
        return await work(async () => {
          await sleep(PAUSE_MS);
          own.seenAt = clock();
        });
      } finally {
        running.delete(own);
      }
    },
  };
}

/** The queue of this isolate. */
export const heavyWork = createHeavyWork();

function busy(aheadMs: number): ApiError {
  return new ApiError('service_unavailable', 'too many requests that need much processor time are waiting', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(aheadMs / 1000))) },
  });
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
