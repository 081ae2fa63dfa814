import { hashText } from '../../game/random.domain.ts';
import { playerKey } from './comparison.domain.ts';
import type { Rows } from './dump-line.domain.ts';
import { MAX_PLAYER_SHARDS, SHARD_ROWS } from './leaderboards.data.ts';

/** A row of a player on one board. */
export interface PlayerRow {
  uuid: number;
  rank: number;
  score: number;
  /** As the game spells it. */
  playerName: string;
}

const HASH_BITS = 32;

/** The part of a capture that holds a player, by the first bits of the hash; `shards` is a power of two. */
export function shardOf(key: string, shards: number): number {
  return shards === 1 ? 0 : hashText(key) >>> (HASH_BITS - Math.log2(shards));
}

/** How many parts the players of so many rows are stored in: a power of two, so that finer parts make a coarser one. */
export function shardCount(rows: number): number {
  let shards = 1;
  while (shards < MAX_PLAYER_SHARDS && rows > shards * SHARD_ROWS) shards *= 2;
  return shards;
}

/** Before each name: uuid and score as doubles, rank and length of the name as words. */
const HEAD_BYTES = 24;
const SCORE_AT = 8;
const RANK_AT = 16;
const LENGTH_AT = 20;
const FIRST_CAPACITY = 4096;
/** UTF-8 of one UTF-16 unit. */
const LONGEST_UNIT = 3;

/** Gathers the rows of a capture by player. Kept as bytes: 600,000 rows as objects would not fit into the memory there is. */
export class PlayerShardBuilder {
  readonly #shards = Array.from({ length: MAX_PLAYER_SHARDS }, () => new RecordBuffer());

  add(uuid: number, { ranks, names, scores }: Rows): void {
    for (const [index, name] of names.entries()) {
      const part = this.#shards[shardOf(playerKey(name), MAX_PLAYER_SHARDS)];
      part?.push({ uuid, rank: ranks[index] ?? 0, score: scores[index] ?? 0, playerName: name });
    }
  }

  /** The text of one of `shards` parts, whose buffers are then let go of; null when it holds nobody. */
  take(shard: number, shards: number): string | null {
    const parts = MAX_PLAYER_SHARDS / shards;
    const records = this.#shards.slice(shard * parts, (shard + 1) * parts).flatMap((part) => part.drain());
    return records.length === 0 ? null : encodeShard(records);
  }
}

/** Rows with their names, packed one after the other. */
class RecordBuffer {
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #used = 0;

  push({ uuid, rank, score, playerName }: PlayerRow): void {
    this.#reserve(HEAD_BYTES + playerName.length * LONGEST_UNIT);
    const start = this.#used;
    const { written } = encoder.encodeInto(playerName, this.#bytes.subarray(start + HEAD_BYTES));
    this.#view.setFloat64(start, uuid);
    this.#view.setFloat64(start + SCORE_AT, score);
    this.#view.setUint32(start + RANK_AT, rank);
    this.#view.setUint32(start + LENGTH_AT, written);
    this.#used = start + HEAD_BYTES + written;
  }

  drain(): PlayerRow[] {
    const records: PlayerRow[] = [];
    for (let at = 0; at < this.#used; ) {
      const end = at + HEAD_BYTES + this.#view.getUint32(at + LENGTH_AT);
      records.push({
        uuid: this.#view.getFloat64(at),
        rank: this.#view.getUint32(at + RANK_AT),
        score: this.#view.getFloat64(at + SCORE_AT),
        playerName: decoder.decode(this.#bytes.subarray(at + HEAD_BYTES, end)),
      });
      at = end;
    }
    this.#bytes = new Uint8Array(0);
    this.#used = 0;
    return records;
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(FIRST_CAPACITY, this.#bytes.length * 2, this.#used + more));
    grown.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** A line begins with what it holds: the key of a player, the spelling where it differs, the rows. */
const KEY = 'k';
const SPELLING = 's';
const ROWS = 'r';

/** The text of a shard: two or three lines a player, so that one is found by searching for the line with the key. */
function encodeShard(records: readonly PlayerRow[]): string {
  const byName = new Map<string, PlayerRow[]>();
  for (const record of records) {
    const known = byName.get(record.playerName);
    if (known) known.push(record);
    else byName.set(record.playerName, [record]);
  }
  const players = [...byName].map(([name, rows]) => ({ key: playerKey(name), name, rows }));
  players.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  const blocks = players.map(({ key, name, rows }) => {
    const spelling = name === key ? '' : `${SPELLING}${name}\n`;
    return `${KEY}${key}\n${spelling}${ROWS}${rows.map(({ uuid, rank, score }) => `${uuid},${rank},${score}`).join(';')}\n`;
  });
  return `\n${blocks.join('')}`;
}

/** The rows of a player in the text of a shard, whatever the case of the name; empty when there are none. */
export function findInShard(text: string, key: string): PlayerRow[] {
  const line = `\n${KEY}${key}\n`;
  const rows: PlayerRow[] = [];
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
    let next = at + line.length;
    let playerName = key;
    if (text[next] === SPELLING) {
      const end = text.indexOf('\n', next);
      playerName = text.slice(next + 1, end);
      next = end + 1;
    }
    for (const row of text.slice(next + 1, text.indexOf('\n', next)).split(';')) rows.push(parseRow(row, playerName));
  }
  return rows;
}

function parseRow(text: string, playerName: string): PlayerRow {
  const [uuid = 0, rank = 0, score = 0] = text.split(',').map(Number);
  return { uuid, rank, score, playerName };
}
