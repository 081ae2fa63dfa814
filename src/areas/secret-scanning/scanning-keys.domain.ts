import { SECONDS_PER_DAY, SECONDS_PER_MINUTE, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { objectOf, objectsIn, textOf } from '../../platform/kit/values/json-values.ts';

/** TTL of the partner's keys, in seconds. */
const KEYS_TTL_SECONDS = SECONDS_PER_DAY;
/** Minimum interval of fetches of the keys in all isolates, in seconds; the partner allows 60 per hour. */
export const MIN_FETCH_INTERVAL_SECONDS = SECONDS_PER_MINUTE;
/** Maximum duration of a fetch of the keys, in seconds. A fetch without a result by then has failed. */
const FETCH_TIMEOUT_SECONDS = 20;
/** Maximum number of stored keys, and maximum length of a key in characters. */
const MAX_KEYS = 50;
const MAX_KEY_LENGTH = 4000;

/** A public key of the partner. */
export interface ScanningKey {
  id: string;
  /** SPKI as PEM. */
  pem: string;
}

/** The last fetched keys of the partner. */
export interface KeySet {
  keys: readonly ScanningKey[];
  /** Null before the first success. */
  fetchedAt: UnixSeconds | null;
  /** Start of the last fetch, successful or not; null: never. */
  fetchStartedAt: UnixSeconds | null;
}

export const NO_KEYS: KeySet = { keys: [], fetchedAt: null, fetchStartedAt: null };

/** Whether a text has the format of a key id. */
export function isKeyId(text: string): boolean {
  return /^[\w-]{1,128}$/.test(text);
}

/** Parses the key list of the partner. Invalid entries are ignored. */
export function parseKeys(body: unknown): ScanningKey[] {
  const keys = objectsIn(objectOf(body).public_keys).flatMap(({ key_identifier, key }) => {
    const id = textOf(key_identifier);
    const pem = textOf(key);
    return id !== null && isKeyId(id) && pem !== null && pem.length <= MAX_KEY_LENGTH ? [{ id, pem }] : [];
  });
  return keys.slice(0, MAX_KEYS);
}

export function keyOf(keySet: KeySet, id: string): string | null {
  return keySet.keys.find((key) => key.id === id)?.pem ?? null;
}

/** Whether the keys are within their TTL. */
export function isFresh({ fetchedAt }: KeySet, now: UnixSeconds): boolean {
  return fetchedAt !== null && now - fetchedAt < KEYS_TTL_SECONDS;
}

/** Whether a fetch of the keys is in flight. */
export function isFetchInFlight({ fetchedAt, fetchStartedAt }: KeySet, now: UnixSeconds): boolean {
  return fetchStartedAt !== null && (fetchedAt ?? 0) < fetchStartedAt && now - fetchStartedAt < FETCH_TIMEOUT_SECONDS;
}

/** Earliest time of the next fetch. */
export function nextFetchAt({ fetchStartedAt }: KeySet): UnixSeconds {
  return fetchStartedAt === null ? 0 : fetchStartedAt + MIN_FETCH_INTERVAL_SECONDS;
}
