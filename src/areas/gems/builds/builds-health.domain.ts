import { classStat, type GameClass } from '../../../game/classes.domain.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import { CRITICAL_HIT, EMPOWERED, LESSER, MAX_HEALTH, MAX_HEALTH_PERCENT, type TypeId } from '../gem.data.ts';
import type { Maybe } from '../gem-input.domain.ts';
import { CRITICAL_HIT_CAP, GEAR_LINES, GEM_SET, type GearLine, HEALTH_OPTIMIZER_SOURCES, type HealthStat } from './builds.data.ts';
import { calculateGemLine } from './builds-formula.domain.ts';
import { findClass } from './builds-request.domain.ts';
import { getChartSum, readStarChart, type StarChart } from './star-chart.domain.ts';

/** Request of the health optimizer; gear lines are boolean fields. */
export interface HealthRequest extends Partial<Record<GearLine, Maybe<boolean>>> {
  character?: Maybe<string>;
  star_chart?: Maybe<string>;
  high_precision?: Maybe<boolean>;
}

/** A number for each stat of third lines: values of the stats, or numbers of lines. */
interface HealthFigures {
  critical_hit: number;
  maximum_health: number;
  maximum_health_per: number;
}

export interface HealthRow extends HealthFigures {
  rank: number;
  layout: string;
  empowered: HealthFigures;
  lesser: HealthFigures;
  health: number;
}

export interface HealthResponse {
  base: HealthFigures;
  results: HealthRow[];
  count: number;
}

/** Third lines of all elemental gems, as numbers of gems per stat. */
interface LineSplit {
  layout: string;
  empowered: HealthFigures;
  lesser: HealthFigures;
}

/** Floating-point sums of lines that reach the cap exactly can be slightly below it. */
const CAP_TOLERANCE = 1e-9;

const EMPOWERED_LINE = lineValues(EMPOWERED);
const LESSER_LINE = lineValues(LESSER);

/** All splits in enumeration order: by Empowered gems, then Lesser gems. */
const LINE_SPLITS: readonly LineSplit[] = listLineCounts(GEM_SET.empowered.elemental).flatMap((empowered) =>
  listLineCounts(GEM_SET.lesser.elemental).map((lesser) => ({
    layout: `${formatLines(empowered)} ${formatLines(lesser)}`,
    empowered,
    lesser,
  })),
);

/** Third lines that reach the cap of Critical Hit, highest health first. */
export function optimizeHealth(request: HealthRequest): HealthResponse {
  const character = findClass(request.character ?? 'Bard', 'character');
  const base = baseFigures(request, character, readStarChart(request.star_chart));
  const highPrecision = request.high_precision === true;
  const round = (value: number): number => roundTo(value, highPrecision ? 8 : 2);

  const results = LINE_SPLITS.map((split) => ({ split, totals: mapFigures((stat) => totalOf(stat, base, split)) }))
    .filter(({ totals }) => totals.critical_hit >= CRITICAL_HIT_CAP - CAP_TOLERANCE)
    .map(({ split, totals }): HealthRow => {
      const figures = mapFigures((stat) => round(totals[stat]));
      return { rank: 0, ...split, ...figures, health: round(totals.maximum_health * (1 + totals.maximum_health_per / 100)) };
    })
    .sort((left, right) => right.health - left.health || left.critical_hit - right.critical_hit);
  results.forEach((row, index) => {
    row.rank = index + 1;
  });
  return { base: mapFigures((stat) => round(base[stat])), results, count: results.length };
}

/** Sums class and sources, then gear lines, then the star chart: the order of the additions affects rounding. */
function baseFigures(request: HealthRequest, character: GameClass, chart: StarChart): HealthFigures {
  const sumSources = (stat: HealthStat): number => {
    const sources = HEALTH_OPTIMIZER_SOURCES[stat].reduce((sum, value) => sum + value, 0);
    const lines = (Object.keys(GEAR_LINES) as GearLine[]).filter((line) => request[line] === true && GEAR_LINES[line].stat === stat);
    return lines.reduce((sum, line) => sum + GEAR_LINES[line].value, classStat(character, stat) + sources);
  };
  const health = getChartSum(chart, 'Maximum Health');
  return {
    critical_hit: sumSources('Critical Hit') + getChartSum(chart, 'Critical Hit').flat,
    maximum_health: sumSources('Maximum Health') + health.flat,
    maximum_health_per: sumSources('Maximum Health %') + health.scaling,
  };
}

function totalOf(stat: keyof HealthFigures, base: HealthFigures, { empowered, lesser }: LineSplit): number {
  return base[stat] + empowered[stat] * EMPOWERED_LINE[stat] + lesser[stat] * LESSER_LINE[stat];
}

/** Value of one line without boosts, including the set multiplier. */
function lineValues(type: TypeId): HealthFigures {
  return {
    critical_hit: calculateGemLine(type, CRITICAL_HIT).base * GEM_SET.multiplier,
    maximum_health: calculateGemLine(type, MAX_HEALTH).base * GEM_SET.multiplier,
    maximum_health_per: calculateGemLine(type, MAX_HEALTH_PERCENT).base * GEM_SET.multiplier,
  };
}

function mapFigures(figureOf: (stat: keyof HealthFigures) => number): HealthFigures {
  return {
    critical_hit: figureOf('critical_hit'),
    maximum_health: figureOf('maximum_health'),
    maximum_health_per: figureOf('maximum_health_per'),
  };
}

/** All combinations of the three stats over `gems` identical gems. */
function listLineCounts(gems: number): HealthFigures[] {
  const splits: HealthFigures[] = [];
  for (let criticalHit = gems; criticalHit >= 0; criticalHit -= 1) {
    for (let health = gems - criticalHit; health >= 0; health -= 1) {
      splits.push({ critical_hit: criticalHit, maximum_health: health, maximum_health_per: gems - criticalHit - health });
    }
  }
  return splits;
}

function formatLines(lines: HealthFigures): string {
  return `${lines.critical_hit}/${lines.maximum_health}/${lines.maximum_health_per}`;
}
