import type { UnixSeconds } from '../time/clock.ts';

/** One finished request of a token, or several equal ones that were merged. */
export interface UsageRecord {
  method: string;
  /** Route template with parameters in braces. */
  route: string;
  path: string;
  status: number;
  /** Sum of all `count` requests. */
  durationMilliseconds: number;
  /** Time of the last request. */
  at: UnixSeconds;
  count: number;
}

/** Maximum number of pending records before equal ones are merged: a flood must not exhaust memory. */
export const MAX_PENDING_RECORDS = 200;

/** Adds a record to the pending ones. */
export function addRecord(pending: UsageRecord[], record: UsageRecord): void {
  if (pending.length < MAX_PENDING_RECORDS) {
    pending.push(record);
    return;
  }
  const { method, route, status } = record;
  const equal = pending.findLast((other) => other.method === method && other.route === route && other.status === status);
  if (!equal) {
    pending.push(record);
    return;
  }
  equal.count += record.count;
  equal.durationMilliseconds += record.durationMilliseconds;
  equal.at = Math.max(equal.at, record.at);
}
