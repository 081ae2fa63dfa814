import type { EventSource } from '../../platform/events/event-source.ts';
import { logError } from '../../platform/logging.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { BoundedMap } from '../../platform/storage/bounded-map.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { SNAPSHOT_TYPES } from './events.data.ts';
import { eventFrame, messageText } from './framing.domain.ts';

const KEPT = 16;

/** Frames of the state of every source at an instant, made after the event with the given id. */
export type SnapshotMaker = (now: UnixSeconds, latestId: number, types: ReadonlySet<string> | null, settings: Settings) => Promise<string>;

/**
 * Makes snapshots. What the isolate had read before it heard of the newest event is read again, so that a snapshot is
 * never older than the id it carries. Clients that connect within the same second share the text.
 */
export function createSnapshotMaker(sources: readonly EventSource[]): SnapshotMaker {
  const kept = new BoundedMap<string, string>(KEPT);
  const ordered = SNAPSHOT_TYPES.flatMap((type) => sources.find((source) => source.type === type) ?? []);
  let refreshedFor = -1;

  async function frameOf(source: EventSource, now: UnixSeconds, latestId: number, settings: Settings): Promise<string> {
    if (source.feature && !settings[source.feature]) return '';
    try {
      const state = await source.stateAt(now, settings);
      return state ? eventFrame({ id: latestId, type: source.type, text: messageText(source.type, state.body.text, now) }) : '';
    } catch (error) {
      logError('event source failed', error, { type: source.type });
      return '';
    }
  }

  return async (now, latestId, types, settings) => {
    if (latestId > refreshedFor) {
      for (const source of ordered) source.refresh?.();
      refreshedFor = latestId;
    }
    const wanted = ordered.filter(({ type }) => types === null || types.has(type));
    const key = `${now} ${latestId} ${wanted.map(({ type, feature }) => (feature && !settings[feature] ? '' : type)).join()}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const frames = await Promise.all(wanted.map((source) => frameOf(source, now, latestId, settings)));
    const text = frames.join('');
    kept.set(key, text);
    return text;
  };
}
