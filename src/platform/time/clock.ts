/** An instant as whole seconds since 1970-01-01T00:00:00Z. */
export type UnixSeconds = number;

/** The only source of the current time. All other code receives the time as an argument. */
export type Clock = () => UnixSeconds;

export const SECONDS_PER_MINUTE = 60;
export const SECONDS_PER_HOUR = 3600;
export const SECONDS_PER_DAY = 86_400;
export const SECONDS_PER_WEEK = 604_800;

/** Real time in whole seconds. */
export const systemClock: Clock = () => Math.floor(Date.now() / 1000);

/** Real time in milliseconds, for alarms, leases and timeouts. */
export const systemMs = (): number => Date.now();

/** ISO 8601 in UTC with milliseconds and `Z`: the format of every `*_iso` and ISO field. */
export function toIso(instant: UnixSeconds): string {
  return new Date(instant * 1000).toISOString();
}
