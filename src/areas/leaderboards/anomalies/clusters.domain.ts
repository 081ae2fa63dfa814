import type { BoardRows } from '../../../game/board-captures.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import { comparedName } from '../captures/board-rows.domain.ts';
import {
  ACTIVE_RANKS,
  CLUSTER_CEILINGS,
  CLUSTER_SIGNALS,
  type ClusterMethod,
  type ClusterSignal,
  CO_MOVEMENT,
  FUSION,
  MAX_CLUSTERS,
  SCHEDULE,
  STEM,
} from './anomalies.data.ts';

const LETTERS: Readonly<Record<string, string>> = {
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '|': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
};

/** The part of a name before its final digits, with letters for digits; null if the name does not end in a digit. */
export function stemOf(name: string): string | null {
  const lower = comparedName(name);
  if (!/\d$/.test(lower)) return null;
  let end = lower.length;
  while (end > 0 && /[\d\s_\-.#]/.test(lower[end - 1] ?? '')) end -= 1;
  const stem = [...lower.slice(0, end)].map((character) => LETTERS[character] ?? character).join('');
  return stem.length >= STEM.minLength ? stem : null;
}

/** A row of a board. */
interface StemRow {
  name: string;
  score: number;
  rank: number;
}

/** The largest set of rows whose scores differ by at most the band; the one with the lowest scores if several are equal. */
export function densestBand(rows: readonly StemRow[]): { rows: StemRow[]; spread: number } {
  const sorted = rows.toSorted((one, other) => one.score - other.score);
  let best = { from: 0, to: 0 };
  for (let from = 0, to = 0; to < sorted.length; to += 1) {
    while (spreadOf(sorted[from]?.score ?? 0, sorted[to]?.score ?? 0) > STEM.band) from += 1;
    if (to + 1 - from > best.to - best.from) best = { from, to: to + 1 };
  }
  const band = sorted.slice(best.from, best.to);
  return { rows: band, spread: spreadOf(band[0]?.score ?? 0, band.at(-1)?.score ?? 0) };
}

/** Difference of two scores as a share of the larger one. */
function spreadOf(low: number, high: number): number {
  return (high - low) / Math.max(Math.abs(high), Math.abs(low), 1e-9);
}

/** Families of a board by stem: at least `STEM.minNames` names with nearly equal scores. */
export function stemFamilies(rows: { names: readonly string[]; scores: ArrayLike<number>; ranks: readonly number[] }) {
  const byStem = new Map<string, Map<string, StemRow>>();
  for (const [index, name] of rows.names.entries()) {
    const stem = stemOf(name);
    if (stem === null) continue;
    const family = byStem.get(stem) ?? new Map<string, StemRow>();
    byStem.set(stem, family);
    const key = comparedName(name);
    // Rows are sorted by rank: the first one of a name is its best.
    if (!family.has(key)) family.set(key, { name, score: rows.scores[index] ?? 0, rank: rows.ranks[index] ?? 0 });
  }
  const merged = new Map<string, StemRow[]>();
  const rootOf = mergedStems([...byStem].flatMap(([stem, family]) => (family.size >= 2 ? [stem] : [])));
  for (const [stem, family] of byStem) {
    const root = rootOf.get(stem) ?? stem;
    merged.set(root, [...(merged.get(root) ?? []), ...family.values()]);
  }
  const families = new Map<string, { rows: StemRow[]; spread: number }>();
  for (const [stem, family] of merged) {
    const band = densestBand(family);
    if (band.rows.length >= STEM.minNames) families.set(stem, band);
  }
  return families;
}

/** Smallest similar stem of each stem: same first character, length at most one apart, few edits. */
function mergedStems(stems: readonly string[]): Map<string, string> {
  const roots = new Map<string, string>();
  const rootOf = (stem: string): string => {
    const parent = roots.get(stem);
    return parent === undefined || parent === stem ? stem : rootOf(parent);
  };
  for (const block of Map.groupBy(stems.toSorted(), (stem) => stem[0]).values()) {
    if (block.length > STEM.maxBlock) continue;
    for (const [index, one] of block.entries()) {
      for (const other of block.slice(index + 1)) {
        if (Math.abs(one.length - other.length) > 1 || !isSimilar(one, other)) continue;
        const [first, second] = [rootOf(one), rootOf(other)].toSorted();
        if (first !== undefined && second !== undefined) roots.set(second, first);
      }
    }
  }
  return new Map(stems.map((stem) => [stem, rootOf(stem)]));
}

/** Whether at most `STEM.maxEdits` edits turn one stem into the other. */
function isSimilar(one: string, other: string): boolean {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let place = 1; place <= other.length; place += 1) {
      const substitution = (row[place - 1] ?? 0) + (one[at - 1] === other[place - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[place] ?? 0) + 1, (next[place - 1] ?? 0) + 1));
    }
    row = next;
    if (Math.min(...row) > STEM.maxEdits) return false;
  }
  return (row[other.length] ?? 0) <= STEM.maxEdits;
}

