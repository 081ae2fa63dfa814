import { SECONDS_PER_MINUTE } from '../time/clock.ts';

/** Parses a period in seconds from a variable; the fallback if invalid. At least one minute, the tick of the scheduler. */
export function parsePeriodSeconds(value: string | undefined, fallbackSeconds: number): number {
  const text = value?.trim() ?? '';
  return Math.max(SECONDS_PER_MINUTE, /^\d{1,6}$/.test(text) ? Number(text) : fallbackSeconds);
}
