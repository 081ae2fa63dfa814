import { hashText } from '../../../platform/kit/random.ts';
import type { Rows } from '../dump.domain.ts';
import { MAX_PLAYER_SHARDS, SHARD_ROWS } from '../leaderboards.data.ts';
import { playerKey } from './board-rows.domain.ts';

/** A row of a player on one board. */
export interface PlayerRow {
  uuid: number;
  rank: number;
  score: number;
  /** Spelling of the game. */
  playerName: string;
}

const HASH_BITS = 32;

/** Shard of a player: the first bits of the hash of the key. `shards` is a power of two. */
export function shardOf(key: string, shards: number): number {
  return shards === 1 ? 0 : hashText(key) >>> (HASH_BITS - Math.log2(shards));
}

/** Number of player shards for a number of rows: a power of two, so that neighbouring shards can be merged. */
export function shardCount(rows: number): number {
  let shards = 1;
  while (shards < MAX_PLAYER_SHARDS && rows > shards * SHARD_ROWS) shards *= 2;
  return shards;
}

/** Collects the rows of a capture by player, as bytes: 600,000 rows as objects would exceed the memory of the isolate. */
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
      // The array is sparse: shards without rows of this board are undefined.
      if (!own) continue;
      const numbers = own.flatMap((index) => [uuid, ranks[index] ?? 0, scores[index] ?? 0]);
      this.#shards[shard]?.push(numbers, own.map((index) => `${names[index]}\n`).join(''));
    }
  }

  /** Encodes one of `shards` shards and releases its buffers; null if empty. */
  drainShard(shard: number, shards: number): string | null {
    const parts = MAX_PLAYER_SHARDS / shards;
    const rows = this.#shards.slice(shard * parts, (shard + 1) * parts).flatMap((part) => part.drain());
    return rows.length === 0 ? null : encodeShard(rows);
  }
}

const FIRST_CAPACITY = 512;
/** Maximum UTF-8 bytes of one UTF-16 code unit. */
const MAX_UNIT_BYTES = 3;
/** Numbers of a row: board, rank, score. */
const NUMBERS_PER_ROW = 3;

/** Rows of one shard: numbers in one buffer, names as lines in another. */
class RowBuffer {
  #figures = new Float64Array(0);
  #rows = 0;
  #names = new Uint8Array(0);
  #nameBytes = 0;

  push(figures: readonly number[], names: string): void {
    const used = this.#rows * NUMBERS_PER_ROW;
    if (used + figures.length > this.#figures.length) {
      const grown = new Float64Array(Math.max(FIRST_CAPACITY, this.#figures.length * 2, used + figures.length));
      grown.set(this.#figures.subarray(0, used));
      this.#figures = grown;
    }
    this.#figures.set(figures, used);
    this.#rows += figures.length / NUMBERS_PER_ROW;
    this.#pushNames(names);
  }

  drain(): PlayerRow[] {
    const names = decoder.decode(this.#names.subarray(0, this.#nameBytes)).split('\n');
    const rows = Array.from({ length: this.#rows }, (_, row) => {
      const [uuid = 0, rank = 0, score = 0] = this.#figures.subarray(row * NUMBERS_PER_ROW, (row + 1) * NUMBERS_PER_ROW);
      return { uuid, rank, score, playerName: names[row] ?? '' };
    });
    this.#figures = new Float64Array(0);
    this.#names = new Uint8Array(0);
    this.#rows = 0;
    this.#nameBytes = 0;
    return rows;
  }

  #pushNames(names: string): void {
    const needed = this.#nameBytes + names.length * MAX_UNIT_BYTES;
    if (needed > this.#names.length) {
      const grown = new Uint8Array(Math.max(FIRST_CAPACITY, this.#names.length * 2, needed));
      grown.set(this.#names.subarray(0, this.#nameBytes));
      this.#names = grown;
    }
    this.#nameBytes += encoder.encodeInto(names, this.#names.subarray(this.#nameBytes)).written;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** Rows of one spelling of a name in the text of a shard. */
export interface ShardBlock {
  key: string;
  /** Spelling of the game. */
  name: string;
  /** Encoded rows, without a line feed. */
  rows: string;
}

/** First character of a line: key of a player, spelling if it differs from the key, rows. */
const KEY = 'k';
const SPELLING = 's';
const ROWS = 'r';

/** Encodes a shard as two or three lines per name. A player is found by a text search for the line of the key. */
export function encodeBlocks(blocks: readonly ShardBlock[]): string {
  const sorted = blocks.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  const texts = sorted.map(({ key, name, rows }) => `${KEY}${key}\n${name === key ? '' : `${SPELLING}${name}\n`}${ROWS}${rows}\n`);
  return `\n${texts.join('')}`;
}

/** The blocks of a player in the text of a shard, one for each spelling. */
export function findBlocks(text: string, key: string): ShardBlock[] {
  const line = `\n${KEY}${key}\n`;
  const blocks: ShardBlock[] = [];
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) blocks.push(blockAt(text, at + 1).block);
  return blocks;
}

/** Every block in the text of a shard. */
export function* readBlocks(text: string): Generator<ShardBlock> {
  for (let at = 1; at < text.length; ) {
    const { block, end } = blockAt(text, at);
    yield block;
    at = end;
  }
}

function blockAt(text: string, start: number): { block: ShardBlock; end: number } {
  const lineAt = (at: number) => text.slice(at + 1, text.indexOf('\n', at));
  const key = lineAt(start);
  let next = start + key.length + 2;
  const name = text[next] === SPELLING ? lineAt(next) : key;
  if (text[next] === SPELLING) next += name.length + 2;
  const rows = lineAt(next);
  return { block: { key, name, rows }, end: next + rows.length + 2 };
}

function encodeShard(records: readonly PlayerRow[]): string {
  const byName = Map.groupBy(records, ({ playerName }) => playerName);
  const rowsOf = (rows: readonly PlayerRow[]) => rows.map(({ uuid, rank, score }) => `${uuid},${rank},${score}`).join(';');
  return encodeBlocks([...byName].map(([name, rows]) => ({ key: playerKey(name), name, rows: rowsOf(rows) })));
}

/** Rows of a player in a shard, case-insensitive. */
export function findInShard(text: string, key: string): PlayerRow[] {
  return findBlocks(text, key).flatMap(parseRows);
}

/** All rows of a shard, by player. */
export function* rowsInShard(text: string): Generator<{ key: string; rows: PlayerRow[] }> {
  for (const block of readBlocks(text)) yield { key: block.key, rows: parseRows(block) };
}

function parseRows({ name, rows }: ShardBlock): PlayerRow[] {
  return rows.split(';').map((row) => {
    const [uuid = 0, rank = 0, score = 0] = row.split(',').map(Number);
    return { uuid, rank, score, playerName: name };
  });
}
