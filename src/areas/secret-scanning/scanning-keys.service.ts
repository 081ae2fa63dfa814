import { logError } from '../../platform/kit/logging.ts';
import type { Clock, UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import { isFetchInFlight, isFresh, type KeySet, keyOf, NO_KEYS, nextFetchAt, parseKeys, type ScanningKey } from './scanning-keys.domain.ts';
import type { KeysStore } from './scanning-keys.store.ts';

/** Signing keys of the partner. */
export type ScanningKeys = ReturnType<typeof createScanningKeys>;

interface ScanningKeysDeps {
  store: KeysStore;
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
export function createScanningKeys({ store, source, nowSeconds, pause }: ScanningKeysDeps) {
  let keySet = NO_KEYS;
  /** Time before which another read cannot find new keys. */
  let noNewKeysUntil: UnixSeconds = 0;

  /** Waits for the fetch of another isolate. */
  async function waitForFetch(stored: KeySet): Promise<KeySet> {
    let latest = stored;
    for (let polls = 0; polls < MAX_POLLS && isFetchInFlight(latest, nowSeconds()); polls += 1) {
      await pause(POLL_INTERVAL_MS);
      latest = await store.read();
    }
    return latest;
  }

  async function fetchKeys(stored: KeySet, from: KeySource, now: UnixSeconds): Promise<KeySet> {
    try {
      const keys = await from.fetch();
      await store.save(keys, now);
      return { keys, fetchedAt: now, fetchStartedAt: now };
    } catch (error) {
      logError('keys of the secret scanning partner could not be fetched', error);
      return { ...stored, fetchStartedAt: now };
    }
  }

  async function refresh(id: string): Promise<void> {
    const now = nowSeconds();
    const stored = await store.read();
    if (isFresh(stored, now) && keyOf(stored, id) !== null) {
      keySet = stored;
      noNewKeysUntil = 0;
    } else if (source !== null && (await store.claim(now))) {
      keySet = await fetchKeys(stored, source, now);
      noNewKeysUntil = nextFetchAt(keySet);
    } else {
      keySet = await waitForFetch(await store.read());
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

/** Source of the keys of the partner. */
type KeySource = ReturnType<typeof createKeySource>;

const SOURCE = 'secret-scanning-keys';
const TIMEOUT_SECONDS = 8;
const MAX_RESPONSE_BYTES = 256 * 1024;

/** At most one retry: the partner blocks frequent requests for an hour. */
export function createKeySource(upstream: UpstreamClient, url: string) {
  return {
    /** Never empty. Throws `UpstreamError`. */
    async fetch(): Promise<ScanningKey[]> {
      const response = await upstream.fetch({
        source: SOURCE,
        url,
        headers: { Accept: 'application/json' },
        timeoutSeconds: TIMEOUT_SECONDS,
        maxBytes: MAX_RESPONSE_BYTES,
        attempts: 2,
      });
      const keys = parseKeys(response.json());
      if (keys.length === 0) throw new UpstreamError(SOURCE, 'malformed', 'response contains no key');
      return keys;
    },
  };
}
