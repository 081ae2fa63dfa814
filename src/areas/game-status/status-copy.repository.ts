import { logError } from '../../platform/kit/logging.ts';

/**
 * KV copy of the serialized status, written by the prober once per round. Distant locations may read it up to a minute late; `checked_at`
 * is the time of the round. Used for responses only.
 */
export interface StatusCopy {
  /** Never throws: returns null, and the database is read instead. */
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

const KEY = 'game-status';
/** Cache TTL of a KV read in a location, in seconds; the minimum that KV allows. */
const EDGE_CACHE_SECONDS = 30;

export function createStatusCopy(cache: KVNamespace): StatusCopy {
  return {
    read: () =>
      cache.get(KEY, { type: 'text', cacheTtl: EDGE_CACHE_SECONDS }).catch((error: unknown) => {
        logError('cache read of game status failed', error);
        return null;
      }),
    write: (text) => cache.put(KEY, text),
  };
}
