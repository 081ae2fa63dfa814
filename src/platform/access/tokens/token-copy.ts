import { logError } from '../../logging.ts';
import type { TokenRecord } from './token-decision.ts';
import type { TokenState, TokensRepository } from './tokens.repository.ts';

/** Age after which the next request starts a refresh in the background. It bounds the effect of a row edited by hand. */
const REFRESH_MS = 600_000;
/** Pause after a refresh that failed. */
const REFRESH_RETRY_MS = 60_000;
/** How long a token without a row is refused from memory. */
const MISSING_MS = 5000;
export const TOKEN_COPY_KEY = 'token';
/** Version of a deleted token: no later row replaces it. */
const DELETED_VERSION = Number.MAX_SAFE_INTEGER;

/** A stored copy. `record` null: the token was deleted. `readAt`: real milliseconds. */
export interface StoredCopy {
  version: number;
  record: TokenRecord | null;
  readAt: number;
}

export interface TokenCopyDeps {
  kv: Pick<SyncKvStorage, 'get' | 'put'>;
  /** The row in the primary database. */
  find(): ReturnType<TokensRepository['find']>;
  waitUntil(work: Promise<unknown>): void;
  /** Real time in milliseconds. */
  nowMs(): number;
}

/**
 * A gate's copy of its token, in the storage of the gate. The greatest version wins: a read of the database that ends after a newer
 * message is discarded. Only the first use of a gate waits for the database.
 */
export class TokenCopy {
  readonly #deps: TokenCopyDeps;
  #copy: StoredCopy | undefined;
  #loading: Promise<TokenRecord | null> | null = null;
  #isRefreshing = false;
  #missingUntil = 0;

  constructor(deps: TokenCopyDeps) {
    this.#deps = deps;
    this.#copy = deps.kv.get<StoredCopy>(TOKEN_COPY_KEY);
  }

  /** The token; null when it does not exist. Rejects when the first read of the database fails. */
  async read(): Promise<TokenRecord | null> {
    if (this.#copy) {
      this.#refreshWhenOld(this.#copy);
      return this.#copy.record;
    }
    if (this.#deps.nowMs() < this.#missingUntil) return null;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** Version of the stored copy; null without one. */
  get version(): number | null {
    return this.#copy?.version ?? null;
  }

  /** Stores a newer or equal version of the token. */
  apply({ version, record }: TokenState): void {
    if (this.#copy && version < this.#copy.version) return;
    this.#store({ version, record, readAt: this.#deps.nowMs() });
  }

  /** Marks the token as deleted; call again after the storage was emptied. */
  markDeleted(): void {
    this.#store({ version: DELETED_VERSION, record: null, readAt: this.#deps.nowMs() });
  }

  #store(copy: StoredCopy): void {
    this.#copy = copy;
    this.#deps.kv.put(TOKEN_COPY_KEY, copy);
  }

  async #load(): Promise<TokenRecord | null> {
    const found = await this.#deps.find();
    if (found) this.apply(found);
    else if (!this.#copy) this.#missingUntil = this.#deps.nowMs() + MISSING_MS;
    return this.#copy?.record ?? null;
  }

  #refreshWhenOld({ version, readAt }: StoredCopy): void {
    if (this.#isRefreshing || version === DELETED_VERSION || this.#deps.nowMs() - readAt < REFRESH_MS) return;
    this.#isRefreshing = true;
    this.#deps.waitUntil(
      this.#refresh().finally(() => {
        this.#isRefreshing = false;
      }),
    );
  }

  async #refresh(): Promise<void> {
    try {
      const found = await this.#deps.find();
      if (found) this.apply(found);
      // A row that disappeared without a message, as after a restore of the database: a later refresh may find it again.
      else if (this.#copy && this.#copy.version !== DELETED_VERSION)
        this.#store({ ...this.#copy, record: null, readAt: this.#deps.nowMs() });
    } catch (error) {
      logError('token row could not be refreshed', error);
      if (this.#copy) this.#copy.readAt = this.#deps.nowMs() - REFRESH_MS + REFRESH_RETRY_MS;
    }
  }
}
