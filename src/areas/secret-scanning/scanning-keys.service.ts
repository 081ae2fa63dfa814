import { logError } from '../../platform/kit/logging.ts';
import type { Clock, UnixSeconds } from '../../platform/kit/time/clock.ts';
import { isFetchInFlight, isFresh, type KeySet, keyOf, NO_KEYS, nextFetchAt } from './scanning-keys.domain.ts';
import type { KeysRepository } from './scanning-keys.store.ts';
import type { KeySource } from './scanning-keys.upstream.ts';

/** Signing keys of the partner. */
export type KeyStore = ReturnType<typeof createKeyStore>;

interface KeyStoreDeps {
  repository: KeysRepository;
  /** Null: only stored keys are used. */
  source: KeySource | null;
  /** Current time, independent of the test clock. */
  nowSeconds: Clock;
  /** Waits for the fetch of another isolate. */
  pause(milliseconds: number): Promise<void>;
}

const MAX_POLLS = 8;
const POLL_INTERVAL_MS = 250;
/** How long an isolate treats a key id as unknown during the fetch of another isolate, in seconds. */
const UNKNOWN_KEY_SECONDS = 2;

/**
 * Caches keys in the isolate and in the database. An unknown id triggers a fetch, at most once a minute for all isolates; until the next
 * fetch the id stays unknown. While the partner is unavailable, the last keys are used.
 */
export function createKeyStore({ repository, source, nowSeconds, pause }: KeyStoreDeps) {
  let keySet = NO_KEYS;
  /** Time before which another read cannot find new keys. */
  let noNewKeysUntil: UnixSeconds = 0;

  /** Waits for the fetch of another isolate. */
  async function waitForFetch(stored: KeySet): Promise<KeySet> {
    let latest = stored;
    for (let polls = 0; polls < MAX_POLLS && isFetchInFlight(latest, nowSeconds()); polls += 1) {
      await pause(POLL_INTERVAL_MS);
      latest = await repository.read();
    }
    return latest;
  }

  async function fetchKeys(stored: KeySet, from: KeySource, now: UnixSeconds): Promise<KeySet> {
    try {
      const keys = await from.fetch();
      await repository.save(keys, now);
      return { keys, fetchedAt: now, fetchStartedAt: now };
    } catch (error) {
      logError('keys of the secret scanning partner could not be fetched', error);
      return { ...stored, fetchStartedAt: now };
    }
  }

  async function refresh(id: string): Promise<void> {
    const now = nowSeconds();
    const stored = await repository.read();
    if (isFresh(stored, now) && keyOf(stored, id) !== null) {
      keySet = stored;
      noNewKeysUntil = 0;
    } else if (source !== null && (await repository.claim(now))) {
      keySet = await fetchKeys(stored, source, now);
      noNewKeysUntil = nextFetchAt(keySet);
    } else {
      keySet = await waitForFetch(await repository.read());
      const unknownUntil = nowSeconds() + UNKNOWN_KEY_SECONDS;
      noNewKeysUntil = isFetchInFlight(keySet, nowSeconds()) ? unknownUntil : Math.max(nextFetchAt(keySet), unknownUntil);
    }
  }

  return {
    /** PEM of a key; null for an unknown id. */
    async find(id: string): Promise<string | null> {
      const now = nowSeconds();
      const pem = keyOf(keySet, id);
      if (now < noNewKeysUntil || (pem !== null && isFresh(keySet, now))) return pem;
      await refresh(id);
      return keyOf(keySet, id);
    },
  };
}
