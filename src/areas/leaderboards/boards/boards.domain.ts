import { CLASS_ORDER } from '../../../game/class-order.data.ts';
import { gameDayStart, gameWeekdayIndex, SECONDS_PER_DAY, SECONDS_PER_WEEK, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import {
  DELVE_BOARDS,
  DELVE_MINUTES,
  EFFORT_BOARDS,
  GEODE_LEVEL_CAP,
  MASTERY_BEYOND,
  MASTERY_STEPS,
  POWER_RANK_BOARDS,
} from '../leaderboards.data.ts';
import { KNOWN_BOARDS, type ResetCadence } from './board-table.data.ts';

/** Words that stay in lower case within a title, and abbreviations. */
const SMALL_WORDS = new Set(['a', 'an', 'as', 'for', 'of', 'the', 'this', 'with']);
const ACRONYMS = new Set(['CTF', 'MKII', 'PVP', 'XP']);

/** A text of the game that is all in capitals, as a title; other texts unchanged. */
export function titleCase(text: string): string {
  if (text !== text.toUpperCase()) return text;
  return text.replace(/[\p{L}\p{N}']+/gu, (word, at: number) => {
    if (ACRONYMS.has(word)) return word;
    const lower = word.toLowerCase();
    return at > 0 && SMALL_WORDS.has(lower) ? lower : lower.charAt(0).toUpperCase() + lower.slice(1);
  });
}

/** First board and subject of the boards that the game names after a class only, so that their names repeat. */
const CLASS_BOARDS = [
  [POWER_RANK_BOARDS.first, 'Power Rank'],
  [EFFORT_BOARDS, 'Effort'],
] as const;

/** The name of a board for people, which no other board has: `Knight, Power Rank`. */
export function boardTitle({ uuid, name }: { uuid: number; name: string }): string {
  const [, subject] = CLASS_BOARDS.find(([first]) => uuid >= first && uuid < first + CLASS_ORDER.length) ?? [];
  return subject === undefined ? titleCase(name) : `${titleCase(name)}, ${subject}`;
}

/** Reset cadences set by an administrator, by uuid of the board. */
export type ResetOverrides = ReadonlyMap<number, ResetCadence>;

const OVERRIDE = /^(\d{1,15}):(daily|weekly|none)$/;

/** Parses a comma-separated list of `<uuid>:daily|weekly|none`; skips invalid items. */
export function parseResetOverrides(text: string): ResetOverrides {
  const overrides = new Map<number, ResetCadence>();
  for (const item of text.split(',')) {
    const [, uuid, cadence] = OVERRIDE.exec(item.trim()) ?? [];
    if (uuid !== undefined) overrides.set(Number(uuid), cadence === 'none' ? 'never' : (cadence as ResetCadence));
  }
  return overrides;
}

/** Reset cadence of a board; unknown boards never reset. */
export function cadenceOf(uuid: number, overrides: ResetOverrides): ResetCadence {
  return overrides.get(uuid) ?? KNOWN_BOARDS.get(uuid)?.resets ?? 'never';
}

/** Whether a board is known never to reset; an unknown one may be a contest. */
export function isLasting(uuid: number, overrides: ResetOverrides): boolean {
  return (overrides.get(uuid) ?? KNOWN_BOARDS.get(uuid)?.resets) === 'never';
}

/** Maximum number of resets in a window. */
const MAX_BOUNDARIES = 4000;

/** Resets of a cadence in `(from, to]`, ascending. */
export function resetBoundaries(cadence: ResetCadence, from: UnixSeconds, to: UnixSeconds): UnixSeconds[] {
  const boundaries: UnixSeconds[] = [];
  const step = cadence === 'weekly' ? SECONDS_PER_WEEK : SECONDS_PER_DAY;
  for (let at = firstReset(cadence, from); at <= to && boundaries.length < MAX_BOUNDARIES; at += step) boundaries.push(at);
  return boundaries;
}

/** Whether a cadence has a reset in `(from, to]`. */
export function crossesReset(cadence: ResetCadence, from: UnixSeconds, to: UnixSeconds): boolean {
  return firstReset(cadence, from) <= to;
}

/** The first reset after an instant (exclusive): 11:00 UTC, for weekly boards on a Monday. */
function firstReset(cadence: ResetCadence, from: UnixSeconds): UnixSeconds {
  if (cadence === 'never') return Number.POSITIVE_INFINITY;
  const nextDay = gameDayStart(from) + SECONDS_PER_DAY;
  if (cadence === 'daily') return nextDay;
  return nextDay + ((7 - gameWeekdayIndex(nextDay)) % 7) * SECONDS_PER_DAY;
}

/** Compares two boards by the display order of the game; unknown boards come last, by uuid. */
export function byDisplayOrder(one: number, other: number): number {
  const displayIndexOf = (uuid: number) => KNOWN_BOARDS.get(uuid)?.displayIndex ?? KNOWN_BOARDS.size;
  return displayIndexOf(one) - displayIndexOf(other) || one - other;
}

interface NamedBoard {
  board: { category: string; name: string; uuid: number };
}

/** Compares two boards by category, then by name, case-insensitive. */
export function byCategory({ board: one }: NamedBoard, { board: other }: NamedBoard): number {
  const keyOf = ({ category, name, uuid }: NamedBoard['board']) => [foldCase(category), foldCase(name), uuid] as const;
  const [left, right] = [keyOf(one), keyOf(other)];
  const at = left.findIndex((value, index) => value !== right[index]);
  return at === -1 ? 0 : (left[at] ?? 0) < (right[at] ?? 0) ? -1 : 1;
}

/** Sort orders of a list of boards. */
export const BOARD_SORTS = namedValues('BoardSort', 'Sort order of a list of boards.', ['order', 'name', 'uuid']);

/** Sorts boards by the display order of the game, by name or by number. Equal names are sorted by number. */
export function sortBoards<Board extends { uuid: number; name: string }>(
  boards: readonly Board[],
  sort: (typeof BOARD_SORTS)[number],
): Board[] {
  return boards.toSorted((one, other) => {
    if (sort === 'order') return byDisplayOrder(one.uuid, other.uuid);
    return (sort === 'name' ? one.name.localeCompare(other.name, 'en') : 0) || one.uuid - other.uuid;
  });
}

/** False for boards that rank clubs. */
export function isPlayerBoard(uuid: number): boolean {
  return KNOWN_BOARDS.get(uuid)?.isPlayerBoard ?? true;
}

export type ResetKind = 'daily' | 'weekly' | 'default';

/** Reset cadence in response format. */
export function resetKindOf(uuid: number, overrides: ResetOverrides): ResetKind {
  const cadence: ResetCadence = cadenceOf(uuid, overrides);
  return cadence === 'never' ? 'default' : cadence;
}

/** Depth and time of a delve. */
interface Delve {
  depth: number;
  /** One decimal. */
  minutes: number;
}

/** Decodes the score of a delve board, `depth + 1 - sqrt(minutes / 180)`; null for other boards. */
export function delveOf(uuid: number, score: number): Delve | null {
  if (!DELVE_BOARDS.has(uuid)) return null;
  const depth = Math.floor(score);
  const timeRoot = 1 - (score - depth);
  return { depth, minutes: roundTo(DELVE_MINUTES * timeRoot * timeRoot, 1) };
}

interface MasteryLevel {
  level: number;
  pointsIntoLevel: number;
  pointsToNextLevel: number;
}

/** Points from `level - 1` to `level`. */
function costOf(level: number): number {
  const step = MASTERY_STEPS.find((candidate) => level <= candidate.level);
  return step ? step.points : MASTERY_BEYOND.base + Math.ceil((level - 300) * MASTERY_BEYOND.growth);
}

/** Beyond any reachable level; bounds the loop for invalid points. */
const MAX_LEVEL = 100_000;

/** Mastery level for a number of points, which are rounded. Levels start at 1. */
export function masteryLevel(points: number): MasteryLevel {
  let level = 1;
  let pointsLeft = Math.max(0, Math.round(points));
  for (let cost = costOf(level + 1); pointsLeft >= cost && level < MAX_LEVEL; cost = costOf(level + 1)) {
    pointsLeft -= cost;
    level += 1;
  }
  return { level, pointsIntoLevel: pointsLeft, pointsToNextLevel: costOf(level + 1) - pointsLeft };
}

/** Like `masteryLevel`, with the level cap of Geode Mastery. */
export function geodeLevel(points: number): MasteryLevel & { uncappedLevel: number; capped: boolean } {
  const { level, ...rest } = masteryLevel(points);
  return { level: Math.min(level, GEODE_LEVEL_CAP), ...rest, uncappedLevel: level, capped: level > GEODE_LEVEL_CAP };
}

/** A score in words: the depth of a delve, else the number. */
export function scoreText(uuid: number, score: number): string {
  const delve = delveOf(uuid, score);
  return delve ? `depth ${delve.depth}` : score.toLocaleString('en', { maximumFractionDigits: 2 });
}

/** The capture of an earlier game day that rows are compared with, or the reason why there is none. */
export interface Comparison {
  comparable: boolean;
  prevAnchor: UnixSeconds | null;
  reason: 'ok' | 'no_prior_snapshot' | 'crossed_reset';
}

/** `prevAnchor`: newest capture of the board before the game day of `anchor`, of any age; null if there is none. */
export function compareWith(prevAnchor: UnixSeconds | null, anchor: UnixSeconds, cadence: ResetCadence): Comparison {
  if (prevAnchor === null) return { comparable: false, prevAnchor, reason: 'no_prior_snapshot' };
  if (crossesReset(cadence, prevAnchor, anchor)) return { comparable: false, prevAnchor, reason: 'crossed_reset' };
  return { comparable: true, prevAnchor, reason: 'ok' };
}

/** A row of a board and its changes since the earlier game day. */
export interface Entry {
  rank: number;
  playerName: string;
  score: number;
  prevRank: number | null;
  prevScore: number | null;
  /** Ranks gained. */
  rankDelta: number | null;
  scoreDelta: number | null;
  isNew: boolean;
}

/** Hides floating-point errors of the difference; no score has more decimals. */
const DELTA_DECIMALS = 6;

/** `before`: the earlier row of the player; null if there is none, undefined if the captures are not comparable. */
export function toEntry(
  { rank, playerName, score }: Pick<Entry, 'rank' | 'playerName' | 'score'>,
  before: { rank: number; score: number } | null | undefined,
): Entry {
  const row = { rank, playerName, score };
  if (!before) return { ...row, prevRank: null, prevScore: null, rankDelta: null, scoreDelta: null, isNew: before === null };
  const { rank: prevRank, score: prevScore } = before;
  return { ...row, prevRank, prevScore, rankDelta: prevRank - rank, scoreDelta: roundTo(score - prevScore, DELTA_DECIMALS), isNew: false };
}

/** Rank and score of a player on a board at an instant. */
interface Point {
  createdAt: UnixSeconds;
  rank: number;
  score: number;
}

/** `synthetic`: derived from a reset of the board, not captured. */
export interface SeriesPoint extends Point {
  synthetic: boolean;
}

/**
 * Series of a player on a board, oldest first. A reset between two captures adds a point with the old score one second before
 * the reset and a point with score 0 at the reset, so that a chart drops at the right time.
 */
export function seriesPoints(real: readonly Point[], cadence: ResetCadence): SeriesPoint[] {
  const points: SeriesPoint[] = [];
  for (const [index, point] of real.entries()) {
    const before = real[index - 1];
    if (before) points.push(...resetPoints(before, point, cadence));
    points.push({ ...point, synthetic: false });
  }
  return points;
}

function resetPoints(before: Point, after: Point, cadence: ResetCadence): SeriesPoint[] {
  const points: SeriesPoint[] = [];
  // Only the first reset matters: after it the score is 0.
  const [reset] = before.score > 0 ? resetBoundaries(cadence, before.createdAt, after.createdAt) : [];
  if (reset === undefined) return points;
  points.push({ createdAt: reset - 1, rank: before.rank, score: before.score, synthetic: true });
  if (reset < after.createdAt) points.push({ createdAt: reset, rank: 0, score: 0, synthetic: true });
  return points;
}

/** At most `max` items, evenly sampled; includes the first and the last. */
export function sampleEvenly<Item>(items: readonly Item[], max: number): Item[] {
  if (items.length <= max) return [...items];
  const step = (items.length - 1) / (max - 1);
  return Array.from({ length: max }, (_, index) => items[Math.round(index * step)] as Item);
}

/** False only if rank 1 has the lowest score and the scores differ. */
export function isHigherBetter(scores: readonly number[]): boolean {
  const first = scores[0] ?? 0;
  let lowest = first;
  let highest = first;
  for (const score of scores) {
    lowest = Math.min(lowest, score);
    highest = Math.max(highest, score);
  }
  return first === highest || first !== lowest;
}
