import { floorDiv, SECONDS_PER_HOUR, systemMs, type UnixSeconds } from '../../kit/time/clock.ts';
import { BoundedMap } from '../../storage/memory-caches.ts';

const FIRST_ERROR = 400;
const RATE_LIMITED = 429;

export const isError = (status: number): boolean => status >= FIRST_ERROR;
export const isRateLimited = (status: number): boolean => status === RATE_LIMITED;
export const hourOf = (at: UnixSeconds): UnixSeconds => floorDiv(at, SECONDS_PER_HOUR) * SECONDS_PER_HOUR;

/** A refusal with 429. A null is a value that the refusal lacks. */
export interface RefusedLimit {
  /** Name in the `RateLimit` headers. */
  name: string | null;
  limit: number | null;
  windowSeconds: number | null;
  /** End of the wait that `Retry-After` announced. */
  resetAt: UnixSeconds | null;
  message: string;
}

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
  /** Id of the last request. Absent, like the next two, in records of an isolate with an older version. */
  requestId?: string;
  /** Error code; absent on success. */
  code?: string;
  /** Present on a refusal with 429. */
  refusedBy?: RefusedLimit;
}

/** Maximum number of pending records before equal ones are merged: a flood must not exhaust memory. */
export const MAX_PENDING_RECORDS = 200;

/** Adds a record to the pending ones. */
export function addRecord(pending: UsageRecord[], record: UsageRecord): void {
  if (pending.length < MAX_PENDING_RECORDS) {
    pending.push(record);
    return;
  }
  const equal = pending.findLast((other) => isEqual(other, record));
  if (!equal) {
    pending.push(record);
    return;
  }
  equal.count += record.count;
  equal.durationMilliseconds += record.durationMilliseconds;
  if (record.at < equal.at) return;
  equal.at = record.at;
  if (record.requestId !== undefined) equal.requestId = record.requestId;
  if (record.refusedBy) equal.refusedBy = record.refusedBy;
}

/** True for requests that differ only in path, id and time. */
function isEqual(one: UsageRecord, other: UsageRecord): boolean {
  return (
    one.method === other.method &&
    one.route === other.route &&
    one.status === other.status &&
    one.code === other.code &&
    one.refusedBy?.name === other.refusedBy?.name
  );
}

/** Maximum number of tokens with pending records in an isolate. */
const CAPACITY = 5000;
/** Number of pending records that the next RPC to the object of the token includes. */
export const DELIVERY_RECORDS = 20;
/** Default pause of a token after which its records are sent alone. */
export const USAGE_DELAY_SECONDS = 20;
/** The runtime ends work beyond a response after 30 s, so a request waits for the end of a pause that begins this long after it. */
const MAX_HANDOVER_MS = 9000;

/** Records of one delivery. `id`: the object of the token stores a delivery once; empty without records. */
export interface UsageDelivery {
  id: string;
  records: UsageRecord[];
}

interface Pending {
  records: UsageRecord[];
  /** A delivery whose reply was lost: the next one is the same. */
  failed: UsageDelivery | null;
  /** Time of the last record, real time in milliseconds. */
  lastAt: number;
}

const NOTHING: UsageDelivery = { id: '', records: [] };

/**
 * Finished requests in an isolate. Twenty records are due: the next RPC to the object of the token includes them, so a request needs
 * only one RPC. After a pause of `delaySeconds` the last request sends them; if that was lost, they are due as well.
 */
export class UsageBuffer {
  readonly #pending = new BoundedMap<string, Pending>(CAPACITY);
  /** Start of the newest wait for a pause, by token, real time in milliseconds. */
  readonly #waits = new BoundedMap<string, number>(CAPACITY);
  readonly #delayMs: number | null;

  /** `delaySeconds` null: records are sent only with an RPC. */
  constructor(delaySeconds: number | null) {
    this.#delayMs = delaySeconds === null ? null : Math.min(delaySeconds, USAGE_DELAY_SECONDS) * 1000;
  }

  /** `waitUntil` extends work beyond the response; `deliver` sends the pending records. */
  add(token: string, record: UsageRecord, waitUntil: (work: Promise<unknown>) => void, deliver: () => Promise<void>): void {
    this.#add(token, [record]);
    const delayMs = this.#delayMs;
    const now = systemMs();
    if (delayMs === null || now - (this.#waits.get(token) ?? Number.NEGATIVE_INFINITY) < Math.min(delayMs, MAX_HANDOVER_MS)) return;
    this.#waits.set(token, now);
    waitUntil(this.#deliverAfterPause(token, now, delayMs, deliver));
  }

  /** Returns and removes the pending records of a token if they are due. */
  drainDue(token: string): UsageDelivery {
    const pending = this.#pending.get(token);
    if (!pending) return NOTHING;
    const isIdle = this.#delayMs !== null && systemMs() - pending.lastAt >= this.#delayMs;
    return isIdle || pending.failed || pending.records.length >= DELIVERY_RECORDS ? this.drain(token) : NOTHING;
  }

  /** Returns and removes the pending records of a token, those of a failed delivery first and alone. */
  drain(token: string): UsageDelivery {
    const pending = this.#pending.get(token);
    if (!pending) return NOTHING;
    const { records, failed } = pending;
    if (failed && records.length > 0) this.#pending.set(token, { ...pending, failed: null });
    else this.#pending.delete(token);
    if (failed) return failed;
    return { id: crypto.randomUUID(), records };
  }

  /** Removes the pending records of a deleted token. */
  forget(token: string): void {
    this.#pending.delete(token);
  }

  /** Adds a delivery again that could not be sent. */
  restore(token: string, delivery: UsageDelivery): void {
    if (delivery.records.length === 0) return;
    const pending = this.#pending.get(token);
    if (pending?.failed) this.#add(token, delivery.records);
    else this.#pending.set(token, { records: pending?.records ?? [], failed: delivery, lastAt: systemMs() });
  }

  #add(token: string, records: readonly UsageRecord[]): void {
    const { records: pending = [], failed = null } = this.#pending.get(token) ?? {};
    for (const record of records) addRecord(pending, record);
    this.#pending.set(token, { records: pending, failed, lastAt: systemMs() });
  }

  /** Waits until no request of the token has finished for `delayMs`, or a later request waits. */
  async #deliverAfterPause(token: string, startedAt: number, delayMs: number, deliver: () => Promise<void>): Promise<void> {
    let remaining = delayMs;
    do {
      const pause = remaining;
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (this.#waits.get(token) !== startedAt) return;
      remaining = (this.#pending.get(token)?.lastAt ?? 0) + delayMs - systemMs();
    } while (remaining > 0);
    this.#waits.delete(token);
    await deliver();
  }
}
