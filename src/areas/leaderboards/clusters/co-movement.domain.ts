import type { BoardRows } from '../../../game/board-captures.ts';
import { roundTo } from '../../../platform/kit/values/rounding.ts';
import { ACTIVE_RANKS } from '../anomalies/anomalies.data.ts';
import { comparedName } from '../captures/comparison.domain.ts';
import { CLUSTER_CEILINGS, CO_MOVEMENT, SCHEDULE } from './clusters.data.ts';

/** Names with nearly equal gains on a board in an hour, as keys of `comparedName`. `names[i]` gained `gains[i]`. */
export interface GainBand {
  names: string[];
  gains: number[];
}

/** The largest gains of an hour on a board, grouped into bands of nearly equal ones. `ranks`: checked ranks from the top. */
export function gainBands(earlier: BoardRows, later: BoardRows, ranks = ACTIVE_RANKS): GainBand[] {
  const before = new Map<string, number>();
  for (const [index, name] of earlier.names.entries()) {
    const key = comparedName(name);
    if (!before.has(key)) before.set(key, earlier.scores[index] ?? Number.NaN);
  }
  const gains = new Map<string, number>();
  for (const [index, name] of later.names.slice(0, ranks).entries()) {
    const key = comparedName(name);
    const gain = (later.scores[index] ?? Number.NaN) - (before.get(key) ?? Number.NaN);
    if (gain >= CO_MOVEMENT.minGain && !gains.has(key)) gains.set(key, gain);
  }
  const sorted = [...gains].sort(([, one], [, other]) => one - other);
  if (sorted.length < 2) return [];
  const threshold = sorted[Math.min(sorted.length - 1, Math.floor(CO_MOVEMENT.quantile * sorted.length))]?.[1] ?? 0;
  const bands: GainBand[] = [];
  let start = 0;
  for (const [name, gain] of sorted) {
    if (gain < threshold) continue;
    let band = bands.at(-1);
    if (!band || gain > start * (1 + CO_MOVEMENT.tolerance)) {
      band = { names: [], gains: [] };
      bands.push(band);
      start = gain;
    }
    band.names.push(name);
    band.gains.push(gain);
  }
  return bands.filter(({ names }) => names.length >= 2 && names.length <= CO_MOVEMENT.maxBand);
}

/** A group of names with alike gains on a board. `hours`: bands with at least two of them. */
export interface MovingGroup {
  members: string[];
  hours: number;
  averageGain: number;
}

/** Groups of a board. `bands`: those of all hours. */
export function movingGroups(bands: readonly GainBand[]): MovingGroup[] {
  const cells = new Map<string, number>();
  const shared = new Map<string, Map<string, number>>();
  for (const { names } of bands) {
    for (const [index, one] of names.entries()) {
      cells.set(one, (cells.get(one) ?? 0) + 1);
      for (const other of names.slice(index + 1)) {
        const [low, high] = one < other ? [one, other] : [other, one];
        const counts = shared.get(low) ?? new Map<string, number>();
        shared.set(low, counts);
        counts.set(high, (counts.get(high) ?? 0) + 1);
      }
    }
  }
  const links: [string, string][] = [];
  for (const [one, counts] of shared) {
    for (const [other, count] of counts) {
      const rarer = Math.min(cells.get(one) ?? 0, cells.get(other) ?? 0);
      if (count >= CO_MOVEMENT.minHours && count >= CO_MOVEMENT.minRatio * rarer) links.push([one, other]);
    }
  }
  return denseGroups(links).map((members) => {
    const own = new Set(members);
    const used = bands.filter(({ names }) => names.filter((name) => own.has(name)).length >= 2);
    let gained = 0;
    for (const { names, gains } of bands) for (const [index, name] of names.entries()) if (own.has(name)) gained += gains[index] ?? 0;
    return { members, hours: used.length, averageGain: gained / members.length };
  });
}

