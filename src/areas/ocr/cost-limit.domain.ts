/** An image exceeds a limit of the work per request. The message names the limit. */
export class CostLimitError extends Error {}

/** Throws `CostLimitError` if `count` exceeds `limit`. Call before the work starts. */
export function checkLimit(limit: number, count: number, name: string): void {
  if (count > limit) throw new CostLimitError(`too many ${name}: ${count}; at most ${limit} are allowed`);
}
