/** Runs work with bounded concurrency. After a failure the next `start` or `finish` throws the first error. */
export function createInFlight(limit: number) {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;

  function check(): void {
    if (failure) throw failure.error;
  }

  return {
    /** Waits for a free slot, then starts the work without waiting for its end. */
    async start(work: () => Promise<void>): Promise<void> {
      while (running.size >= limit) await Promise.race(running);
      check();
      const run = work()
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => running.delete(run));
      running.add(run);
    },
    /** Waits for all started work. */
    async finish(): Promise<void> {
      await Promise.all(running);
      check();
    },
  };
}

/** Maps items concurrently, at most `limit` at once; the results are in the order of the items. */
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
