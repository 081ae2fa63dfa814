import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STAR_CHART_NODES } from '../../../../src/areas/gems/builds/star-chart.data.ts';
import { encodeStarChart, readStarChart, toggleNode, viewStarChart } from '../../../../src/areas/gems/builds/star-chart.domain.ts';
import { exampleStarChart } from '../support/gems.ts';
import { PROPERTY_RUNS } from '../support/run-size.ts';

const base64 = (bytes: Iterable<number>) => btoa(String.fromCharCode(...bytes));
const pathList = (paths: readonly string[]) => base64(new TextEncoder().encode(paths.join('$')));
const everyNode = STAR_CHART_NODES.map(({ path }) => path);

describe('STAR_CHART_NODES', () => {
  it('has 120 nodes in code-point order, including every parent and overwritten node', () => {
    expect(everyNode).toHaveLength(120);
    expect(everyNode).toEqual([...everyNode].sort());
    for (const { path, overwrites = [] } of STAR_CHART_NODES) {
      const parent = path.split('.').slice(0, -1).join('.');
      expect([...everyNode, 'combat', 'gathering', 'pve']).toContain(parent);
      for (const other of overwrites) expect(everyNode).toContain(other);
    }
  });
});

describe('readStarChart', () => {
  it.each(['SC:Jnc', 'v2:Jnc=', '  SC:Jnc\n', 'SC:cb1a1|pb0b1a1', 'v2: CB1A1 |pb0b1a1|zz9|c|', 'SC:JnfI_w'])('decodes %j', (code) => {
    const view = viewStarChart(code);
    expect(view.stats).toMatchObject(code === 'SC:JnfI_w' ? {} : exampleStarChart.stats);
    expect(view.paths_count).toBe(10);
  });

  it('sums the bonuses of the documented example', () => {
    expect(viewStarChart('SC:Jnc')).toMatchObject(exampleStarChart);
    expect(Object.keys(viewStarChart('SC:Jnc').stats)).toHaveLength(6);
  });

  it('selects only the nodes of a path list, without ancestors', () => {
    const view = viewStarChart(pathList(['combat.b.1.a.1', 'combat', 'nowhere', 'pve.b.0.b.1.a.1']));
    expect(view.paths_count).toBe(2);
    expect(view.stats).toEqual({ 'Critical Damage': { flat: 10, pct: 0 }, Light: { flat: 50, pct: 0 } });
  });

  it('sums the bonuses of the complete chart without overwritten nodes', () => {
    const { stats, bounty_hunt: hunt, paths_count: count } = viewStarChart(pathList(everyNode));
    expect(count).toBe(120);
    expect(stats).toMatchObject({
      'Physical Damage': { pct: 68 },
      'Magic Damage': { pct: 62 },
      'Maximum Health': { pct: 124 },
      'Critical Damage': { flat: 71 },
      'Critical Hit': { flat: 69 },
      Light: { flat: 250 },
    });
    expect(hunt).toEqual({ available: true, name: 'Bounty Hunt', physical: 15, magic: 15 });
  });

  it('uses the smaller boss buff until it is overwritten', () => {
    expect(viewStarChart('SC:pb0a1a|').bounty_hunt).toEqual({ available: true, name: 'Bounty Hunt Boon', physical: 10, magic: 10 });
    expect(viewStarChart('SC:pb0a1a0|').bounty_hunt).toMatchObject({ name: 'Bounty Hunt', physical: 15 });
  });

  it('deactivates the nodes that an overwritten node overwrites', () => {
    const chart = readStarChart('SC:ca1a0b1a|ca1a0a|');
    expect(chart.active.map(({ name }) => name)).not.toContain('Reflection');
  });

  it.each([
    null,
    undefined,
    '',
    '   ',
    'SC:',
    'sc:Jnc',
    'SC:J',
    'SC:Jn$c',
    'SC:Jn+/',
    'SC:____',
    '%%%',
    'Y29t',
    'gICA',
    'SC:|||',
    'SC:cb1a1',
  ])('selects nothing for %j', (code) => {
    expect(viewStarChart(code)).toMatchObject({ stats: {}, abilities: [], paths_count: 0 });
  });

  it('lists the abilities of active nodes', () => {
    expect(viewStarChart('SC:ca0|').abilities).toEqual(['critical hits: 5% chance of +20 Critical Hit for 10 s']);
  });

  it('decodes 10,000 tokens and never throws', () => {
    expect(viewStarChart(`SC:${'cb1a1|'.repeat(10_000)}`).paths_count).toBe(4);
    expect(viewStarChart(`SC:${'x|'.repeat(10_000)}`).paths_count).toBe(0);
    const prefix = fc.constantFrom('', 'SC:', 'v2:');
    fc.assert(
      fc.property(prefix, fc.string(), (start, rest) => viewStarChart(start + rest).paths_count >= 0),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('returns the same chart for ids and tokens', () => {
    const tokenOf = (path: string) => path.replace(/^(\w)\w+/, '$1').replaceAll('.', '');
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(119), { minLength: 1 }), (ids) => {
        const tokens = ids.map((id) => tokenOf(everyNode[id] ?? ''));
        const byIds = readStarChart(`SC:${base64(ids).replaceAll('+', '-').replaceAll('/', '_')}`);
        expect(byIds).toEqual(readStarChart(`v2:${tokens.join('|')}|`));
        const paths = byIds.selected.map((id) => everyNode[id] ?? '');
        expect(readStarChart(pathList(paths))).toEqual(byIds);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

describe('encodeStarChart', () => {
  const selections = fc
    .uniqueArray(fc.nat(119))
    .map((ids) => readStarChart(`SC:${base64(ids).replaceAll('+', '-').replaceAll('/', '_')}`).selected);

  it('returns the documented example', () => expect(encodeStarChart(readStarChart('SC:cb1a1|pb0b1a1').selected)).toBe('SC:Jnc'));

  it('returns an empty code for an empty selection', () => expect(encodeStarChart([])).toBe(''));

  it('returns a code that selects the same nodes', () => {
    fc.assert(
      fc.property(selections, (selected) => {
        expect(readStarChart(encodeStarChart(selected)).selected).toEqual(selected);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('is still exact after any node was selected or removed', () => {
    fc.assert(
      fc.property(selections, fc.nat(119), (selected, id) => {
        const toggled = toggleNode(selected, id);
        expect(toggled.includes(id)).toBe(!selected.includes(id));
        expect(readStarChart(encodeStarChart(toggled)).selected).toEqual(toggled);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});
