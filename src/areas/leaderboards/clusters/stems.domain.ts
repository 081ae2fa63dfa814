import { roundTo } from '../../../platform/kit/values/rounding.ts';
import { comparedName } from '../captures/comparison.domain.ts';
import { CLUSTER_CEILINGS, STEM } from './clusters.data.ts';

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
export interface StemRow {
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
export function spreadOf(low: number, high: number): number {
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
