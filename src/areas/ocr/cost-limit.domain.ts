/** Reading an image would take more work than one request may cause. The message says what there is too much of. */
export class CostLimitError extends Error {}

/** Throws when an image has more of something than may be read; called before the work starts. */
export function requireAtMost(limit: number, count: number, what: string): void {
  if (count > limit) throw new CostLimitError(`too many ${what}: ${count}; at most ${limit} are allowed`);
}
