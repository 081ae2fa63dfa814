import type { EventSource } from '../../platform/events/event-source.ts';
import { logError } from '../../platform/logging.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { BoundedMap } from '../../platform/storage/bounded-map.ts';
import type { ReadFreshness } from '../../platform/storage/database.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { SNAPSHOT_TYPES, SOURCE_MS } from './events.data.ts';
import { eventFrame, messageText, type Newest } from './framing.domain.ts';
import { notBefore } from './instants.domain.ts';

const KEPT = 16;

export interface SnapshotRequest {
  now: UnixSeconds;
  /** The newest event of the client: the snapshot has its id and is at least as new. */
  newest: Newest;
  /** Types to include; null for all. */
  types: ReadonlySet<string> | null;
  settings: Settings;
}

/** Frames of the state of every source. */
export type SnapshotMaker = (request: SnapshotRequest) => Promise<Uint8Array>;

/**
 * Creates snapshots. Data that the isolate read before the newest event is read again: a snapshot is never older than its id. Clients that
 * connect within the same second share the bytes.
 */
export function createSnapshotMaker(sources: readonly EventSource[], freshness: Pick<ReadFreshness, 'require'>): SnapshotMaker {
  const kept = new BoundedMap<string, Uint8Array>(KEPT);
  const ordered = SNAPSHOT_TYPES.flatMap((type) => sources.find((source) => source.type === type) ?? []);
  const encoder = new TextEncoder();
  let refreshedFor = -1;

  async function frameOf(source: EventSource, at: UnixSeconds, id: number, settings: Settings): Promise<string> {
    try {
      const state = await withTimeout(source.stateAt(at, settings), SOURCE_MS, source.type);
      return state ? eventFrame({ id, type: source.type, text: messageText(source.type, state.body.text, at) }) : '';
    } catch (error) {
      logError('event source failed', error, { type: source.type });
      return '';
    }
  }

  /** From here on reads are at least as new as the event. They wait for the primary if necessary. */
  async function requireState(bookmark: string | null): Promise<void> {
    try {
      await withTimeout(freshness.require(bookmark), SOURCE_MS, 'bookmark');
    } catch (error) {
      logError('database bookmark could not be read', error);
    }
  }

  return async ({ now, newest, types, settings }) => {
    const at = notBefore(now, newest.at);
    const { id } = newest;
    if (id > refreshedFor) {
      await requireState(newest.bookmark ?? null);
      for (const source of ordered) source.refresh?.();
      refreshedFor = Math.max(refreshedFor, id);
    }
    const shown = ordered.filter(({ type, feature }) => (types === null || types.has(type)) && (!feature || settings[feature]));
    const key = `${at} ${id} ${shown.map(({ type }) => type).join()}`;
    const known = kept.get(key);
    if (known) return known;
    const frames = await Promise.all(shown.map((source) => frameOf(source, at, id, settings)));
    const bytes = encoder.encode(frames.join(''));
    kept.set(key, bytes);
    return bytes;
  };
}
