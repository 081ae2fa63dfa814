import { describe, expect, it } from 'vitest';
import { MAX_SHARDS_ASKED } from '../../../src/areas/events/events.data.ts';
import { ShardOrder } from '../../../src/areas/events/shard-order.domain.ts';

const SKIP_MS = 10_000;

/** Shards with a number of free places each, and an isolate that opens streams in them. */
function shardsWith(free: number[]) {
  let now = 0;
  const order = new ShardOrder(free.length, () => now);
  return {
    free,
    advance: (ms: number) => {
      now += ms;
    },
    /** Opens a stream: the shards it asked, and whether the last of them opened it. */
    open() {
      const asked: number[] = [];
      for (const index of order.candidates()) {
        asked.push(index);
        const places = free[index] ?? 0;
        if (places > 0) {
          free[index] = places - 1;
          order.opened(index);
          return { asked, isOpen: true };
        }
        order.skip(index, SKIP_MS);
      }
      return { asked, isOpen: false };
    },
  };
}

const full = (count: number) => Array.from({ length: count }, () => 0);

describe('ShardOrder', () => {
  it('fills shards in order, with one call for each stream but the first of a shard', () => {
    const shards = shardsWith(Array.from({ length: 64 }, () => 20));
    let calls = 0;
    for (let stream = 0; stream < 64 * 20; stream += 1) {
      const { asked, isOpen } = shards.open();
      expect(isOpen && asked.at(-1)).toBe(Math.floor(stream / 20));
      calls += asked.length;
    }
    expect(calls).toBe(64 * 20 + 63);
  });

  it('finds the free shards above any number of full ones within the bound, and then the first of them', () => {
    for (let fullCount = 0; fullCount < 64; fullCount += 1) {
      const shards = shardsWith([...full(fullCount), ...Array.from({ length: 64 - fullCount }, () => 100)]);
      const opened = Array.from({ length: 9 }, () => shards.open());
      expect(opened.every(({ asked, isOpen }) => isOpen && asked.length <= MAX_SHARDS_ASKED)).toBe(true);
      expect(opened.at(-1)?.asked).toEqual([fullCount]);
    }
  });

  it('returns to lower shards when they have room again', () => {
    const shards = shardsWith([...full(40), 1000]);
    for (let count = 0; count < 10; count += 1) shards.open();
    shards.free.fill(100, 0, 40);
    expect(shards.open().asked).toEqual([40]);
    shards.advance(SKIP_MS + 1);
    const starts = Array.from({ length: 10 }, () => shards.open().asked);
    expect(starts.every((asked) => asked.length === 1)).toBe(true);
    expect(starts.at(-1)).toEqual([0]);
  });

  it('asks at most the bound for one stream at capacity, and no shard after all were full', () => {
    const shards = shardsWith(full(64));
    const asked = Array.from({ length: 9 }, () => shards.open().asked);
    expect(asked.map((indexes) => indexes.length)).toEqual([...Array.from({ length: 7 }, () => MAX_SHARDS_ASKED), 1, 0]);
    expect(new Set(asked.flat()).size).toBe(64);
    expect(asked[8]).toEqual([]);
  });

  it('asks every one of the default eight shards before it refuses', () => {
    expect(shardsWith([...full(4), 1, 0, 0, 0]).open()).toMatchObject({ isOpen: true });
  });
});
