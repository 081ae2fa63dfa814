import { hashText } from '../../../platform/values/random-source.ts';
import type { Rows } from '../ingest/dump-line.domain.ts';
import { MAX_PLAYER_SHARDS, SHARD_ROWS } from '../leaderboards.data.ts';
import { playerKey } from './comparison.domain.ts';

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

/** Gathers the rows of a capture by player. Kept as bytes: 600,000 rows as objects would not fit into the memory there is. */
export class PlayerShardBuilder {
  readonly #shards = Array.from({ length: MAX_PLAYER_SHARDS }, () => new RowBuffer());

  add(uuid: number, { ranks, names, scores }: Rows): void {
    const indexes: number[][] = [];
    for (const [index, name] of names.entries()) {
      const shard = shardOf(playerKey(name), MAX_PLAYER_SHARDS);
      const own = indexes[shard];
      if (own) own.push(index);
      else indexes[shard] = [index];
    }
    for (const [shard, own] of indexes.entries()) {
      // Whoever stands on no board here leaves a hole.
      if (!own) continue;
      const figures = own.flatMap((index) => [uuid, ranks[index] ?? 0, scores[index] ?? 0]);
      this.#shards[shard]?.push(figures, own.map((index) => `${names[index]}\n`).join(''));
    }
  }

  /** The text of one of `shards` parts, whose buffers are then let go of; null when it holds nobody. */
  take(shard: number, shards: number): string | null {
    const parts = MAX_PLAYER_SHARDS / shards;
    const rows = this.#shards.slice(shard * parts, (shard + 1) * parts).flatMap((part) => part.drain());
    return rows.length === 0 ? null : encodeShard(rows);
  }
}

const FIRST_CAPACITY = 512;
/** UTF-8 of one UTF-16 unit. */
const LONGEST_UNIT = 3;
/** Numbers of a row: board, rank, score. */
const FIGURES = 3;

/** Rows as numbers in one buffer, and their names as lines in another. */
class RowBuffer {
  #figures = new Float64Array(0);
  #rows = 0;
  #names = new Uint8Array(0);
  #nameBytes = 0;

  push(figures: readonly number[], names: string): void {
    const used = this.#rows * FIGURES;
    if (used + figures.length > this.#figures.length) {
      const grown = new Float64Array(Math.max(FIRST_CAPACITY, this.#figures.length * 2, used + figures.length));
      grown.set(this.#figures.subarray(0, used));
      this.#figures = grown;
    }
    this.#figures.set(figures, used);
    this.#rows += figures.length / FIGURES;
    this.#pushNames(names);
  }

  drain(): PlayerRow[] {
    const names = decoder.decode(this.#names.subarray(0, this.#nameBytes)).split('\n');
    const rows = Array.from({ length: this.#rows }, (_, row) => {
      const [uuid = 0, rank = 0, score = 0] = this.#figures.subarray(row * FIGURES, (row + 1) * FIGURES);
      return { uuid, rank, score, playerName: names[row] ?? '' };
    });
    this.#figures = new Float64Array(0);
    this.#names = new Uint8Array(0);
    this.#rows = 0;
    this.#nameBytes = 0;
    return rows;
  }

  #pushNames(names: string): void {
    const most = this.#nameBytes + names.length * LONGEST_UNIT;
    if (most > this.#names.length) {
      const grown = new Uint8Array(Math.max(FIRST_CAPACITY, this.#names.length * 2, most));
      grown.set(this.#names.subarray(0, this.#nameBytes));
      this.#names = grown;
    }
    this.#nameBytes += encoder.encodeInto(names, this.#names.subarray(this.#nameBytes)).written;
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
