import type { Reading } from './binfab-values.domain.ts';

/** A list that shares its beginning with others; the newest item first. `weight` sums what the items were added with. */
export type Chain<T> = { item: T; before: Chain<T>; weight: number } | null;

export function chained<T>(before: Chain<T>, item: T, weight = 0): Chain<T> {
  return { item, before, weight: weightOf(before) + weight };
}

export function weightOf<T>(chain: Chain<T>): number {
  return chain?.weight ?? 0;
}

export function unchained<T>(chain: Chain<T>): T[] {
  const items: T[] = [];
  for (let link = chain; link !== null; link = link.before) items.push(link.item);
  return items.reverse();
}

/**
 * Readings by where they end and by what decides how they may go on (`state`), the cheapest of each; taken in order of
 * their ends. Of more than `width` the dearest are given up.
 */
export class Frontier<T> {
  readonly #width: number;
  /** Sorted by `next`, descending: the last is taken first. */
  readonly #readings: Reading<T>[] = [];
  /** Of the reading at the same place. */
  readonly #states: number[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  add(reading: Reading<T>, state = 0): void {
    const readings = this.#readings;
    let at = readings.length;
    while (at > 0 && (readings[at - 1]?.next ?? 0) < reading.next) at -= 1;
    for (let index = at - 1; readings[index]?.next === reading.next; index -= 1) {
      if (this.#states[index] !== state) continue;
      if (reading.cost < (readings[index]?.cost ?? 0)) readings[index] = reading;
      return;
    }
    readings.splice(at, 0, reading);
    this.#states.splice(at, 0, state);
    if (readings.length <= this.#width) return;
    const worst = dearest(readings);
    readings.splice(worst, 1);
    this.#states.splice(worst, 1);
  }

  take(): Reading<T> | null {
    this.#states.pop();
    return this.#readings.pop() ?? null;
  }

  isEmpty(): boolean {
    return this.#readings.length === 0;
  }

  all(): readonly Reading<T>[] {
    return this.#readings;
  }
}

function dearest<T>(readings: readonly Reading<T>[]): number {
  let worst = 0;
  readings.forEach((reading, index) => {
    if (reading.cost > (readings[worst]?.cost ?? 0)) worst = index;
  });
  return worst;
}
