/** Lets one piece of work through at a time. */
export interface Turnstile {
  /** Runs the work when it is its turn. Null when that takes longer than the patience, or too many wait already. */
  pass<Value>(work: () => Promise<Value>): Promise<{ value: Value } | null>;
}

export interface TurnstileOptions {
  /** Longest wait, in milliseconds. */
  patience: number;
  /** Work that takes longer is taken for dead: a client that leaves takes its request with it, in the midst of anything. */
  lease: number;
  maxWaiting: number;
  /** Real time in milliseconds. */
  clock?(): number;
}

/** How often those that wait look, in milliseconds: no request may wait for a promise of another one. */
const LOOK_EVERY = 40;

export function createTurnstile({ patience, lease, maxWaiting, clock = () => performance.now() }: TurnstileOptions): Turnstile {
  let holder: { since: number } | null = null;
  /** When those that wait give up; those that have left are still among them until then. */
  let waiting: number[] = [];

  const isFree = () => holder === null || clock() - holder.since > lease;

  async function waitForTurn(): Promise<boolean> {
    const until = clock() + patience;
    waiting = waiting.filter((end) => end > clock());
    if (waiting.length >= maxWaiting) return false;
    waiting.push(until);
    while (!isFree() && clock() < until) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    waiting.splice(waiting.indexOf(until), 1);
    return isFree();
  }

  return {
    async pass(work) {
      if (!isFree() && !(await waitForTurn())) return null;
      const own = { since: clock() };
      holder = own;
      try {
        return { value: await work() };
      } finally {
        if (holder === own) holder = null;
      }
    },
  };
}
