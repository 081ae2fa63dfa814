import { DurableObject } from 'cloudflare:workers';

/** Lifetimes of the lock of a running request and of a stored response, in milliseconds of real time. */
const LOCK_TTL_MS = 60_000;
const RESPONSE_TTL_MS = 86_400_000;

/** A response stored for replay. */
export interface StoredResponse {
  status: number;
  contentType: string;
  /** Bytes, because storage takes two bytes per character for text with any character outside Latin-1. */
  body: Uint8Array<ArrayBuffer>;
  /** Id of the receipt of an insert; absent for other writes. */
  ingestId?: string;
}

/** Reason why no response was stored. `unknown`: the platform failed during the request, which may have been done. */
export type NotStored = 'too_large' | 'shows_secret' | 'unknown';

export interface Entry {
  /** The request that owns the key: a request that outlived its lock must not change the entry of its successor. */
  holder: string;
  bodyHash: string;
  until: number;
  /** The response; null while the first request runs. */
  answer: StoredResponse | NotStored | null;
}

export type Claim =
  | { state: 'claimed'; holder: string }
  | { state: 'locked' }
  | { state: 'other_body' }
  | { state: 'not_stored'; reason: NotStored }
  | { state: 'replay'; response: StoredResponse };

export const ENTRY = 'entry';

/** One idempotency key of one client for one operation: the request that owns the key, and its response. */
export class IdempotencyObject extends DurableObject<Env> {
  /** Claims the key for a request with this body, or returns the state of the first request. A repeat by the same `holder` claims it again. */
  async claim(bodyHash: string, holder: string = crypto.randomUUID()): Promise<Claim> {
    const entry = this.ctx.storage.kv.get<Entry>(ENTRY);
    if (entry && entry.holder !== holder && Date.now() < entry.until) {
      if (entry.bodyHash !== bodyHash) return { state: 'other_body' };
      const { answer: response } = entry;
      if (response === null) return { state: 'locked' };
      return typeof response === 'string' ? { state: 'not_stored', reason: response } : { state: 'replay', response };
    }
    await this.#write({ holder, bodyHash, until: Date.now() + LOCK_TTL_MS, answer: null });
    return { state: 'claimed', holder };
  }

  /** Extends the lock of the request that owns the key: a write may take longer than the lock lasts. */
  async renew(holder: string): Promise<void> {
    const entry = this.#entryOf(holder);
    if (entry?.answer === null) await this.#write({ ...entry, until: Date.now() + LOCK_TTL_MS });
  }

  /** Stores the response of the request that owns the key, or the reason why it is not stored. */
  async store(holder: string, response: StoredResponse | NotStored): Promise<void> {
    const entry = this.#entryOf(holder);
    if (entry) await this.#write({ ...entry, until: Date.now() + RESPONSE_TTL_MS, answer: response });
  }

  /** Releases the key after a failed request, which can then be retried. */
  async release(holder: string): Promise<void> {
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
    // No await between entry and alarm: an entry without its alarm would stay forever.
    this.ctx.storage.kv.put(ENTRY, entry);
    await this.ctx.storage.setAlarm(entry.until);
  }
}
