import { describe, expect, it } from 'vitest';
import { GEM_SET } from '../../../../src/areas/gems/builds/builds.data.ts';
import { calculateBuilds } from '../../../../src/areas/gems/builds/builds-calculate.domain.ts';
import { rankBuildChanges } from '../../../../src/areas/gems/builds/builds-changes.domain.ts';
import { listLayoutGems } from '../../../../src/areas/gems/builds/builds-gems.domain.ts';
import { STAR_CHART_NODES } from '../../../../src/areas/gems/builds/star-chart.data.ts';
import {
  asOther,
  buildOf,
  buildRequest,
  buildsFields,
  chartAxis,
  otherBuild,
  sortRows,
  stateChangeOf,
} from '../../../../src/areas/portal/tools/builds/builds-tool.domain.ts';
import { CHART_BRANCHES, neighbourOf, nodeText } from '../../../../src/areas/portal/tools/builds/star-chart-layout.domain.ts';
import { initialState } from '../../../../src/areas/portal/tools/frame/state.domain.ts';

const example = initialState(buildsFields);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe('listLayoutGems', () => {
  it.each(['Light', 'Farm', 'Health'] as const)('returns the gems that add up to the differences between layouts of a %s build', (type) => {
    const request = { ...buildRequest(example), build_type: type };
    const [best, ...others] = calculateBuilds(request).results;
    if (!best) throw new Error('no layout');
    const ofSet = (row: typeof best, position: number) =>
      GEM_SET.multiplier *
      sumOf(listLayoutGems(row.boosts, type, 'Physical').map(({ lines, count }) => count * (lines[position]?.value ?? 0)));
    for (const row of others.slice(0, 30)) {
      expect(ofSet(row, 0) - ofSet(best, 0)).toBeCloseTo(row.base_dmg - best.base_dmg, 1);
      expect(ofSet(row, 1) - ofSet(best, 1)).toBeCloseTo(row.crit_dmg - best.crit_dmg, 0);
    }
  });

  it('has all gems of a set, each with all its boosts', () => {
    const [best] = calculateBuilds({}).results;
    const gems = listLayoutGems(
      best?.boosts ?? { empowered: [0, 0], lesser: [0, 0], cosmic_empowered: [0, 0, 0], cosmic_lesser: [0, 0, 0] },
      'Light',
      'Magic',
    );
    expect(sumOf(gems.map(({ count }) => count))).toBe(12);
    for (const { lines } of gems) expect(sumOf(lines.map(({ boosts }) => boosts))).toBe(GEM_SET.boostsPerGem);
  });
});

describe('rankBuildChanges', () => {
  it('returns the changes with the coefficient that the optimizer returns after each', () => {
    const before = calculateBuilds(buildRequest(example)).results[0]?.coefficient ?? 0;
    const shares: number[] = [];
    const changes = rankBuildChanges(buildRequest(example), (share) => shares.push(share));
    expect(changes.length).toBeGreaterThan(1);
    for (const { change, coefficient, gain } of changes) {
      const applied = { ...example, ...stateChangeOf(change) };
      expect(calculateBuilds(buildRequest(applied)).results[0]?.coefficient).toBe(coefficient);
      expect(coefficient - before).toBeCloseTo(gain, 6);
    }
    expect(changes.map(({ gain }) => gain)).toEqual(changes.map(({ gain }) => gain).toSorted((left, right) => right - left));
    expect(shares.at(-1)).toBe(1);
  });
});

describe('asOther', () => {
  it('keeps a build as text', () => {
    const build = { ...example, class: 'Ice Sage', light: 11_000, chart: 'SC:cb1a1|pb0b1a1' };
    for (const each of [example, build]) expect(otherBuild({ other: asOther(each) })).toEqual(buildOf(each));
    expect(otherBuild(example)).toBeNull();
  });
});

describe('sortRows', () => {
  it('sorts by a column, highest first', () => {
    const rows = calculateBuilds({ build_type: 'Farm', light: 9000 }).results;
    const sorted = sortRows(rows, 'light').map(({ light }) => light);
    expect(sorted).toEqual(sorted.toSorted((left, right) => right - left));
    expect(sortRows(rows, 'rank')).toEqual(rows);
    const varied = rows.map((row, index) => ({ ...row, light: index }));
    expect([chartAxis(varied, 'Farm').key, chartAxis(calculateBuilds({}).results, 'Light').key]).toEqual(['light', 'base_dmg']);
  });
});

describe('CHART_BRANCHES', () => {
  it('places every node once, after its parent', () => {
    const placed = CHART_BRANCHES.flatMap(({ nodes }) => nodes);
    expect(placed.map(({ id }) => id).toSorted((left, right) => left - right)).toEqual(STAR_CHART_NODES.map((_, id) => id));
    expect(new Set(CHART_BRANCHES.flatMap(({ root, nodes }) => nodes.map(({ column, row }) => `${root} ${column} ${row}`))).size).toBe(120);
    for (const { parent, column } of placed) expect(placed.find(({ id }) => id === parent)?.column ?? -1).toBe(column - 1);
    for (const { node } of placed) expect(nodeText(node)).not.toBe('');
  });

  it('reaches every node of a branch with the arrow keys', () => {
    for (const branch of CHART_BRANCHES) {
      const reached = new Set([branch.nodes[0]?.id ?? 0]);
      for (const id of reached) for (const move of ['in', 'out', 'up', 'down'] as const) reached.add(neighbourOf(branch, id, move));
      expect(reached.size).toBe(branch.nodes.length);
    }
  });
});
