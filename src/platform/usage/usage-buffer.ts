import { BoundedMap } from '../storage/bounded-map.ts';
import { addRecord, type UsageRecord } from './usage-record.ts';

/** Tokens whose requests wait in an isolate at once. */
const CAPACITY = 5000;

/**
 * Finished requests in an isolate. The next RPC to the token's object carries them, so a request needs only one RPC; without
 * one they are sent after `delaySeconds`.
 */
export class UsageBuffer {
  readonly #waiting = new BoundedMap<string, UsageRecord[]>(CAPACITY);
  /** Tokens for which somebody waits, and until when at most (real time in milliseconds). */
  readonly #timers = new BoundedMap<string, number>(CAPACITY);
  readonly #delayMilliseconds: number | null;

  /** `delaySeconds` null: they only ever ride. */
  constructor(delaySeconds: number | null) {
    this.#delayMilliseconds = delaySeconds === null ? null : delaySeconds * 1000;
  }

  /** `later` extends the isolate's work beyond the response; `deliver` sends the remaining records. */
  add(hashedToken: string, record: UsageRecord, later: (work: Promise<unknown>) => void, deliver: () => Promise<void>): void {
    const waiting = this.#waiting.get(hashedToken) ?? [];
    addRecord(waiting, record);
    this.#waiting.set(hashedToken, waiting);
    const delay = this.#delayMilliseconds;
    // A timer can be lost with the request that has it: it is believed for twice its time.
    if (delay === null || (this.#timers.get(hashedToken) ?? 0) > Date.now()) return;
    this.#timers.set(hashedToken, Date.now() + 2 * delay);
    later(
      new Promise((resolve) => setTimeout(resolve, delay)).then(() => {
        this.#timers.delete(hashedToken);
        return deliver();
      }),
    );
  }

  /** Everything that waits for a token. */
  take(hashedToken: string): UsageRecord[] {
    const waiting = this.#waiting.get(hashedToken);
    if (!waiting) return [];
    this.#waiting.delete(hashedToken);
    return waiting;
  }

  /** Puts back records that could not be sent. */
  restore(hashedToken: string, records: readonly UsageRecord[]): void {
    if (records.length === 0) return;
    const waiting = this.#waiting.get(hashedToken) ?? [];
    for (const record of records) addRecord(waiting, record);
    this.#waiting.set(hashedToken, waiting);
  }
}
