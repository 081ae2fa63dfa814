/** Does `work` for every item, so many at once. The first fault stops the taking of further items and is thrown when all have come to rest. */
export async function inParallel<Item>(items: readonly Item[], width: number, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  let failure: { error: unknown } | null = null;
  const lane = async () => {
    for (const item of queue) {
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
      if (failure) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  if (failure) throw (failure as { error: unknown }).error;
}
