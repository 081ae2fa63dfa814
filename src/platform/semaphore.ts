/** Lets a few pieces of work of an isolate through at a time. */
export interface Semaphore {
  /** Runs the work when there is room. Null when that takes longer than the patience, or too many wait already. */
  pass<Value>(work: () => Promise<Value>): Promise<{ value: Value } | null>;
}

export interface SemaphoreOptions {
  /** Pieces of work at a time; 1 unless it is given. */
  places?: number;
  /** Longest wait, in milliseconds. */
  patience: number;
  /** Work that takes longer is taken for dead: a client that leaves takes its request with it, in the midst of anything. */
  lease: number;
  maxWaiting: number;
  /** Real time in milliseconds. */
  clock?(): number;
}

/** How often those that wait look, in milliseconds: no request may wait for a promise of another one. */
const LOOK_EVERY = 20;

export function createSemaphore(options: SemaphoreOptions): Semaphore {
  const { places = 1, patience, lease, maxWaiting, clock = () => performance.now() } = options;
  const holders = new Set<{ since: number }>();
  /** When those that wait give up; those that have left are still among them until then. */
  let waiting: number[] = [];

  function hasRoom(): boolean {
    for (const holder of holders) if (clock() - holder.since > lease) holders.delete(holder);
    return holders.size < places;
  }

  async function waitForTurn(): Promise<boolean> {
    const until = clock() + patience;
    waiting = waiting.filter((end) => end > clock());
    if (waiting.length >= maxWaiting) return false;
    waiting.push(until);
    while (!hasRoom() && clock() < until) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    waiting.splice(waiting.indexOf(until), 1);
    return hasRoom();
  }

  return {
    async pass(work) {
      if (!hasRoom() && !(await waitForTurn())) return null;
      const own = { since: clock() };
      holders.add(own);
      try {
        return { value: await work() };
      } finally {
        holders.delete(own);
      }
    },
  };
}
