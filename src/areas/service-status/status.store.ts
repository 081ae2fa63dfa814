import { logError } from '../../platform/kit/logging.ts';
import { withTimeout } from '../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { NamedObjects } from '../../platform/storage/regional-objects.ts';
import { PROBE_TIMEOUT_MS, READ_TIMEOUT_MS, STALE_SECONDS } from './status.data.ts';
import { advance, type History, newer, type Snapshot, type StoredStatus } from './status.domain.ts';
import type { ServiceStatusObject } from './status.object.ts';
import { parseHistory } from './stored-history.domain.ts';

/** Name of the object. */
export const OBJECT = 'status';
const COPY_KEY = 'service-status';
/** Cache TTL of a KV read in a location, in seconds; the minimum that KV allows. A copy must not be stale when it is read. */
const EDGE_CACHE_SECONDS = 30;

interface StatusStoreDeps {
  objects: NamedObjects<ServiceStatusObject>;
  cache: KVNamespace;
}

/** The status history in a Durable Object with a copy in KV. Reads and writes work with either one. */
export function createStatusStore({ objects, cache }: StatusStoreDeps) {
  const object = () => objects.getByName(OBJECT);

  async function attempt<Result>(what: string, timeoutMs: number, work: () => Promise<Result>): Promise<{ value: Result } | null> {
    try {
      return { value: await withTimeout(work(), timeoutMs, what) };
    } catch (error) {
      logError('status store did not respond', error, { what });
      return null;
    }
  }

  const readCopy = (timeoutMs: number) =>
    attempt('status copy', timeoutMs, () => cache.get(COPY_KEY, { type: 'text', cacheTtl: EDGE_CACHE_SECONDS }));

  return {
    /** Writes a snapshot to both stores and returns the new history. Throws when both writes fail. */
    async record(snapshot: Snapshot): Promise<History | null> {
      const copy = (await readCopy(PROBE_TIMEOUT_MS))?.value ?? null;
      const stored = await attempt('status object', PROBE_TIMEOUT_MS, async () => object().record(snapshot, copy));
      const text = stored ? stored.value : advanceCopy(copy, snapshot);
      const copied = await attempt('status copy', PROBE_TIMEOUT_MS, () => cache.put(COPY_KEY, text));
      if (!stored && !copied) throw new Error('the status was not stored anywhere');
      return parseHistory(text);
    },

    /** Never throws. */
    async read(now: UnixSeconds): Promise<StoredStatus> {
      // The copy is near every reader, the object only near the database. A copy that names no failed store was written with the object.
      const copy = parseHistory((await readCopy(READ_TIMEOUT_MS))?.value ?? null);
      const isFresh = (history: History | null) => history !== null && now - history.snapshot.checkedAt < STALE_SECONDS;
      if (isFresh(copy) && copy?.snapshot.parts.store?.state !== 'red') return { history: copy, source: 'object' };
      const stored = await attempt('status object', READ_TIMEOUT_MS, async () => object().read());
      const objectHistory = parseHistory(stored?.value ?? null);
      if (isFresh(objectHistory)) return { history: objectHistory, source: 'object' };
      const history = newer(objectHistory, copy);
      // When the copy is newer, the object failed to store the history.
      return { history, source: history === null ? null : history === objectHistory ? 'object' : 'copy' };
    },
  };
}

function advanceCopy(copy: string | null, snapshot: Snapshot): string {
  const store = { state: 'red', detail: 'the status object does not respond' } as const;
  return JSON.stringify(advance(parseHistory(copy), { ...snapshot, parts: { ...snapshot.parts, store } }, 'copy'));
}
