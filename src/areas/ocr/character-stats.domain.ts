import { coefficientOf } from '../../game/coefficient.domain.ts';
import { roundTo } from '../../platform/values/rounding.ts';
import { KNOWN_STATS, type KnownStat, type StatKey } from './character-stats.data.ts';
import { type LineToken, type NumberToken, tokensOf } from './line-tokens.domain.ts';
import { type LabelMatch, labelIn, piecesOf } from './stat-labels.domain.ts';

/** A stat as it was read. */
export interface ReadStat {
  /** Whole for plain numbers. */
  value: number;
  unit: 'count' | 'percent';
  /** The number as it stood there; empty for a derived one. */
  raw: string;
  /** 0 to 1. */
  confidence: number;
  /** Whether the game can show such a value. */
  inRange: boolean;
  /** Whether a percent sign was there just when it belongs there. */
  typeMatch: boolean;
  /** Computed from other stats rather than read. */
  derived: boolean;
}

export interface CharacterStats {
  stats: Partial<Record<StatKey, ReadStat>>;
  /** Position of the number of each stat. */
  sources: ReadonlyMap<StatKey, NumberPlace>;
  /** Stats found. */
  matched: number;
  totalKnown: number;
}

/** Stats and text of an image. */
export interface SheetReading extends CharacterStats {
  /** Its text, row by row from the top. */
  lines: string[];
}

/** A number in the lines: which line, where in it, and what is around it. */
export interface NumberPlace {
  line: number;
  number: NumberToken;
  /** Words between it and its label. */
  between: string;
  /** Its part of the digits that stand together, 0 to 1: with a number directly before or after it, the two may be parts of one. */
  share: number;
}

/** Confidence of a doubtful number; clients rely on values from 0.9. */
export const DOUBTFUL = 0.85;

/** Confidence of a number, 0 to 1. */
export type Confidence = (place: NumberPlace) => number;

/** How far a label looks for a number on other lines. */
const LINES_AROUND = 4;
const OTHER_LINE_FACTOR = 0.85;
const OUT_OF_RANGE_FACTOR = 0.4;
const WRONG_KIND_FACTOR = 0.6;
const DISAGREEMENT_FACTOR = 0.5;
/** A coefficient this near to the computed one is the same, misread: the larger of a share and an amount. */
const SAME_SHARE = 0.005;
const SAME_AMOUNT = 5;
/** Half of the last digit that a percentage is shown with, and a little. */
const SHOWN_ROUNDING = 0.051;
/** For stats and a coefficient that agree only nearly. */
const NEARLY_FACTOR = 0.88;

interface Waiting {
  match: LabelMatch;
  line: number;
}

interface Orphan {
  number: NumberToken;
  line: number;
}

/** The stats in lines of text, each the surest of its readings; the coefficient from the others where it lacks. */
export function extractCharacterStats(lines: readonly string[], surety: Confidence = () => 1): CharacterStats {
  const reader = new StatsReader(surety);
  const tokens = lines.map((line) => tokensOf(line).flatMap(byLabel));
  const side = numberSide(tokens);
  for (const [index, inLine] of tokens.entries()) reader.readLine(inLine, index, side);
  reader.settleWaiting();
  const stats = withCoefficient(reader.stats);
  return { stats, sources: reader.sources, matched: Object.keys(stats).length, totalKnown: KNOWN_STATS.length };
}

/** Text with several labels, one after the other. */
function byLabel(token: LineToken): LineToken[] {
  return token.kind === 'number' ? [token] : piecesOf(token.words).map((words) => ({ kind: 'text', words }));
}

class StatsReader {
  readonly stats: Partial<Record<StatKey, ReadStat>> = {};
  readonly sources = new Map<StatKey, NumberPlace>();
  readonly #surety: Confidence;
  readonly #waiting: Waiting[] = [];
  #orphans: Orphan[] = [];

  constructor(surety: Confidence) {
    this.#surety = surety;
  }

  /** Pairs labels with the numbers beside them, from the left. */
  readLine(tokens: readonly LineToken[], line: number, side: Side): void {
    const taken = new Set<LineToken>();
    tokens.forEach((token, position) => {
      const match = token.kind === 'text' ? labelIn(token.words) : null;
      if (!match) return;
      const number = numberBeside(tokens, position, match.stat, taken, side);
      if (number) {
        taken.add(number);
        const place = tokens.indexOf(number);
        const between = place > position ? match.after : match.before;
        const share = shareOf(number, [tokens[place - 1], tokens[place + 1]]);
        this.#record(match, { line, number, between, share }, 1);
      } else {
        this.#waiting.push({ match, line });
      }
    });
    for (const token of tokens) if (token.kind === 'number' && !taken.has(token)) this.#orphans.push({ number: token, line });
  }

  /** Labels without a number take the nearest unassigned one of their kind. */
  settleWaiting(): void {
    for (const { match, line } of this.#waiting) {
      if (this.stats[keyOf(match.stat)]) continue;
      const fitting = this.#orphans
        .filter(({ number, line: at }) => Math.abs(at - line) <= LINES_AROUND && number.isPercent === (match.stat.kind === 'percent'))
        .toSorted((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line) || one.line - other.line);
      const nearest = fitting[0];
      if (!nearest) continue;
      this.#orphans = this.#orphans.filter((orphan) => orphan !== nearest);
      this.#record(match, { ...nearest, between: '', share: 1 }, OTHER_LINE_FACTOR);
    }
  }

