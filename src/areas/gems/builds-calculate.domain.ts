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

export interface BuildAnswer {
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
export function calculateBuilds(request: BuildRequest): BuildAnswer {
  const build = resolveBuild(request);
  const formula = createBuildFormula(build);
  const ranked: RankedLayout[] = [];
  for (const splits of splitsByPreference(build, formula)) {
    ranked.push(...bestLayouts(splits, formula, ROW_LIMIT - ranked.length));
    if (ranked.length === ROW_LIMIT) break;
  }
  const hasTarget = build.lightTarget !== 0;
  const results = ranked.map(({ layout, figures }, index): BuildRow => {
    return { rank: index + 1, layout: layoutText(layout, build.type, hasTarget), ...figures, boosts: boostsOf(layout) };
  });
  return { results, count: results.length };
}

/** Light splits in groups that are equally far from the target, the nearest first; one single group without a target. */
function splitsByPreference(build: Build, formula: BuildFormula): LightSplit[][] {
  const distanceOf = (split: LightSplit): number => Math.abs(formula.light(split) - build.lightTarget);
  const groups = Map.groupBy(lightSplits(build.type), (split) => (build.lightTarget === 0 ? 0 : distanceOf(split)));
  return [...groups].sort(([left], [right]) => left - right).map(([, splits]) => splits);
}

/** The `wanted` best layouts with one of these Light splits, or all when there are fewer. */
function bestLayouts(splits: readonly LightSplit[], formula: BuildFormula, wanted: number): RankedLayout[] {
  const contenders = bestTotals(splits, formula, wanted).map((total) => ({ total, figures: formula.figures(total) }));
  contenders.sort((left, right) => right.figures.coefficient - left.figures.coefficient);

  const best: RankedLayout[] = [];
  for (const tied of Map.groupBy(contenders, ({ figures }) => figures.coefficient).values()) {
    const layouts = tied.flatMap(({ total, figures }) => layoutsOf(total).map((layout) => ({ layout, figures })));
    best.push(...layouts.sort((left, right) => enumerationOrder(left.layout) - enumerationOrder(right.layout)));
    if (best.length >= wanted) break;
  }
  return best.slice(0, wanted);
}

/** Totals among which the `wanted` best layouts are sure to be: every total has at least one. */
function bestTotals(splits: readonly LightSplit[], formula: BuildFormula, wanted: number): BoostTotal[] {
  const scores: number[] = [];
  visitTotals(splits, (split, empowered, lesser) => scores.push(formula.coefficient(split, empowered, lesser)));
  const last = Float64Array.from(scores).sort().at(-wanted) ?? Number.NEGATIVE_INFINITY;
  // Rows are ordered by rounded figures: scores a rounding step below the last one may still tie with it.
  const floor = last - 2 * 10 ** -formula.decimals;
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
