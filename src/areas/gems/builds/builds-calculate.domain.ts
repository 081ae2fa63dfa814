import { type BuildFormula, createBuildFormula, type RowFigures } from './builds-formula.domain.ts';
import {
  type Boosts,
  type BoostTotal,
  boostsOf,
  enumerationOrder,
  freeEmpowered,
  freeLesser,
  type Layout,
  type LightSplit,
  layoutsOf,
  layoutText,
  lightSplits,
} from './builds-layouts.domain.ts';
import { type Build, type BuildRequest, resolveBuild } from './builds-request.domain.ts';

/** One way to spread the boosts of a full gem set, and what the build has with it. */
export interface BuildRow extends RowFigures {
  rank: number;
  layout: string;
  boosts: Boosts;
}

export interface BuildResponse {
  results: BuildRow[];
  count: number;
}

const ROW_LIMIT = 200;

/** A layout with the figures its boost total has. */
interface RankedLayout {
  layout: Layout;
  figures: RowFigures;
}

/**
 * The best layouts of a build: closest to the Light target if there is one, then by coefficient, then in enumeration order.
 * A Farm build has 53,200 layouts but only 7,084 boost totals; those are scored, and the best of them spelled out.
 */
export function calculateBuilds(request: BuildRequest): BuildResponse {
  const build = resolveBuild(request);
  const formula = createBuildFormula(build);
  const ranked: RankedLayout[] = [];
  for (const splits of splitsByPreference(build, formula)) {
    ranked.push(...bestLayouts(splits, formula, ROW_LIMIT - ranked.length));
    if (ranked.length === ROW_LIMIT) break;
  }
  const hasTarget = build.lightTarget !== 0;
  const results = ranked.map(({ layout, figures }, index) => toRow(index + 1, layoutText(layout, build.type, hasTarget), figures, layout));
  return { results, count: results.length };
}

/** Field by field: spreading the figures would take longer than working them out. */
function toRow(rank: number, text: string, figures: RowFigures, layout: Layout): BuildRow {
  const { base_dmg, crit_dmg, light, bonus_dmg, crit_bonus, total_dmg, class_bonus, coefficient } = figures;
  const boosts = boostsOf(layout);
  return { rank, layout: text, base_dmg, crit_dmg, light, bonus_dmg, crit_bonus, total_dmg, class_bonus, coefficient, boosts };
}

/** Light splits in groups that are equally far from the target, the nearest first; one single group without a target. */
function splitsByPreference(build: Build, formula: BuildFormula): LightSplit[][] {
  const distanceOf = (split: LightSplit): number => Math.abs(formula.light(split) - build.lightTarget);
  const groups = Map.groupBy(lightSplits(build.type), (split) => (build.lightTarget === 0 ? 0 : distanceOf(split)));
  return [...groups].sort(([left], [right]) => left - right).map(([, splits]) => splits);
}

/** The `wanted` best layouts with one of these Light splits, or all when there are fewer. */
function bestLayouts(splits: readonly LightSplit[], formula: BuildFormula, wanted: number): RankedLayout[] {
  const contenders = bestTotals(splits, formula, wanted).map((total): Contender => ({ total, figures: formula.figures(total) }));
  contenders.sort((left, right) => right.figures.coefficient - left.figures.coefficient);

  const best: RankedLayout[] = [];
  for (let start = 0; start < contenders.length && best.length < wanted; ) {
    const end = endOfTie(contenders, start);
    for (const layout of spellOut(contenders.slice(start, end))) best.push(layout);
    start = end;
  }
  return best.slice(0, wanted);
}

/** A boost total with its figures. */
interface Contender {
  total: BoostTotal;
  figures: RowFigures;
}

/** First place after `start` with another coefficient. */
function endOfTie(contenders: readonly Contender[], start: number): number {
  const coefficient = contenders[start]?.figures.coefficient;
  let end = start + 1;
  while (contenders[end]?.figures.coefficient === coefficient) end += 1;
  return end;
}

/** The layouts of equally good totals, in enumeration order; those of one total are in it already. */
function spellOut(tied: readonly Contender[]): RankedLayout[] {
  const layouts: RankedLayout[] = [];
  for (const { total, figures } of tied) {
    for (const layout of layoutsOf(total)) layouts.push({ layout, figures });
  }
  if (tied.length > 1) layouts.sort((left, right) => enumerationOrder(left.layout) - enumerationOrder(right.layout));
  return layouts;
}

/** Totals among which the `wanted` best layouts are sure to be: every total has at least one. */
function bestTotals(splits: readonly LightSplit[], formula: BuildFormula, wanted: number): BoostTotal[] {
  const scores: number[] = [];
  visitTotals(splits, (split, empowered, lesser) => scores.push(formula.coefficient(split, empowered, lesser)));
  const last = scores.length > wanted ? Float64Array.from(scores).sort().at(-wanted) : undefined;
  // Rows are ordered by rounded figures: scores a rounding step below the last one may still tie with it.
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
    const lastLesser = freeLesser(split);
    for (let empowered = 0; empowered <= freeEmpowered(split); empowered += 1) {
      for (let lesser = 0; lesser <= lastLesser; lesser += 1) visit(split, empowered, lesser);
    }
  }
}
