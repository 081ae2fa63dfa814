/** Bounded concurrent work. The next call throws the first failure. */
export interface InFlight {
  /** Starts the work as soon as there is room for it; does not wait until it is done. */
  start(work: () => Promise<void>): Promise<void>;
  /** Waits until nothing is left. */
  finish(): Promise<void>;
}

export function createInFlight(limit: number): InFlight {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;

  function check(): void {
    if (failure) throw failure.error;
  }

  return {
    async start(work) {
      while (running.size >= limit) await Promise.race(running);
      check();
      const run = work()
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => running.delete(run));
      running.add(run);
    },
    async finish() {
      await Promise.all(running);
      check();
    },
  };
}

/** Maps side by side, at most `limit` at once; the results keep their order. */
export async function mapInFlight<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const flight = createInFlight(limit);
  for (const [index, item] of items.entries()) {
    await flight.start(async () => {
      results[index] = await work(item);
    });
  }
  await flight.finish();
  return results;
}