  #record({ stat, score }: LabelMatch, place: NumberPlace, factor: number): void {
    const { number } = place;
    const isPercent = stat.kind === 'percent';
    const value = isPercent ? number.value : Math.round(number.value);
    const inRange = value >= stat.min && value <= stat.max;
    const typeMatch = number.isPercent === isPercent;
    const doubt = (inRange ? 1 : OUT_OF_RANGE_FACTOR) * (typeMatch ? 1 : WRONG_KIND_FACTOR);
    const surety = Math.min(this.#surety(place), place.share < 1 ? DOUBTFUL : 1, isPercent ? place.share : 1);
    const confidence = roundTo(score * factor * doubt * surety, 3);
    const known = this.stats[keyOf(stat)];
    if (known && known.confidence >= confidence) return;
    const unit = isPercent ? 'percent' : 'count';
    this.sources.set(keyOf(stat), place);
    this.stats[keyOf(stat)] = { value, unit, raw: number.raw, confidence, inRange, typeMatch, derived: false };
  }
}

/** The digits of a number among those of the numbers beside it and its own. */
function shareOf(number: NumberToken, beside: readonly (LineToken | undefined)[]): number {
  const digitsOf = ({ raw }: NumberToken) => raw.replaceAll(/\D/g, '').length;
  const others = beside.reduce((sum, token) => sum + (token?.kind === 'number' ? digitsOf(token) : 0), 0);
  return digitsOf(number) / (digitsOf(number) + others);
}

/** Where the numbers of a sheet stand: before their labels or after them. */
type Side = 'before' | 'after';

/** A sheet has its numbers on one side. Labels with a number on just one side tell which; before, when they do not. */
function numberSide(lines: readonly (readonly LineToken[])[]): Side {
  let after = 0;
  let before = 0;
  for (const tokens of lines) {
    tokens.forEach((token, position) => {
      if (token.kind !== 'text' || !labelIn(token.words)) return;
      const isBefore = tokens[position - 1]?.kind === 'number';
      const isAfter = tokens[position + 1]?.kind === 'number';
      if (isAfter && !isBefore) after++;
      if (isBefore && !isAfter) before++;
    });
  }
  return after > before ? 'after' : 'before';
}

/** The number directly before or after a label that is not taken: one of its kind rather, the one on the sheet's side rather. */
function numberBeside(
  tokens: readonly LineToken[],
  position: number,
  stat: KnownStat,
  taken: ReadonlySet<LineToken>,
  side: Side,
): NumberToken | null {
  const places = side === 'before' ? [position - 1, position + 1] : [position + 1, position - 1];
  const beside = places
    .map((place) => tokens[place])
    .filter((token): token is NumberToken => token?.kind === 'number' && !taken.has(token));
  return beside.find(({ isPercent }) => isPercent === (stat.kind === 'percent')) ?? beside[0] ?? null;
}

/** Every known stat's key is one of the list. */
function keyOf(stat: KnownStat): StatKey {
  return stat.key as StatKey;
}

/** Adds the coefficient that the other stats give, or checks the one that was read against it. */
function withCoefficient(stats: CharacterStats['stats']): CharacterStats['stats'] {
  const { coefficient: own } = stats;
  const [physical, magic, critical] = (['physical_damage', 'magic_damage', 'critical_damage'] as const).map((key) => usable(stats[key]));
  const inputs = [physical, magic, critical].filter((stat) => stat !== undefined);
  if (!critical || inputs.length < 2) return stats;
  const { coefficient: value } = coefficientOf({
    physical_damage: physical?.value,
    magic_damage: magic?.value,
    critical_damage: critical.value,
  });
  const lowest = Math.min(...inputs.map(({ confidence }) => confidence));
  const { max } = KNOWN_STATS.find(({ key }) => key === 'coefficient') ?? { max: 0 };
  if (!own) {
    return {
      ...stats,
      coefficient: { value, unit: 'count', raw: '', confidence: lowest, inRange: value <= max, typeMatch: true, derived: true },
    };
  }
  const difference = Math.abs(own.value - value);
  const isSame = difference <= Math.max(Math.round(value * SAME_SHARE), SAME_AMOUNT);
  if (!isSame) return { ...stats, coefficient: { ...own, confidence: roundTo(own.confidence * DISAGREEMENT_FACTOR, 3) } };
  const confidence = Math.max(own.confidence, lowest);
  // Displayed values are rounded; a larger difference means a misread value.
  const isExact = difference <= SAME_AMOUNT + (value * SHOWN_ROUNDING) / (100 + critical.value);
  return isExact
    ? { ...stats, coefficient: { ...own, value, confidence } }
    : { ...withLowerConfidence(stats), coefficient: { ...own, value, confidence: lowered(confidence) } };
}

/** A stat that can be computed with: what the game cannot show was misread. */
function usable(stat: ReadStat | undefined): ReadStat | undefined {
  return stat?.inRange ? stat : undefined;
}

/** Lowers the confidence of the stats in a coefficient. */
function withLowerConfidence(stats: CharacterStats['stats']): CharacterStats['stats'] {
  const inputs = (['physical_damage', 'magic_damage', 'critical_damage'] as const).flatMap((key) => {
    const stat = stats[key];
    return stat ? [[key, { ...stat, confidence: lowered(stat.confidence) }] as const] : [];
  });
  return { ...stats, ...Object.fromEntries(inputs) };
}

function lowered(confidence: number): number {
  return roundTo(confidence * NEARLY_FACTOR, 3);
}
