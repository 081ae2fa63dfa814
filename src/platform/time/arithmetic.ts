/** Floor division: rounds towards minus infinity, so instants before an anchor fall into the period before it. */
export function floorDiv(dividend: number, divisor: number): number {
  return Math.floor(dividend / divisor);
}

/** Remainder that goes with `floorDiv`: always in `[0, divisor)`, unlike `%` for negative numbers. */
export function floorMod(dividend: number, divisor: number): number {
  return ((dividend % divisor) + divisor) % divisor;
}
