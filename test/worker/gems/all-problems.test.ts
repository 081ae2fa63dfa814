import { describe, expect, it } from 'vitest';
import { asToken } from '../../support/calculators.ts';
import { SCOPES } from '../../support/declarations.ts';
import { testApp } from '../platform/test-app.ts';

const gems = await asToken(testApp({ settings: {} }), SCOPES.bitOf('gems:read'));

const stat = (type: unknown, base: unknown = 0.5) => ({ type, containers: [{ base, augments: [] }] });

const PROBLEMS: [path: string, body: object, status: number, fields: string[]][] = [
  ['generate', { tier: 9, type: '1', element: 0, level: 0 }, 422, ['tier', 'type', 'element', 'level']],
  ['generate', { tier: 9, element: 0 }, 400, ['tier', 'element']],
  [
    'level-up',
    { gem: { tier: 9, type: 1, element: 'Fire', level: 99, stats: [stat(1), stat(8), stat(5, 2)], karma: 500 }, booster: 'booster3' },
    422,
    ['gem.tier', 'gem.element', 'gem.level', 'gem.stats.1.type', 'gem.stats.2.containers.0.base', 'gem.karma', 'booster'],
  ],
  ['augment', { gem: null, stat_position: 3, augment_type: 4 }, 422, ['gem', 'stat_position', 'augment_type']],
  [
    'evaluate',
    {
      tier: 5,
      type: 3,
      level: 99,
      stats: [
        { type: 8, value: 1 },
        { type: 1, value: 'x' },
        { type: 2, value: 1, extra_containers: -1 },
      ],
    },
    422,
    ['tier', 'type', 'level', 'stats.0.type', 'stats.1.value', 'stats.2.extra_containers'],
  ],
  ['evaluate-simple', { tier: 5, type: 3, level: 99 }, 400, ['tier', 'type', 'level']],
  [
    'builds/calculate',
    { build_type: 'x', character: 'x', subclass: 5, food: 'x', ally: 'x', critical_damage_count: 9 },
    422,
    ['character', 'build_type', 'subclass', 'food', 'ally', 'critical_damage_count'],
  ],
];

describe('validation of gem requests', () => {
  it.each(PROBLEMS)('reports every problem of a body at once: %s %j', async (path, input, status, fields) => {
    const { status: answered, body } = await gems.post(`/v1/gems/${path}`, input);
    const named = body.error.details.map(({ loc }: { loc: unknown[] }) => loc.slice(1).join('.'));
    expect([answered, named.toSorted()]).toEqual([status, fields.toSorted()]);
  });

  it('reports every problem of a query at once', async () => {
    const { status, body } = await gems.get('/v1/gems/stat-range?tier=9&type=x&stat_type=8&level=0');
    const named = body.error.details.map(({ loc }: { loc: unknown[] }) => loc.join('.'));
    expect([status, named]).toEqual([422, ['query.tier', 'query.type', 'query.stat_type', 'query.level']]);
  });
});
