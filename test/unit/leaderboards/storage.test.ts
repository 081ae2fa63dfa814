import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparedName,
  decodeColumns,
  encodeColumns,
  findRows,
  playerKey,
} from '../../../src/areas/leaderboards/captures/board-rows.domain.ts';
import { encodePack, RowCache, readDirectory } from '../../../src/areas/leaderboards/captures/capture-objects.store.ts';
import { findInShard, PlayerShardBuilder, shardCount, shardOf } from '../../../src/areas/leaderboards/captures/player-shards.domain.ts';

/** Characters that a name in a dump can contain. */
const name = fc
  .oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), fc.constantFrom('kA', 's', 'r1,2,3', ' x ', 'İ', 'ΑΣ', '\r', 'K'))
  .map((text) => text.replaceAll(/[\n;|]/g, '-').toWellFormed());
const score = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
);
const rows = fc
  .array(fc.record({ name, score, rank: fc.nat(999_999) }), { maxLength: 30 })
  .map((list) => ({ ranks: list.map(({ rank }) => rank), names: list.map((row) => row.name), scores: list.map((row) => row.score) }));

describe('board columns', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const { ranks, names, scores } = decodeColumns(encodeColumns(given));
        expect({ ranks, names, scores }).toEqual(given);
      }),
      { numRuns: 200 },
    );
  });

  it('omits ranks that are 1 to n', () => {
    expect(encodeColumns({ ranks: [1, 2], names: ['A', 'B'], scores: [5, 4] })).toBe('\n5,4\nA\nB');
    expect(decodeColumns('\n5,4\nA\nB')).toMatchObject({ ranks: [1, 2] });
  });

  it('finds rows by name without decoding the board', () => {
    fc.assert(
      fc.property(rows, fc.array(name, { maxLength: 4 }), (given, others) => {
        const text = encodeColumns(given);
        const columns = decodeColumns(text);
        const keys = new Set([...given.names.slice(0, 3), ...others].map(comparedName));
        const expected = [...keys].flatMap((key) => {
          const rowsOf = columns.findAll(key).map((index) => ({ index, rank: columns.ranks[index], score: columns.scores[index] }));
          return rowsOf.length === 0 ? [] : [[key, rowsOf]];
        });
        expect(Object.fromEntries(findRows(text, keys))).toEqual(Object.fromEntries(expected));
      }),
      { numRuns: 300 },
    );
  });

  it('finds the best row and all rows of a name, case-insensitive', () => {
    const columns = decodeColumns(encodeColumns({ ranks: [1, 2, 3], names: ['B', 'a', 'A'], scores: [3, 2, 1] }));
    expect(['A', 'b', 'c'].map((wanted) => columns.find(wanted))).toEqual([1, 0, undefined]);
    expect(['A', 'b', 'c'].map((wanted) => columns.findAll(wanted))).toEqual([[1, 2], [0], []]);
  });
});

describe('player shards of a capture', () => {
  it('finds exactly the rows of a player', () => {
    const boards = fc.array(rows, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(boards, fc.constantFrom(1, 4, 256), (given, shards) => {
        const builder = new PlayerShardBuilder();
        for (const [uuid, board] of given.entries()) builder.add(uuid, board);
        const texts = Array.from({ length: shards }, (_, shard) => builder.drainShard(shard, shards) ?? '');
        const all = given.flatMap((board, uuid) =>
          board.names.map((playerName, index) => ({ uuid, rank: board.ranks[index], score: board.scores[index], playerName })),
        );
        for (const key of new Set(['nobody else', ...all.map(({ playerName }) => playerKey(playerName))])) {
          const found = findInShard(texts[shardOf(key, shards)] ?? '', key);
          const expected = all.filter(({ playerName }) => playerKey(playerName) === key);
          const sorted = (list: readonly object[]) =>
            list.map((row) => JSON.stringify(row, ['uuid', 'rank', 'score', 'playerName'])).sort();
          expect(sorted(found)).toEqual(sorted(expected));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('uses as many shards as the number of rows requires', () => {
    expect([0, 2500, 2501, 10_000, 600_000, 5_000_000].map(shardCount)).toEqual([1, 1, 2, 4, 256, 256]);
    const used = new Set(Array.from({ length: 5000 }, (_, index) => shardOf(`player${index}`, 256)));
    expect(used.size).toBe(256);
  });
});

describe('encodePack', () => {
  it('stores objects unchanged', () => {
    const parts = new Map([
      ['1773140400', Uint8Array.of(1, 2, 3)],
      ['1773144000', Uint8Array.of()],
      ['1773147600', Uint8Array.of(9)],
    ]);
    const pack = encodePack(parts);
    const directory = readDirectory(pack);
    const read = [...(directory ?? [])].map(([part, { offset, length }]) => [part, pack.slice(offset, offset + length)]);
    expect(read).toEqual([...parts]);
    expect(readDirectory(pack.subarray(0, 3))).toBeNull();
    expect(readDirectory(pack.subarray(0, 20))).toBeNull();
  });
});

describe('RowCache', () => {
  it('evicts the least recently used value', () => {
    const cache = new RowCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    expect(cache.get('a')).toBe('A');
    cache.set('c', 'C', 4);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['A', undefined, 'C']);
    cache.set('huge', 'H', 99);
    expect(['a', 'c', 'huge'].map((key) => cache.get(key))).toEqual([undefined, undefined, 'H']);
    cache.set('huge', 'h', 3);
    cache.set('d', 'D', 7);
    expect(['huge', 'd'].map((key) => cache.get(key))).toEqual(['h', 'D']);
  });
});
