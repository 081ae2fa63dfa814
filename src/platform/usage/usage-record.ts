import type { UnixSeconds } from '../time/clock.ts';

/** One finished request of a token for the usage statistics, or several equal ones. */
export interface UsageRecord {
  method: string;
  /** Route template, not the path with its values. */
  route: string;
  path: string;
  status: number;
  /** Sum of them all. */
  durationMilliseconds: number;
  /** Of the last one. */
  at: UnixSeconds;
  count: number;
}

/** Records that wait anywhere at once; beyond it like ones become one, so that a flood is counted but takes no room. */
export const MAX_WAITING_RECORDS = 200;

/** Adds a record to those that wait. */
export function addRecord(waiting: UsageRecord[], record: UsageRecord): void {
  if (waiting.length < MAX_WAITING_RECORDS) {
    waiting.push(record);
    return;
  }
  const { method, route, status } = record;
  const like = waiting.findLast((other) => other.method === method && other.route === route && other.status === status);
  if (!like) {
    waiting.push(record);
    return;
  }
  like.count += record.count;
  like.durationMilliseconds += record.durationMilliseconds;
  like.at = Math.max(like.at, record.at);
}
