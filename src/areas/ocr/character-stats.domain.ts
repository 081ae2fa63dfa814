import { coefficientOf } from '../../game/coefficient.domain.ts';
import { roundTo } from '../../platform/kit/values/numbers.ts';
import { KNOWN_STATS, type KnownStat, type StatKey } from './character-stats.data.ts';
import { findLabel, type LabelMatch, type LineToken, type NumberToken, splitLabels, tokenizeLine } from './line-parts.domain.ts';
import type { Box } from './luminance.domain.ts';

/** A recognised stat. */
export interface ReadStat {
  /** An integer if the unit is `count`. */
  value: number;
  unit: 'count' | 'percent';
  /** Text of the number; empty for a derived stat. */
  raw: string;
  /** 0 to 1. */
  confidence: number;
  /** Whether the value is possible in the game. */
  inRange: boolean;
  /** Whether the presence of a percent sign matches the stat. */
  typeMatch: boolean;
  /** Whether the value is computed from other stats. */
  derived: boolean;
}

export interface CharacterStats {
  stats: Partial<Record<StatKey, ReadStat>>;
  /** Position of the number of each stat. */
  sources: ReadonlyMap<StatKey, NumberLocation>;
  /** Number of recognised stats. */
  matched: number;
  totalKnown: number;
}

/** Stats and text of an image. */
export interface SheetReading extends CharacterStats {
  /** Text of the image, row by row from the top. */
  lines: string[];
  /** Place of the number of each stat in the image. */
  boxes: ReadonlyMap<StatKey, Box>;
}

/** Position of a number in the text, with its surroundings. */
export interface NumberLocation {
  line: number;
  number: NumberToken;
  /** Words between the number and its label. */
  between: string;
  /** Whether another number is directly before or after it. */
  isBesideNumber: boolean;
}

/** Confidence of a doubtful number: below 0.9, the documented threshold of reliable values. */
export const DOUBTFUL_CONFIDENCE = 0.85;
/** Confidence of a number that may be a part of another one. */
const PART_CONFIDENCE = 0.5;

/** Returns the confidence of a number, 0 to 1. */
export type Confidence = (place: NumberLocation) => number;

/** Maximum distance in lines between a label and a number on another line. */
const MAX_LINE_DISTANCE = 4;
const OTHER_LINE_FACTOR = 0.85;
const OUT_OF_RANGE_FACTOR = 0.4;
const WRONG_KIND_FACTOR = 0.6;
const DISAGREEMENT_FACTOR = 0.5;
/** Maximum difference between the recognised and the computed coefficient to treat them as equal: the larger of a share and an amount. */
const SAME_SHARE = 0.005;
const SAME_AMOUNT = 5;
/** Rounding error of a displayed percentage: half of the last digit, with a tolerance. */
const DISPLAY_ROUNDING = 0.051;
/** Factor on the confidence of stats and coefficient if they are only approximately consistent. */
const APPROXIMATE_FACTOR = 0.88;

interface UnmatchedLabel {
  match: LabelMatch;
  line: number;
}

interface UnmatchedNumber {
  number: NumberToken;
  line: number;
}

/** Extracts stats from lines of text; of several matches of a stat, the one with the highest confidence. Computes a missing coefficient. */
export function extractCharacterStats(lines: readonly string[], confidenceOf: Confidence = () => 1): CharacterStats {
  const reader = new StatsReader(confidenceOf);
  const tokens = lines.map((line) => tokenizeLine(line).flatMap(splitAtLabels));
  const side = detectNumberSide(tokens);
  for (const [index, lineTokens] of tokens.entries()) reader.readLine(lineTokens, index, side);
  reader.matchRemaining();
  const stats = withCoefficient(reader.stats);
  return { stats, sources: reader.sources, matched: Object.keys(stats).length, totalKnown: KNOWN_STATS.length };
}

/** Splits a text token at its labels. */
function splitAtLabels(token: LineToken): LineToken[] {
  return token.kind === 'number' ? [token] : splitLabels(token.words).map((words) => ({ kind: 'text', words }));
}

class StatsReader {
  readonly stats: Partial<Record<StatKey, ReadStat>> = {};
  readonly sources = new Map<StatKey, NumberLocation>();
  readonly #confidenceOf: Confidence;
  readonly #unmatchedLabels: UnmatchedLabel[] = [];
  #unmatchedNumbers: UnmatchedNumber[] = [];

  constructor(confidenceOf: Confidence) {
    this.#confidenceOf = confidenceOf;
  }

  /** Pairs labels with adjacent numbers, from left to right. */
  readLine(tokens: readonly LineToken[], line: number, side: Side): void {
    const assigned = new Set<LineToken>();
    tokens.forEach((token, position) => {
      const match = token.kind === 'text' ? findLabel(token.words) : null;
      if (!match) return;
      const number = findAdjacentNumber(tokens, position, match.stat, assigned, side);
      if (number) {
        assigned.add(number);
        const index = tokens.indexOf(number);
        const between = index > position ? match.after : match.before;
        const isBesideNumber = [tokens[index - 1], tokens[index + 1]].some((other) => other?.kind === 'number');
        this.#record(match, { line, number, between, isBesideNumber }, 1);
      } else {
        this.#unmatchedLabels.push({ match, line });
      }
    });
    for (const token of tokens) if (token.kind === 'number' && !assigned.has(token)) this.#unmatchedNumbers.push({ number: token, line });
  }

