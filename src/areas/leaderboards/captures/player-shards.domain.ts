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

/** Number of player shards for a row count: a power of two, so that shards can be merged. */
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
      // A player without a row here leaves a gap.
      if (!own) continue;
      const figures = own.flatMap((index) => [uuid, ranks[index] ?? 0, scores[index] ?? 0]);
      this.#shards[shard]?.push(figures, own.map((index) => `${names[index]}\n`).join(''));
    }
  }

  /** Text of one of `shards` parts, whose buffers are then released; null if empty. */
  take(shard: number, shards: number): string | null {
    const parts = MAX_PLAYER_SHARDS / shards;
    const rows = this.#shards.slice(shard * parts, (shard + 1) * parts).flatMap((part) => part.drain());
    return rows.length === 0 ? null : encodeShard(rows);
  }
}

const FIRST_CAPACITY = 512;
/** UTF-8 of one UTF-16 unit. */
const MAX_UNIT_LENGTH = 3;
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
    const most = this.#nameBytes + names.length * MAX_UNIT_LENGTH;
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

/** One spelling of a name in the text of a shard. */
export interface ShardBlock {
  key: string;
  /** As the game spells it. */
  name: string;
  /** One line. */
  rows: string;
}

/** A line begins with what it holds: the key of a player, the spelling where it differs, the rows. */
const KEY = 'k';
const SPELLING = 's';
const ROWS = 'r';

/** The text of a shard: two or three lines a name, so that one is found by searching for the line with the key. */
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
