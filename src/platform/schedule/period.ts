import { SECONDS_PER_MINUTE } from '../time/clock.ts';

/** Seconds of a period from a variable, or the fallback when it is no such thing; no less than a minute, by which jobs tick. */
export function periodFrom(value: string | undefined, fallbackSeconds: number): number {
  const text = value?.trim() ?? '';
  return Math.max(SECONDS_PER_MINUTE, /^\d{1,6}$/.test(text) ? Number(text) : fallbackSeconds);
}
