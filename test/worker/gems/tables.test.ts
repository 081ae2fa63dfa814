import { describe, expect, it } from 'vitest';
import { asToken, faultAt, faultIn } from '../../support/calculators.ts';
import { SCOPES } from '../../support/declarations.ts';
import { exampleStatRange, exampleTotals } from '../../unit/gems/support/gems.ts';
import { testApp } from '../platform/test-app.ts';

const gems = await asToken(testApp({ settings: {} }), SCOPES.bitOf('gems:read'));
const strangers = await asToken(testApp({ settings: {} }), SCOPES.bitOf('stats:read'));

const totals = (rows: { name: string; count: number }[]) => Object.fromEntries(rows.map(({ name, count }) => [name, count]));

describe('GET /v1/gems/lookups', () => {
  it('lists every enumeration', async () => {
    const { body } = await gems.get('/v1/gems/lookups');
    const lists = ['tiers', 'types', 'elements', 'restrictions', 'stat_types', 'augment_types', 'abilities', 'boosters', 'empowered_gems'];
    expect(lists.map((name) => body[name].length)).toEqual([4, 2, 4, 2, 10, 3, 12, 4, 92]);
    expect(body.abilities_by_element.Cosmic).toEqual([9, 10, 11, 12]);
    expect(body.karma_max).toBe(125);
  });
});

describe('GET /v1/gems/level-costs', () => {
  it('returns the documented values', async () => {
    const { body } = await gems.get('/v1/gems/level-costs?tier=1&type=1&element=3&from_level=20');
    const column = (name: string) => body.levels.map((row: Record<string, unknown>) => row[name]);
    expect(['level', 'karma_per_fail', 'expected_attempts', 'max_attempts'].map(column)).toEqual([
      [21, 22, 23],
      [10, 8, 4],
      [7.46, 9.21, 18.23],
      [13, 16, 32],
    ]);
    expect(totals(body.expected_total)).toEqual({ Flux: 3350, 'Air Gem Dust': 14_479 });
    expect(body.exact_attempts).toBe(34.79);
  });

  it('includes the booster in chances and costs', async () => {
    const { body } = await gems.get('/v1/gems/level-costs?tier=3&type=1&element=2&from_level=27&booster=booster2');
    expect(body.levels.map(({ chance }: { chance: number }) => Math.round(chance * 1e5) / 1e5)).toEqual([0.06, 0.02835, 0.01905]);
    expect(totals(body.levels[0].cost)).toEqual({ 'Fire Gem Dust': 2750, 'Fire Gem Spark': 6, 'Glittering Horseshoe': 1 });
    expect(totals(body.expected_total)).toEqual(exampleTotals.boosted);
  });

  it('defaults to a Lesser Mystic Water gem', async () => {
    const { body } = await gems.get('/v1/gems/level-costs');
    expect([body.tier, body.type, body.element, body.booster, body.levels.length]).toEqual([4, 1, 1, null, 34]);
    expect(totals(body.expected_total)).toEqual(exampleTotals.mystic);
  });

  it('returns no rows for a gem at or above its maximum level', async () => {
    for (const from of [35, 36, 1_000_000_000_000]) {
      const { body } = await gems.get(`/v1/gems/level-costs?from_level=${from}`);
      expect([body.from_level, body.levels, body.expected_total, body.exact_attempts]).toEqual([from, [], [], 0]);
    }
  });

  it.each([
    ['tier=5', 400, 'tier'],
    ['tier=-1', 400, 'tier'],
    ['type=0', 400, 'type'],
    ['element=9', 400, 'element'],
    ['booster=booster3', 400, 'booster'],
    ['tier=4.0', 422, 'tier'],
    ['tier=four', 422, 'tier'],
    ['from_level=0', 422, 'from_level'],
    ['from_level=-1', 422, 'from_level'],
    ['from_level=1e3', 422, 'from_level'],
    ['from_level=1000000000001', 422, 'from_level'],
  ])('returns $1 for ?$0', async (query, status, field) => {
    expect(faultIn(await gems.get(`/v1/gems/level-costs?${query}`))).toEqual(faultAt(status, `query.${field}`));
  });
});

describe('GET /v1/gems/stat-range', () => {
  it('returns the documented values', async () => {
    const { body } = await gems.get('/v1/gems/stat-range?tier=3&type=1&stat_type=1&level=12&extra_containers=2');
    expect(body).toEqual(exampleStatRange);
  });

  it('defaults to Cosmic for Light and returns 400 for any other element', async () => {
    expect((await gems.get('/v1/gems/stat-range?tier=4&type=1&stat_type=7')).body.element).toBe(4);
    expect(faultIn(await gems.get('/v1/gems/stat-range?tier=4&type=1&stat_type=7&element=2'))).toEqual([
      400,
      'bad_request',
      'query.element',
    ]);
  });

  it.each([
    ['type=1&stat_type=1', 422, 'tier'],
    ['tier=1&type=1&stat_type=8', 400, 'stat_type'],
    ['tier=1&type=1&stat_type=11', 400, 'stat_type'],
    ['tier=1&type=1&stat_type=1&level=0', 422, 'level'],
    ['tier=1&type=1&stat_type=1&extra_containers=-1', 422, 'extra_containers'],
  ])('returns $1 for ?$0', async (query, status, field) => {
    expect(faultIn(await gems.get(`/v1/gems/stat-range?${query}`))).toEqual(faultAt(status, `query.${field}`));
  });
});

const READS = ['lookups', 'level-costs', 'level-costs?tier=2', 'stat-range?tier=1&type=1&stat_type=1', 'builds/options'];

describe.each(READS.map((read) => `/v1/gems/${read}`))('%s', (path) => {
  it('is cacheable for an hour and returns 304 when the ETag matches', async () => {
    const first = await gems.get(path);
    const etag = first.headers.get('ETag') ?? '';
    expect([etag, first.headers.get('Cache-Control')]).toEqual([expect.stringMatching(/^"[\w-]{16}"$/), 'private, max-age=3600']);
    const again = await gems.get(path, { 'If-None-Match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('requires the scope', async () => {
    expect(faultIn(await strangers.get(path)).slice(0, 2)).toEqual([403, 'insufficient_scope']);
  });
});
