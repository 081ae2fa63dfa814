/** An instant as whole seconds since 1970-01-01T00:00:00Z. */
export type UnixSeconds = number;

/** The only source of the current time. Everything else takes the instant as an argument. */
export type Clock = () => UnixSeconds;

export const SECONDS_PER_MINUTE = 60;
export const SECONDS_PER_HOUR = 3600;
export const SECONDS_PER_DAY = 86_400;
export const SECONDS_PER_WEEK = 604_800;

/** Real time of this machine, in whole seconds. */
export const systemClock: Clock = () => Math.floor(Date.now() / 1000);

/** Real time of this machine in milliseconds, by which alarms, leases and timeouts run. */
export const systemMilliseconds = (): number => Date.now();

/** ISO 8601 in UTC with milliseconds and `Z`, as every `*_iso` and ISO field is written. */
export function toIso(instant: UnixSeconds): string {
  return new Date(instant * 1000).toISOString();
}