/** Terms of the confidence in a family: `tightest` is the smallest spread on one of its boards. */
export function stemTerms(members: number, boards: number, tightest: number) {
  const closeness = 1 - tightest / STEM.band;
  const size = Math.min(1, Math.max(0, (members - STEM.minNames) / (STEM.fullSize - STEM.minNames)));
  const board = 1 - 0.5 ** boards;
  const confidence = Math.min(CLUSTER_CEILINGS.name_stem, 0.5 + 0.49 * (0.5 * closeness + 0.25 * size + 0.25 * board));
  return { closeness: roundTo(closeness, 3), size: roundTo(size, 3), board: roundTo(board, 3), confidence: roundTo(confidence, 3) };
}

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
interface MovingGroup {
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

function pairsOf<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other): [Item, Item] => [one, other]));
}

/** Shared share of two sets; 0 for two empty ones. */
function jaccard<Item>(one: ReadonlySet<Item>, other: ReadonlySet<Item>): number {
  let shared = 0;
  for (const item of one) if (other.has(item)) shared += 1;
  const union = one.size + other.size - shared;
  return union === 0 ? 0 : shared / union;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Members of a cluster on one board. Values of another method are null. */
export interface ClusterBoard<Board> {
  board: Board;
  /** Keys of `comparedName`. */
  members: string[];
  scores: { min: number; max: number; spread: number; rankMin: number; rankMax: number } | null;
  movement: { hours: number; averageGain: number } | null;
}

/** Names that may belong to one person. */
export interface Cluster<Board> {
  /** Null for names without a common stem. */
  stem: string | null;
  method: ClusterMethod;
  signals: ClusterSignal[];
  /** Keys of `comparedName`, sorted. */
  members: string[];
  boards: ClusterBoard<Board>[];
  confidence: number;
  summary: string;
  measurements: Record<string, number | boolean | string | null>;
}

/** Merges clusters that share a member. `boardsOf`: the boards on which a member was seen. Highest confidence first. */
export function fuse<Board>(clusters: readonly Cluster<Board>[], boardsOf: (member: string) => ReadonlySet<number>): Cluster<Board>[] {
  return connected(clusters)
    .map((parts) => fused(parts, boardsOf))
    .sort(
      (one, other) =>
        other.confidence - one.confidence ||
        other.members.length - one.members.length ||
        ((one.members[0] ?? '') < (other.members[0] ?? '') ? -1 : 1),
    )
    .slice(0, MAX_CLUSTERS);
}

/** Clusters in groups that share members, directly or through others. */
function connected<Board>(clusters: readonly Cluster<Board>[]): Cluster<Board>[][] {
  const groupOf = new Map<string, Cluster<Board>[]>();
  const groups = new Set<Cluster<Board>[]>();
  for (const cluster of clusters) {
    const touched = new Set(cluster.members.map((member) => groupOf.get(member)).filter((group) => group !== undefined));
    const group = [...[...touched].flat(), cluster];
    for (const old of touched) groups.delete(old);
    groups.add(group);
    for (const { members } of group) for (const member of members) groupOf.set(member, group);
  }
  return [...groups];
}

function fused<Board>(parts: readonly Cluster<Board>[], boardsOf: (member: string) => ReadonlySet<number>): Cluster<Board> {
  const [base, ...others] = parts.toSorted((one, other) => other.members.length - one.members.length || other.confidence - one.confidence);
  if (!base) throw new Error('a cluster has no parts');
  if (others.length === 0) return base;
  const members = [...new Set(parts.flatMap((part) => part.members))].sort();
  const found = new Set<ClusterSignal>(parts.flatMap(({ signals }) => signals));
  const sets = members.map(boardsOf).filter((boards) => boards.size > 0);
  if (sets.length >= 2 && mean(pairsOf(sets).map(([one, other]) => jaccard(one, other))) >= FUSION.footprint) found.add('footprint');
  const signals = CLUSTER_SIGNALS.filter((signal) => found.has(signal));
  const greatest = Math.max(...parts.map(({ confidence }) => confidence));
  const stem = base.stem ?? parts.find((part) => part.stem !== null)?.stem ?? null;
  return {
    ...base,
    members,
    signals,
    stem: found.has('name_stem') ? stem : null,
    method: methodOf(found),
    confidence: roundTo(Math.min(CLUSTER_CEILINGS.fused, greatest + FUSION.bonus * (signals.length - 1)), 3),
  };
}

function methodOf(signals: ReadonlySet<ClusterSignal>): ClusterMethod {
  const strongest = signals.has('co_movement') ? 'co_movement' : signals.has('schedule') ? 'schedule' : null;
  if (strongest === null) return 'name_stem';
  return signals.has('name_stem') ? 'both' : strongest;
}