  /** Pairs labels without a number with the nearest unassigned number of their kind. */
  matchRemaining(): void {
    for (const { match, line } of this.#unmatchedLabels) {
      if (this.stats[keyOf(match.stat)]) continue;
      const candidates = this.#unmatchedNumbers
        .filter(({ number, line: at }) => Math.abs(at - line) <= MAX_LINE_DISTANCE && number.isPercent === (match.stat.kind === 'percent'))
        .toSorted((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line) || one.line - other.line);
      const nearest = candidates[0];
      if (!nearest) continue;
      this.#unmatchedNumbers = this.#unmatchedNumbers.filter((unmatched) => unmatched !== nearest);
      this.#record(match, { ...nearest, between: '', isBesideNumber: false }, OTHER_LINE_FACTOR);
    }
  }

  #record({ stat, score }: LabelMatch, location: NumberLocation, factor: number): void {
    const { number } = location;
    const isPercent = stat.kind === 'percent';
    const value = isPercent ? number.value : Math.round(number.value);
    const inRange = value >= stat.min && value <= stat.max;
    const typeMatch = number.isPercent === isPercent;
    const penalty = (inRange ? 1 : OUT_OF_RANGE_FACTOR) * (typeMatch ? 1 : WRONG_KIND_FACTOR);
    const certainty = Math.min(
      this.#confidenceOf(location),
      location.isBesideNumber ? DOUBTFUL_CONFIDENCE : 1,
      number.isPart ? PART_CONFIDENCE : 1,
    );
    const confidence = roundTo(score * factor * penalty * certainty, 3);
    const previous = this.stats[keyOf(stat)];
    if (previous && previous.confidence >= confidence) return;
    const unit = isPercent ? 'percent' : 'count';
    this.sources.set(keyOf(stat), location);
    this.stats[keyOf(stat)] = { value, unit, raw: number.raw, confidence, inRange, typeMatch, derived: false };
  }
}

/** Position of the numbers of a sheet relative to their labels. */
type Side = 'before' | 'after';

/** Side of the numbers of a sheet: that of most labels with a number on only one side; `before` on a tie. */
function detectNumberSide(lines: readonly (readonly LineToken[])[]): Side {
  let after = 0;
  let before = 0;
  for (const tokens of lines) {
    tokens.forEach((token, position) => {
      if (token.kind !== 'text' || !findLabel(token.words)) return;
      const isBefore = tokens[position - 1]?.kind === 'number';
      const isAfter = tokens[position + 1]?.kind === 'number';
      if (isAfter && !isBefore) after++;
      if (isBefore && !isAfter) before++;
    });
  }
  return after > before ? 'after' : 'before';
}

/** Unassigned number directly before or after a label. Prefers numbers of the kind of the stat, then the side of the sheet. */
function findAdjacentNumber(
  tokens: readonly LineToken[],
  position: number,
  stat: KnownStat,
  assigned: ReadonlySet<LineToken>,
  side: Side,
): NumberToken | null {
  const indexes = side === 'before' ? [position - 1, position + 1] : [position + 1, position - 1];
  const beside = indexes
    .map((place) => tokens[place])
    .filter((token): token is NumberToken => token?.kind === 'number' && !assigned.has(token));
  return beside.find(({ isPercent }) => isPercent === (stat.kind === 'percent')) ?? beside[0] ?? null;
}

function keyOf(stat: KnownStat): StatKey {
  return stat.key as StatKey;
}

/** Adds the coefficient computed from the other stats, or verifies the recognised one with it. */
function withCoefficient(stats: CharacterStats['stats']): CharacterStats['stats'] {
  const { coefficient: recognised } = stats;
  const [physical, magic, critical] = (['physical_damage', 'magic_damage', 'critical_damage'] as const).map((key) => ifInRange(stats[key]));
  const inputs = [physical, magic, critical].filter((stat) => stat !== undefined);
  if (!critical || inputs.length < 2) return stats;
  const { coefficient: value } = coefficientOf({
    physical_damage: physical?.value,
    magic_damage: magic?.value,
    critical_damage: critical.value,
  });
  const lowest = Math.min(...inputs.map(({ confidence }) => confidence));
  const { max } = KNOWN_STATS.find(({ key }) => key === 'coefficient') ?? { max: 0 };
  if (!recognised) {
    return {
      ...stats,
      coefficient: { value, unit: 'count', raw: '', confidence: lowest, inRange: value <= max, typeMatch: true, derived: true },
    };
  }
  const difference = Math.abs(recognised.value - value);
  const isSame = difference <= Math.max(Math.round(value * SAME_SHARE), SAME_AMOUNT);
  if (!isSame) return { ...stats, coefficient: { ...recognised, confidence: roundTo(recognised.confidence * DISAGREEMENT_FACTOR, 3) } };
  const confidence = Math.max(recognised.confidence, lowest);
  // Displayed values are rounded; a larger difference means a misread value.
  const isExact = difference <= SAME_AMOUNT + (value * DISPLAY_ROUNDING) / (100 + critical.value);
  return isExact
    ? { ...stats, coefficient: { ...recognised, value, confidence } }
    : { ...withLowerConfidence(stats), coefficient: { ...recognised, value, confidence: lowerConfidence(confidence) } };
}

/** The stat if its value is possible; an impossible value was misread. */
function ifInRange(stat: ReadStat | undefined): ReadStat | undefined {
  return stat?.inRange ? stat : undefined;
}

/** Lowers the confidence of the stats that determine the coefficient. */
function withLowerConfidence(stats: CharacterStats['stats']): CharacterStats['stats'] {
  const inputs = (['physical_damage', 'magic_damage', 'critical_damage'] as const).flatMap((key) => {
    const stat = stats[key];
    return stat ? [[key, { ...stat, confidence: lowerConfidence(stat.confidence) }] as const] : [];
  });
  return { ...stats, ...Object.fromEntries(inputs) };
}

function lowerConfidence(confidence: number): number {
  return roundTo(confidence * APPROXIMATE_FACTOR, 3);
}
