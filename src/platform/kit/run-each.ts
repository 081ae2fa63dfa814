import { logError } from './logging.ts';

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
