const DEFAULT_SHARDS = 8;
const MAX_SHARDS = 64;

/** Names of the shard objects; their number is deployment configuration. */
export function shardNames(env: { EVENTS_SHARDS?: string }): string[] {
  const asked = Number(env.EVENTS_SHARDS);
  const count = Number.isInteger(asked) && asked >= 1 && asked <= MAX_SHARDS ? asked : DEFAULT_SHARDS;
  return Array.from({ length: count }, (_, index) => `shard-${index}`);
}

/** Name of the one coordinator object. */
export const COORDINATOR = 'coordinator';

/** What a shard says first on a socket: the id of the newest event it has passed on. */
export const HELLO = 'hello';

/** An event on the socket between shard and Worker: `<id> <type> <text>`. */
export function encodeForSocket(id: number, type: string, text: string): string {
  return `${id} ${type} ${text}`;
}

/** Reads a message of a shard; null for one that is none. */
export function decodeFromSocket(message: string): { id: number; type: string; text: string } | null {
  const match = /^(\d+) (\S+) (.*)$/s.exec(message);
  if (match?.[1] === undefined || match[2] === undefined || match[3] === undefined) return null;
  return { id: Number(match[1]), type: match[2], text: match[3] };
}
