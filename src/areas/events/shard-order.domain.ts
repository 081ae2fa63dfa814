import { MAX_SHARDS_ASKED } from './events.data.ts';

/**
 * Order in which an isolate asks shards to open a stream. Streams fill the shards from the first, so shards above a full one are probably
 * free: the search goes up in doubling steps, and later opens narrow the gap between the full and the free shard that they know.
 */
export class ShardOrder {
  readonly #count: number;
  /** In milliseconds. */
  readonly #now: () => number;
  /** Time until which a full or unreachable shard is not asked. */
  readonly #skipUntil = new Map<number, number>();
  /** The last shard that opened a stream. */
  #hint = 0;

  constructor(count: number, now: () => number) {
    this.#count = count;
    this.#now = now;
  }

  /** Indexes of the shards that one open asks, at most `MAX_SHARDS_ASKED`. */
  *candidates(): Generator<number, void> {
    const asked = new Set<number>();
    for (const index of this.#preferred()) {
      if (asked.size >= MAX_SHARDS_ASKED) return;
      if (asked.has(index) || this.#isSkipped(index)) continue;
      asked.add(index);
      yield index;
    }
  }

  /** Later opens start with this shard. */
  opened(index: number): void {
    this.#hint = index;
  }

  skip(index: number, durationMs: number): void {
    this.#skipUntil.set(index, this.#now() + durationMs);
  }

  *#preferred(): Generator<number, void> {
    const hint = this.#hint;
    let below = hint - 1;
    while (below >= 0 && !this.#isSkipped(below)) below -= 1;
    yield below + Math.ceil((hint - below) / 2);
    yield hint;
    for (let step = 1; hint + step < this.#count; step *= 2) yield hint + step;
    yield this.#count - 1;
    for (let index = 0; index < this.#count; index += 1) yield index;
  }

  #isSkipped(index: number): boolean {
    return (this.#skipUntil.get(index) ?? 0) > this.#now();
  }
}
