import type { UnixSeconds } from '../../platform/time/clock.ts';
import { objectOf, objectsIn, textOf } from '../../platform/values/json-values.ts';
import { ASKING_PAUSE_SECONDS, ASKING_TAKES_SECONDS, KEYS_TTL_SECONDS, MAX_KEY_LENGTH, MAX_KEYS } from './secret-scanning.data.ts';

/** A public key by which the partner signs. */
export interface ScanningKey {
  id: string;
  /** SPKI as PEM. */
  pem: string;
}

/** The partner's keys as they were last read. */
export interface KeyRing {
  keys: readonly ScanningKey[];
  /** Null before the first success. */
  fetchedAt: UnixSeconds | null;
  /** When they were last asked for, successfully or not; null: never. */
  askedAt: UnixSeconds | null;
}

export const NO_KEYS: KeyRing = { keys: [], fetchedAt: null, askedAt: null };

/** Whether a text can be the id of a key at all. */
export function isKeyId(text: string): boolean {
  return /^[\w-]{1,128}$/.test(text);
}

/** The keys of the partner's list; what is no key is left out. */
export function parseKeys(body: unknown): ScanningKey[] {
  const keys = objectsIn(objectOf(body).public_keys).flatMap(({ key_identifier, key }) => {
    const id = textOf(key_identifier);
    const pem = textOf(key);
    return id !== null && isKeyId(id) && pem !== null && pem.length <= MAX_KEY_LENGTH ? [{ id, pem }] : [];
  });
  return keys.slice(0, MAX_KEYS);
}

export function keyOf(ring: KeyRing, id: string): string | null {
  return ring.keys.find((key) => key.id === id)?.pem ?? null;
}

/** Whether the keys were read lately enough to be relied on. */
export function isFresh({ fetchedAt }: KeyRing, now: UnixSeconds): boolean {
  return fetchedAt !== null && now - fetchedAt < KEYS_TTL_SECONDS;
}

/** Whether a fetch of the keys is in flight. */
export function isFetchInFlight({ fetchedAt, askedAt }: KeyRing, now: UnixSeconds): boolean {
  return askedAt !== null && (fetchedAt ?? 0) < askedAt && now - askedAt < ASKING_TAKES_SECONDS;
}

/** Earliest time of the next fetch. */
export function nextFetchAt({ askedAt }: KeyRing): UnixSeconds {
  return askedAt === null ? 0 : askedAt + ASKING_PAUSE_SECONDS;
}