/** Connected groups, without the members with the fewest links until enough pairs are linked or two members are left. */
export function denseGroups(links: readonly (readonly [string, string])[]): string[][] {
  const neighbours = new Map<string, Set<string>>();
  for (const [one, other] of links) {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const set = neighbours.get(from) ?? new Set<string>();
      neighbours.set(from, set.add(to));
    }
  }
  const seen = new Set<string>();
  const groups: string[][] = [];
  for (const start of [...neighbours.keys()].sort()) {
    if (seen.has(start)) continue;
    const group = new Set([start]);
    for (const name of group) for (const next of neighbours.get(name) ?? []) group.add(next);
    for (const name of group) seen.add(name);
    const degrees = new Map([...group].map((name) => [name, neighbours.get(name)?.size ?? 0]));
    let pairs = [...degrees.values()].reduce((sum, degree) => sum + degree, 0) / 2;
    while (group.size > 2 && pairs < CO_MOVEMENT.minDensity * ((group.size * (group.size - 1)) / 2)) {
      const [least] = [...degrees].reduce((min, entry) => (entry[1] < min[1] || (entry[1] === min[1] && entry[0] > min[0]) ? entry : min));
      pairs -= degrees.get(least) ?? 0;
      for (const name of neighbours.get(least) ?? []) if (group.has(name)) degrees.set(name, (degrees.get(name) ?? 1) - 1);
      group.delete(least);
      degrees.delete(least);
    }
    if (group.size >= CO_MOVEMENT.minGroup && pairs > 0) groups.push([...group].sort());
  }
  return groups;
}

const sizeTerm = (members: number) => 1 - 0.5 ** (members - 1);

/** Terms of the confidence in names with alike gains. `isNamed`: one stem covers most of them. */
export function coMovementTerms(hours: number, members: number, isNamed: boolean) {
  const matching = 1 - 0.6 ** (hours - 2);
  const size = sizeTerm(members);
  const confidence = 0.5 + 0.47 * (0.6 * matching + 0.4 * size) + (isNamed ? CO_MOVEMENT.stemBonus : 0);
  return {
    matching: roundTo(matching, 3),
    size: roundTo(size, 3),
    confidence: roundTo(Math.min(CLUSTER_CEILINGS.co_movement, confidence), 3),
  };
}

/** Names that are active in the same hours. `cohesion`: mean similarity of their active hours. */
export interface ScheduleGroup {
  members: string[];
  cohesion: number;
  averageHours: number;
}

/** Groups with the same active hours. `activeNames[i]`: the names that were active in hour `i`; null: unknown. */
export function scheduleGroups(activeNames: readonly (ReadonlySet<string> | null)[]): ScheduleGroup[] {
  const hoursOf = new Map<string, number[]>();
  for (const [slot, names] of activeNames.entries()) {
    for (const name of names ?? []) {
      const slots = hoursOf.get(name);
      if (slots) slots.push(slot);
      else hoursOf.set(name, [slot]);
    }
  }
  const most = Math.max(SCHEDULE.minHours, Math.floor(SCHEDULE.maxShare * activeNames.length));
  const blocks = new Map<string, string[]>();
  for (const [name, slots] of hoursOf) {
    if (slots.length < SCHEDULE.minHours || slots.length > most) continue;
    const key = [...new Set(slots.map((slot) => Math.floor(slot / SCHEDULE.blockHours)))].join();
    const block = blocks.get(key);
    if (block) block.push(name);
    else blocks.set(key, [name]);
  }
  const groups: ScheduleGroup[] = [];
  for (const block of blocks.values()) {
    if (block.length < 2 || block.length > SCHEDULE.maxBlock) continue;
    const sets = new Map(block.map((name) => [name, new Set(hoursOf.get(name))]));
    const similarity = (one: string, other: string) => jaccard(sets.get(one) ?? new Set(), sets.get(other) ?? new Set());
    for (const members of denseGroups(pairsOf(block).filter(([one, other]) => similarity(one, other) >= SCHEDULE.similarity))) {
      const averageHours = members.reduce((sum, name) => sum + (sets.get(name)?.size ?? 0), 0) / members.length;
      groups.push({ members, cohesion: mean(pairsOf(members).map(([one, other]) => similarity(one, other))), averageHours });
    }
  }
  return groups;
}

/** Confidence in names that are active in the same hours. */
export function scheduleConfidence(members: number, cohesion: number): number {
  return roundTo(Math.min(CLUSTER_CEILINGS.schedule, 0.5 + 0.35 * (0.6 * cohesion + 0.4 * sizeTerm(members))), 3);
}

export function pairsOf<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other): [Item, Item] => [one, other]));
}

/** Shared share of two sets; 0 for two empty ones. */
export function jaccard<Item>(one: ReadonlySet<Item>, other: ReadonlySet<Item>): number {
  let shared = 0;
  for (const item of one) if (other.has(item)) shared += 1;
  const union = one.size + other.size - shared;
  return union === 0 ? 0 : shared / union;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
