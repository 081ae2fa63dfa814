import { type BuildFormula, createBuildFormula, type RowFigures } from './builds-formula.domain.ts';
import {
  type Boosts,
  type BoostTotal,
  countFreeEmpowered,
  countFreeLesser,
  type Layout,
  type LightSplit,
  layoutSortKey,
  layoutText,
  lightSplits,
  listLayouts,
  toBoosts,
} from './builds-layouts.domain.ts';
import { type Build, type BuildRequest, resolveBuild } from './builds-request.domain.ts';

/** A boost layout of a full gem set with the resulting figures. */
export interface BuildRow extends RowFigures {
  rank: number;
  layout: string;
  boosts: Boosts;
}

export interface BuildResponse {
  results: BuildRow[];
  count: number;
}

const MAX_ROWS = 200;

/** A layout with the figures of its boost total. */
interface RankedLayout {
  layout: Layout;
  figures: RowFigures;
}

/**
 * Best layouts of a build: by distance to the Light target if there is one, then coefficient, then enumeration order. A Farm
 * build has 53,200 layouts but only 7,084 boost totals: totals are scored, and only the best are expanded to layouts.
 */
export function calculateBuilds(request: BuildRequest): BuildResponse {
  const build = resolveBuild(request);
  const formula = createBuildFormula(build);
  const ranked: RankedLayout[] = [];
  for (const splits of groupSplits(build, formula)) {
    ranked.push(...findBestLayouts(splits, formula, MAX_ROWS - ranked.length));
    if (ranked.length === MAX_ROWS) break;
  }
  const hasTarget = build.lightTarget !== 0;
  const results = ranked.map(({ layout, figures }, index) => toRow(index + 1, layoutText(layout, build.type, hasTarget), figures, layout));
  return { results, count: results.length };
}

/** Lists every field: object spread would take longer than the calculation. */
function toRow(rank: number, text: string, figures: RowFigures, layout: Layout): BuildRow {
  const { base_dmg, crit_dmg, light, bonus_dmg, crit_bonus, total_dmg, class_bonus, coefficient } = figures;
  const boosts = toBoosts(layout);
  return { rank, layout: text, base_dmg, crit_dmg, light, bonus_dmg, crit_bonus, total_dmg, class_bonus, coefficient, boosts };
}

/** Light splits grouped by distance to the target, nearest first; a single group without a target. */
function groupSplits(build: Build, formula: BuildFormula): LightSplit[][] {
  const distanceToTarget = (split: LightSplit): number => Math.abs(formula.light(split) - build.lightTarget);
  const groups = Map.groupBy(lightSplits(build.type), (split) => (build.lightTarget === 0 ? 0 : distanceToTarget(split)));
  return [...groups].sort(([left], [right]) => left - right).map(([, splits]) => splits);
}

/** Best layouts with one of these Light splits, at most `limit`. */
function findBestLayouts(splits: readonly LightSplit[], formula: BuildFormula, limit: number): RankedLayout[] {
  const scoredTotals = findBestTotals(splits, formula, limit).map((total): ScoredTotal => ({ total, figures: formula.figures(total) }));
  scoredTotals.sort((left, right) => right.figures.coefficient - left.figures.coefficient);

  const best: RankedLayout[] = [];
  for (let start = 0; start < scoredTotals.length && best.length < limit; ) {
    const end = findTieEnd(scoredTotals, start);
    for (const layout of expandLayouts(scoredTotals.slice(start, end))) best.push(layout);
    start = end;
  }
  return best.slice(0, limit);
}

/** A boost total with its figures. */
interface ScoredTotal {
  total: BoostTotal;
  figures: RowFigures;
}

/** First index after `start` with a different coefficient. */
function findTieEnd(scoredTotals: readonly ScoredTotal[], start: number): number {
  const coefficient = scoredTotals[start]?.figures.coefficient;
  let end = start + 1;
  while (scoredTotals[end]?.figures.coefficient === coefficient) end += 1;
  return end;
}

/** Layouts of totals with equal coefficients, in enumeration order. `listLayouts` returns the layouts of one total in this order. */
function expandLayouts(tied: readonly ScoredTotal[]): RankedLayout[] {
  const layouts: RankedLayout[] = [];
  for (const { total, figures } of tied) {
    for (const layout of listLayouts(total)) layouts.push({ layout, figures });
  }
  if (tied.length > 1) layouts.sort((left, right) => layoutSortKey(left.layout) - layoutSortKey(right.layout));
  return layouts;
}

/** Totals that include those of the best `limit` layouts: every total has at least one layout. */
function findBestTotals(splits: readonly LightSplit[], formula: BuildFormula, limit: number): BoostTotal[] {
  const scores: number[] = [];
  visitTotals(splits, (split, empowered, lesser) => scores.push(formula.coefficient(split, empowered, lesser)));
  const last = scores.length > limit ? Float64Array.from(scores).sort().at(-limit) : undefined;
  // Rows are sorted by rounded figures: a score one rounding step below the last one may tie with it.
  const floor = (last ?? Number.NEGATIVE_INFINITY) - 2 * 10 ** -formula.decimals;
  const best: BoostTotal[] = [];
  let visited = 0;
  visitTotals(splits, (split, empoweredDamage, lesserDamage) => {
    if ((scores[visited++] ?? 0) >= floor) best.push({ split, empoweredDamage, lesserDamage });
  });
  return best;
}

function visitTotals(
  splits: readonly LightSplit[],
  visit: (split: LightSplit, empoweredDamage: number, lesserDamage: number) => void,
): void {
  for (const split of splits) {
    const lastLesser = countFreeLesser(split);
    for (let empowered = 0; empowered <= countFreeEmpowered(split); empowered += 1) {
      for (let lesser = 0; lesser <= lastLesser; lesser += 1) visit(split, empowered, lesser);
    }
  }
}
