import type { Resume } from './event-log.ts';
import { commentFrame, eventFrame, type Newest, type ResumePoint, type StreamEvent } from './framing.domain.ts';

const encoder = new TextEncoder();

/** The log as replays read it. */
export interface ReplayLog {
  resume(point: ResumePoint): Promise<Resume>;
  eventsAfter(id: number): Promise<StreamEvent[]>;
}

/**
 * Everything missed up to the newest event of the shard, oldest first. Returns the newest event the client then knows:
 * a client of another shard may be ahead of this one, and must not get the same event twice.
 */
export async function* replay(
  log: ReplayLog,
  point: ResumePoint,
  newest: Newest,
  types: ReadonlySet<string> | null,
): AsyncGenerator<Uint8Array, Newest> {
  // After a restart everybody reconnects at once, and most have missed nothing: that takes no call.
  if ('afterId' in point && point.afterId === newest.id) return newest;
  const { from, hasGap, newest: logged } = await log.resume(point);
  if (hasGap) yield encoder.encode(commentFrame('some missed events are no longer in the log'));
  if (from === null) return newest;
  for (let id = from; id < newest.id; ) {
    const page = (await log.eventsAfter(id)).filter((event) => event.id <= newest.id);
    const missed = page.filter(({ type }) => types === null || types.has(type));
    if (missed.length > 0) yield encoder.encode(missed.map(eventFrame).join(''));
    id = page.at(-1)?.id ?? newest.id;
  }
  return from > newest.id ? { ...logged, id: from } : newest;
}
