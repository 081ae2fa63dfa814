import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { MAX_RETRY_MS, MIN_RETRY_MS } from './events.data.ts';

/**
 * The newest event of a component: its id, its time, and the bookmark of its database state. Id and time are 0 before the first event.
 * Without a bookmark the database state is unknown.
 */
export interface Newest {
  id: number;
  at: UnixSeconds;
  bookmark?: string;
}

/** An event in the log and between objects. `text` is the one-line JSON `{type, data, ts}`. */
export interface StreamEvent extends Newest {
  type: string;
  text: string;
}

/** JSON of a message. `data` is the JSON text of the body and is inserted unchanged. */
export function messageText(type: string, data: string, ts: UnixSeconds): string {
  return `{"type":${JSON.stringify(type)},"data":${data},"ts":${ts}}`;
}

/** One message of the stream. JSON escapes line breaks, so the data is one line. */
export function eventFrame({ id, type, text }: Pick<StreamEvent, 'id' | 'type' | 'text'>): string {
  return `event: ${type}\nid: ${id}\ndata: ${text}\n\n`;
}

/** A comment, which clients ignore. */
export function commentFrame(comment: string): string {
  return `: ${comment}\n\n`;
}

/** The reconnect delay of one client: uniform, so that clients do not return at the same time. `random`: uniform in [0, 1). */
export function retryFrame(random: () => number): string {
  return `retry: ${MIN_RETRY_MS + Math.floor(random() * (MAX_RETRY_MS - MIN_RETRY_MS + 1))}\n\n`;
}

/** Last event of a reconnecting client: an event id or a time. */
export type ResumePoint = { afterId: number } | { since: UnixSeconds };

/** Smaller numbers are event ids, others are unix seconds. */
const FIRST_UNIX_SECONDS = 1_000_000_000;

/** Parses `since`; null when it is not a number. */
export function parseResumePoint(text: string): ResumePoint | null {
  if (!/^\d{1,15}$/.test(text)) return null;
  const value = Number(text);
  return value < FIRST_UNIX_SECONDS ? { afterId: value } : { since: value };
}

/** Maximum clock and request lag, in seconds. */
const MAX_LAG_SECONDS = 60;

/**
 * Returns `newest` when `now` is older by less than the lag: a request that started before a boundary must not show or publish an earlier
 * state. Larger differences come from a test clock.
 */
export function atLeast(now: UnixSeconds, newest: UnixSeconds): UnixSeconds {
  return newest > now && newest - now < MAX_LAG_SECONDS ? newest : now;
}
