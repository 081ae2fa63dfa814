import { logError } from '../../platform/logging.ts';
import type { Clock, UnixSeconds } from '../../platform/time/clock.ts';
import { isFetchInFlight, isFresh, type KeyRing, keyOf, NO_KEYS, nextFetchAt } from './scanning-keys.domain.ts';
import type { KeysRepository } from './scanning-keys.repository.ts';
import type { KeySource } from './scanning-keys.upstream.ts';

/** The keys that the partner signs with. */
export interface KeyStore {
  /** PEM of a key; null for an unknown id. */
  find(id: string): Promise<string | null>;
}

export interface KeyStoreDeps {
  repository: KeysRepository;
  /** Null: only stored keys are used. */
  source: KeySource | null;
  /** Keys age by real time. */
  nowSeconds: Clock;
  /** Waits while another isolate asks. */
  pause(milliseconds: number): Promise<void>;
}

const LOOKS = 8;
const LOOK_MS = 250;
/** How long an isolate treats a key as unknown while another isolate fetches, in seconds. */
const SHORT_DOUBT_SECONDS = 2;

/**
 * Keys are kept in the isolate and in the database. An unknown id makes them be asked for again, once a minute in all
 * isolates together; between, every unknown id is known to be unknown. While the partner cannot be reached the last keys hold.
 */
export function createKeyStore({ repository, source, nowSeconds, pause }: KeyStoreDeps): KeyStore {
  let ring = NO_KEYS;
  /** Before this nothing new is to be found, whatever is looked for. */
  let settledUntil: UnixSeconds = 0;

  /** Waits for the result of another isolate's fetch. */
  async function awaited(stored: KeyRing): Promise<KeyRing> {
    let latest = stored;
    for (let looks = 0; looks < LOOKS && isFetchInFlight(latest, nowSeconds()); looks += 1) {
      await pause(LOOK_MS);
      latest = await repository.read();
    }
    return latest;
  }

  async function asked(stored: KeyRing, from: KeySource, now: UnixSeconds): Promise<KeyRing> {
    try {
      const keys = await from.fetch();
      await repository.save(keys, now);
      return { keys, fetchedAt: now, askedAt: now };
    } catch (error) {
      logError('keys of the secret scanning partner could not be fetched', error);
      return { ...stored, askedAt: now };
    }
  }

  async function renew(id: string): Promise<void> {
    const now = nowSeconds();
    const stored = await repository.read();
    if (isFresh(stored, now) && keyOf(stored, id) !== null) {
      ring = stored;
      settledUntil = 0;
    } else if (source !== null && (await repository.claim(now))) {
      ring = await asked(stored, source, now);
      settledUntil = nextFetchAt(ring);
    } else {
      ring = await awaited(await repository.read());
      const doubtUntil = nowSeconds() + SHORT_DOUBT_SECONDS;
      settledUntil = isFetchInFlight(ring, nowSeconds()) ? doubtUntil : Math.max(nextFetchAt(ring), doubtUntil);
    }
  }

  return {
    async find(id) {
      const now = nowSeconds();
      const known = keyOf(ring, id);
      if (now < settledUntil || (known !== null && isFresh(ring, now))) return known;
      await renew(id);
      return keyOf(ring, id);
    },
  };
}
