import type { Reading } from './binfab-values.domain.ts';

/** Linked list that shares its tail with other lists; newest item first. `weight` is the sum of the weights of its items. */
export type Chain<T> = { item: T; before: Chain<T>; weight: number } | null;

export function append<T>(before: Chain<T>, item: T, weight = 0): Chain<T> {
  return { item, before, weight: weightOf(before) + weight };
}

export function weightOf<T>(chain: Chain<T>): number {
  return chain?.weight ?? 0;
}

export function toList<T>(chain: Chain<T>): T[] {
  const items: T[] = [];
  for (let link = chain; link !== null; link = link.before) items.push(link.item);
  return items.reverse();
}

/**
 * Priority queue of readings by end offset. Of several readings with the same end and `state`, which determines the valid
 * continuations, only the cheapest stays. Above `width` readings, the most expensive is dropped.
 */
export class Frontier<T> {
  readonly #width: number;
  /** Sorted by `next`, descending: the last is removed first. */
  readonly #readings: Reading<T>[] = [];
  /** State of the reading at the same index. */
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
    const worst = indexOfHighestCost(readings);
    readings.splice(worst, 1);
    this.#states.splice(worst, 1);
  }

  removeFirst(): Reading<T> | null {
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

function indexOfHighestCost<T>(readings: readonly Reading<T>[]): number {
  let worst = 0;
  readings.forEach((reading, index) => {
    if (reading.cost > (readings[worst]?.cost ?? 0)) worst = index;
  });
  return worst;
}
