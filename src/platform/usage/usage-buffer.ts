import { BoundedMap } from '../storage/bounded-map.ts';
import { addRecord, type UsageRecord } from './usage-record.ts';

/** Maximum number of tokens with pending records in an isolate. */
const CAPACITY = 5000;

/**
 * Finished requests in an isolate. The next RPC to the object of the token includes them, so a request needs only one RPC. Without
 * another RPC they are sent after `delaySeconds`.
 */
export class UsageBuffer {
  readonly #pending = new BoundedMap<string, UsageRecord[]>(CAPACITY);
  /** Tokens with a running timer, and its expiry (real time in milliseconds). */
  readonly #timers = new BoundedMap<string, number>(CAPACITY);
  readonly #delayMs: number | null;

  /** `delaySeconds` null: records are sent only with the next RPC. */
  constructor(delaySeconds: number | null) {
    this.#delayMs = delaySeconds === null ? null : delaySeconds * 1000;
  }

  /** `waitUntil` extends work beyond the response; `deliver` sends the pending records. */
  add(hashedToken: string, record: UsageRecord, waitUntil: (work: Promise<unknown>) => void, deliver: () => Promise<void>): void {
    const pending = this.#pending.get(hashedToken) ?? [];
    addRecord(pending, record);
    this.#pending.set(hashedToken, pending);
    const delay = this.#delayMs;
    // A timer may be lost with its request: it expires after twice its delay.
    if (delay === null || (this.#timers.get(hashedToken) ?? 0) > Date.now()) return;
    this.#timers.set(hashedToken, Date.now() + 2 * delay);
    waitUntil(
      new Promise((resolve) => setTimeout(resolve, delay)).then(() => {
        this.#timers.delete(hashedToken);
        return deliver();
      }),
    );
  }

  /** Returns and removes the pending records of a token. */
  drain(hashedToken: string): UsageRecord[] {
    const pending = this.#pending.get(hashedToken);
    if (!pending) return [];
    this.#pending.delete(hashedToken);
    return pending;
  }

  /** Adds records again that could not be sent. */
  restore(hashedToken: string, records: readonly UsageRecord[]): void {
    if (records.length === 0) return;
    const pending = this.#pending.get(hashedToken) ?? [];
    for (const record of records) addRecord(pending, record);
    this.#pending.set(hashedToken, pending);
  }
}
