import { logError } from '../../platform/logging.ts';

/**
 * The serialised status that readers everywhere get: written by the prober alone, once a round. A reader far away may see
 * it up to a minute late, which its `checked_at` tells; nothing is ever decided from it.
 */
export interface StatusCopy {
  /** Never throws; callers fall back to the database. */
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

const KEY = 'game-status';
/** Minimum TTL of KV in seconds. */
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
