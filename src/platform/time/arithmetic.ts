/** Floor division: rounds towards minus infinity, unlike integer division that truncates. */
export function floorDiv(dividend: number, divisor: number): number {
  return Math.floor(dividend / divisor);
}

/** Remainder of `floorDiv`: always in `[0, divisor)`, unlike `%` for negative numbers. */
export function floorMod(dividend: number, divisor: number): number {
  return ((dividend % divisor) + divisor) % divisor;
}
