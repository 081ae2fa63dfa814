import { DurableObject } from 'cloudflare:workers';

/** Lifetimes of the in-flight marker and of a stored response, in milliseconds of real time. */
const LOCK_MS = 60_000;
const ANSWER_MS = 86_400_000;

/** A response stored for replay. */
export interface StoredResponse {
  status: number;
  contentType: string;
  /** Bytes rather than text, which is stored with two bytes a character as soon as one is not Latin. */
  body: Uint8Array<ArrayBuffer>;
}

/** Reason why a successful response was not stored for replay. */
export type NotStored = 'too_large' | 'shows_secret';

interface Entry {
  /** The request that holds the key: one that took longer than its lock must not touch its successor's entry. */
  holder: string;
  bodyHash: string;
  until: number;
  /** Null while the first request runs. */
  answer: StoredResponse | NotStored | null;
}

export type Claim =
  | { state: 'fresh'; holder: string }
  | { state: 'locked' }
  | { state: 'other_body' }
  | { state: 'not_stored'; reason: NotStored }
  | { state: 'replay'; answer: StoredResponse };

const ENTRY = 'entry';

/** One idempotency key of one client on one operation: the request that holds it and its response. */
export class IdempotencyObject extends DurableObject<Env> {
  /** Claims the key for a request with this body, or returns the state of the first request. */
  async claim(bodyHash: string): Promise<Claim> {
    const entry = this.ctx.storage.kv.get<Entry>(ENTRY);
    if (entry && Date.now() < entry.until) {
      if (entry.bodyHash !== bodyHash) return { state: 'other_body' };
      const { answer } = entry;
      if (answer === null) return { state: 'locked' };
      return typeof answer === 'string' ? { state: 'not_stored', reason: answer } : { state: 'replay', answer };
    }
    const holder = crypto.randomUUID();
    await this.#write({ holder, bodyHash, until: Date.now() + LOCK_MS, answer: null });
    return { state: 'fresh', holder };
  }

  /** Stores the response of the request that holds the key, or the reason why it is not stored. */
  async keep(holder: string, answer: StoredResponse | NotStored): Promise<void> {
    const entry = this.#entryOf(holder);
    if (entry) await this.#write({ ...entry, until: Date.now() + ANSWER_MS, answer });
  }

  /** Releases the key: the request that holds it failed and may be retried. */
  async free(holder: string): Promise<void> {
    if (this.#entryOf(holder)) await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #entryOf(holder: string): Entry | null {
    const entry = this.ctx.storage.kv.get<Entry>(ENTRY);
    return entry?.holder === holder ? entry : null;
  }

  async #write(entry: Entry): Promise<void> {
    this.ctx.storage.kv.put(ENTRY, entry);
    await this.ctx.storage.setAlarm(entry.until);
  }
}
