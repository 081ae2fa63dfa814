import type { Resume } from './event-log.ts';
import { GAP_COMMENT } from './events.data.ts';
import { commentFrame, eventFrame, type Newest, type ResumePoint, type StreamEvent } from './framing.domain.ts';

const encoder = new TextEncoder();

export interface ReplayLog {
  resume(point: ResumePoint): Promise<Resume>;
  eventsAfter(id: number): Promise<StreamEvent[]>;
}

/**
 * Yields missed events up to the newest event of the shard, oldest first. Returns the newest event that the client then has; a client that
 * moved from another shard may be ahead of this one.
 */
export async function* replay(
  log: ReplayLog,
  point: ResumePoint,
  newest: Newest,
  types: ReadonlySet<string> | null,
): AsyncGenerator<Uint8Array, Newest> {
  // After a restart all clients reconnect at the same time. Most missed no events and need no request to the log.
  if ('afterId' in point && point.afterId === newest.id) return newest;
  const { from, hasGap, newest: newestLogged } = await log.resume(point);
  if (hasGap) yield encoder.encode(commentFrame(GAP_COMMENT));
  if (from === null) return newest;
  for (let id = from; id < newest.id; ) {
    const page = (await log.eventsAfter(id)).filter((event) => event.id <= newest.id);
    const missed = page.filter(({ type }) => types === null || types.has(type));
    if (missed.length > 0) yield encoder.encode(missed.map(eventFrame).join(''));
    id = page.at(-1)?.id ?? newest.id;
  }
  return from > newest.id ? { ...newestLogged, id: from } : newest;
}
