import type { EventSource } from '../../platform/events/event-source.ts';
import { logError } from '../../platform/kit/logging.ts';
import { withTimeout } from '../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { ReadFreshness } from '../../platform/storage/database.ts';
import { BoundedMap } from '../../platform/storage/memory-caches.ts';
import { SOURCE_TIMEOUT_MS } from './events.data.ts';
import { atLeast, eventFrame, messageText, type Newest } from './framing.domain.ts';

const MAX_CACHED_SNAPSHOTS = 16;

export interface SnapshotRequest {
  now: UnixSeconds;
  /** The newest event of the client. The snapshot has its id and is at least as new. */
  newest: Newest;
  /** Types to include; null: all. */
  types: ReadonlySet<string> | null;
  settings: Settings;
}

/** Encoded frames with the state of every source. */
export type CreateSnapshot = (request: SnapshotRequest) => Promise<Uint8Array>;

/**
 * Creates snapshots. Data that the isolate cached before the newest event is read again, so a snapshot is never older than its id. Clients
 * that connect within the same second share the bytes. The messages are in the order of the sources.
 */
export function createSnapshotFactory(sources: readonly EventSource[], freshness: Pick<ReadFreshness, 'require'>): CreateSnapshot {
  const cache = new BoundedMap<string, Uint8Array>(MAX_CACHED_SNAPSHOTS);
  const encoder = new TextEncoder();
  let refreshedFor = -1;

  async function frameOf(source: EventSource, at: UnixSeconds, id: number, settings: Settings): Promise<string> {
    try {
      const state = await withTimeout(source.stateAt(at, settings), SOURCE_TIMEOUT_MS, source.type);
      return state ? eventFrame({ id, type: source.type, text: messageText(source.type, state.body.text, at) }) : '';
    } catch (error) {
      logError('event source failed', error, { type: source.type });
      return '';
    }
  }

  /** Makes the following reads at least as new as the event; they wait for the primary if necessary. */
  async function requireState(bookmark: string | null): Promise<void> {
    try {
      await withTimeout(freshness.require(bookmark), SOURCE_TIMEOUT_MS, 'bookmark');
    } catch (error) {
      logError('database bookmark could not be read', error);
    }
  }

  return async ({ now, newest, types, settings }) => {
    const at = atLeast(now, newest.at);
    const { id } = newest;
    if (id > refreshedFor) {
      await requireState(newest.bookmark ?? null);
      for (const source of sources) source.refresh?.();
      refreshedFor = Math.max(refreshedFor, id);
    }
    const included = sources.filter(({ type, feature }) => (types === null || types.has(type)) && (!feature || settings[feature]));
    const key = `${at} ${id} ${included.map(({ type }) => type).join()}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const frames = await Promise.all(included.map((source) => frameOf(source, at, id, settings)));
    const bytes = encoder.encode(frames.join(''));
    cache.set(key, bytes);
    return bytes;
  };
}
