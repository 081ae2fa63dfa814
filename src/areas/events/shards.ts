import { eventFrame, type Newest, type StreamEvent } from './framing.domain.ts';

/** Name of the one coordinator object. */
export const COORDINATOR = 'coordinator';

/** A stream asks now and then whether its shard still holds the other end; the runtime answers for a sleeping shard. */
export const PROBE = 'probe';
export const PROBE_ANSWER = 'here';

const HELLO = 'hello';

/** What a shard says first on a socket: the newest event it has passed on. */
export function encodeHello({ id, at, bookmark }: Newest): string {
  return `${id} ${at} ${HELLO} ${bookmark ?? ''}`;
}

/** An event on the socket between shard and stream. */
export function encodeEvent({ id, at, type, text }: StreamEvent): string {
  return `${id} ${at} ${type} ${text}`;
}

/** A message of a shard as its streams use it. */
export type ShardMessage = ({ kind: 'hello' } & Newest) | { kind: 'event'; id: number; type: string; frame: Uint8Array };

const encoder = new TextEncoder();
let last: { text: string; message: ShardMessage | null } | null = null;

/** Reads a message of a shard; null for one that is none. All streams of an isolate get the same events: each is read and encoded once. */
export function decodeMessage(text: string): ShardMessage | null {
  if (last?.text !== text) last = { text, message: parse(text) };
  return last.message;
}

function parse(message: string): ShardMessage | null {
  const [, id, at, type, text] = /^(\d+) (\d+) (\S+) (.*)$/s.exec(message) ?? [];
  if (id === undefined || at === undefined || type === undefined || text === undefined) return null;
  if (type === HELLO) return { kind: 'hello', id: Number(id), at: Number(at), ...(text ? { bookmark: text } : {}) };
  return { kind: 'event', id: Number(id), type, frame: encoder.encode(eventFrame({ id: Number(id), type, text })) };
}
