import { logError } from '../logging.ts';
import { addRecord, MAX_WAITING_RECORDS, type UsageRecord } from './usage-record.ts';
import type { UsageBundle, UsageOwner, UsageWriter } from './usage-writer.ts';

const STORAGE_KEY = 'usage';
/** What waits is written this long after the last request: an idle object loses its memory some seconds later. */
const IDLE_WRITE_MILLISECONDS = 3000;
/** How often requests are stored. */
const FLUSH_MILLISECONDS = 60_000;
/** How long it takes at most when many wait. */
const SOON_MILLISECONDS = 1000;

/** What waits in an object: requests that are being collected, and a bundle that is being stored. */
export interface PendingState {
  records: UsageRecord[];
  owner: UsageOwner | null;
  bundle: UsageBundle | null;
  /** Real time in milliseconds; 0 when nothing waits. */
  flushAt: number;
}

const EMPTY: PendingState = { records: [], owner: null, bundle: null, flushAt: 0 };

/**
 * Finished requests in a Durable Object, on their way to the database: collected in memory, kept in its storage while it
 * idles, stored once a minute by its alarm. A bundle keeps its number until it is known to be stored.
 */
export class PendingUsage {
  readonly #storage: DurableObjectStorage;
  readonly #writer: UsageWriter;
  readonly #arm: (at: number) => void;
  #state: PendingState;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #lastSequence = 0;

  constructor(storage: DurableObjectStorage, writer: UsageWriter, arm: (at: number) => void) {
    this.#storage = storage;
    this.#writer = writer;
    this.#arm = arm;
    this.#state = storage.kv.get<PendingState>(STORAGE_KEY) ?? { ...EMPTY, records: [] };
  }

  /** Real time of the next flush in milliseconds; null when nothing waits. */
  get flushAt(): number | null {
    return this.#state.flushAt === 0 ? null : this.#state.flushAt;
  }

  add(records: readonly UsageRecord[], owner: UsageOwner): void {
    if (records.length === 0) return;
    this.#state.owner = owner;
    for (const record of records) addRecord(this.#state.records, record);
    if (this.#state.flushAt === 0) this.#state.flushAt = Date.now() + FLUSH_MILLISECONDS;
    // Rather early than summed up: beyond a number requests are not told apart.
    const soon = Date.now() + SOON_MILLISECONDS;
    if (this.#state.records.length >= MAX_WAITING_RECORDS / 2 && this.#state.flushAt > soon) this.#state.flushAt = soon;
    this.#arm(this.#state.flushAt);
    this.#writeWhenIdle();
  }

  /** For the object's alarm. */
  async flushIfDue(): Promise<void> {
    const { flushAt } = this.#state;
    if (flushAt === 0 || Date.now() < flushAt) return;
    await this.#flush().catch((error: unknown) => {
      logError('usage could not be stored', error);
      this.#state.flushAt = Date.now() + FLUSH_MILLISECONDS;
    });
    this.#write();
  }

  /** Gives everything away: the token has another object from now on. */
  release(): PendingState {
    const state = this.#state;
    this.#state = { ...EMPTY, records: [] };
    this.#write();
    return state;
  }

  /** Takes what another object of the token has released. */
  adopt({ records, owner, bundle }: PendingState): void {
    // A bundle that may be stored already goes on under its number.
    if (bundle) this.#state.bundle ??= bundle;
    if (owner) this.add(records, owner);
    if (bundle && this.#state.flushAt === 0) this.#state.flushAt = Date.now() + FLUSH_MILLISECONDS;
    if (this.#state.flushAt !== 0) this.#arm(this.#state.flushAt);
    this.#write();
  }

  async #flush(): Promise<void> {
    await this.#storeBundle();
    const { records, owner } = this.#state;
    if (records.length > 0 && owner) {
      this.#lastSequence = Math.max(Date.now(), this.#lastSequence + 1);
      this.#state = { ...this.#state, records: [], bundle: { ...owner, sequence: this.#lastSequence, records } };
      // Before it is stored, so that a crash repeats it under the same number.
      this.#write();
      await this.#storeBundle();
    }
    this.#state.flushAt = this.#state.records.length > 0 ? Date.now() + FLUSH_MILLISECONDS : 0;
  }

  async #storeBundle(): Promise<void> {
    const { bundle } = this.#state;
    if (!bundle) return;
    await this.#writer.write(bundle);
    if (this.#state.bundle === bundle) this.#state.bundle = null;
  }

  #writeWhenIdle(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#write();
    }, IDLE_WRITE_MILLISECONDS);
  }

  #write(): void {
    const isEmpty = this.#state.records.length === 0 && this.#state.bundle === null;
    if (isEmpty) void this.#storage.delete(STORAGE_KEY, { allowUnconfirmed: true });
    else void this.#storage.put(STORAGE_KEY, this.#state, { allowUnconfirmed: true });
  }
}
