import { describe, expect, it } from 'vitest';
import { createBuildOptions } from '../../../../src/areas/gems/builds/builds-request.domain.ts';
import { asToken, faultAt, faultIn } from '../../../support/calculators.ts';
import { SCOPES } from '../../../support/declarations.ts';
import { exampleBuilds, exampleHealth, exampleStarChart } from '../../../unit/gems/support/gems.ts';
import { testApp } from '../../platform/test-app.ts';

const gems = await asToken(testApp({ settings: {} }), SCOPES.bitOf('gems:read'));

const calculate = (body?: unknown) => gems.post('/v1/gems/builds/calculate', body);
const optimize = (body?: unknown) => gems.post('/v1/gems/builds/health-optimizer', body);

describe('GET /v1/gems/builds/options', () => {
  it('lists every value', async () => {
    const { body } = await gems.get('/v1/gems/builds/options');
    expect(body).toEqual(createBuildOptions());
  });
});

describe('POST /v1/gems/builds/calculate', () => {
  it.each(exampleBuilds)('returns the documented %s build', async (_kind, request, total, best) => {
    const { results, count } = (await calculate(request)).body;
    expect([count, results.length, results.slice(0, best.length)]).toEqual([total, total, best]);
  });

  it('adds the bonuses of a star chart', async () => {
    expect(
      (await calculate({ character: 'Vanguardian', subclass: 'Lunar Lancer', star_chart: 'SC:Jnc' })).body.results[0].coefficient,
    ).toBe(47_105_648.4);
  });

  it('uses defaults for absent and null fields', async () => {
    const plain = (await calculate({ character: 'Bard', subclass: 'Boomeranger', food: '', ally: 'boot_clown', critical_damage_count: 3 }))
      .text;
    for (const body of [undefined, '', 'null', '{}', '{"character":null,"light":null,"ally_buff":null,"unknown":1}']) {
      const response = await calculate(body);
      expect([response.status, response.text === plain]).toEqual([200, true]);
    }
  });

  it.each([
    [{ character: 'bard' }, 400, 'character'],
    [{ subclass: 'Nobody' }, 400, 'subclass'],
    [{ build_type: 'light' }, 422, 'build_type'],
    [{ food: 'Zephyr Rune' }, 422, 'food'],
    [{ ally: '' }, 422, 'ally'],
    [{ critical_damage_count: 4 }, 422, 'critical_damage_count'],
    [{ critical_damage_count: -1 }, 422, 'critical_damage_count'],
    [{ critical_damage_count: 1.5 }, 422, 'critical_damage_count'],
    [{ light: -1 }, 422, 'light'],
    [{ light: 2e12 }, 422, 'light'],
    [{ light: '10000' }, 422, 'light'],
    [{ no_face: 1 }, 422, 'no_face'],
    [{ star_chart: 5 }, 422, 'star_chart'],
  ])('returns $1 for $0', async (body, status, field) => {
    expect(faultIn(await calculate(body))).toEqual(faultAt(status, `body.${field}`));
  });

  it.each(['1e999', '1e308'])('returns 422 for a Light of %s', async (text) => {
    expect(faultIn(await calculate(`{"light":${text}}`))).toEqual([422, 'validation_error', 'body.light']);
  });

  it('returns the nearest allowed value for an unknown value', async () => {
    const { body } = await calculate({ character: 'knight' });
    expect(body.error.details[0].nearest).toBe('Knight');
    expect(body.error.details[0].allowed).toHaveLength(18);
  });

  it('ignores an invalid star chart of any length', async () => {
    const plain = (await calculate({})).text;
    for (const star_chart of ['', '!', 'SC:', 'SC:zzzz|', 'v2:*', `SC:${'zz9|'.repeat(10_000)}`]) {
      expect((await calculate({ star_chart })).text === plain).toBe(true);
    }
    const everything = await calculate({ star_chart: `SC:${'cb1a1|pb0b1a1|'.repeat(5000)}` });
    expect(everything.text === (await calculate({ star_chart: 'SC:Jnc' })).text).toBe(true);
  });

  it('returns 413 for a body above 256 KiB', async () => {
    expect(faultIn(await calculate({ star_chart: 'x'.repeat(256 * 1024) }))).toEqual([413, 'bad_request', undefined]);
  });
});

describe('POST /v1/gems/builds/health-optimizer', () => {
  it('returns the documented values', async () => {
    const { request, best, ...totals } = exampleHealth;
    const { base, results, count } = (await optimize(request)).body;
    expect([{ base, count }, results.length, results[0]]).toEqual([totals, count, best]);
  });

  it('accepts a complete build or an empty body', async () => {
    const plain = (await optimize()).text;
    expect((await optimize({ build_type: 'nonsense', light: -5, food: 7, subclass: 'Nobody' })).text === plain).toBe(true);
    expect(faultIn(await optimize({ character: 'Nobody' }))).toEqual([400, 'bad_request', 'body.character']);
  });
});

describe('POST /v1/gems/builds/parse-star-chart', () => {
  const parse = async (star_chart: unknown) => (await gems.post('/v1/gems/builds/parse-star-chart', { star_chart })).body;

  it('returns the documented values', async () => {
    const chart = await parse('SC:Jnc');
    expect(chart).toMatchObject(exampleStarChart);
    expect(await parse(' SC:cb1a1|pb0b1a1 ')).toEqual(chart);
  });

  it.each([null, '', '%%%', 'SC:a'])('selects nothing for %j', async (code) => {
    expect((await parse(code)).paths_count).toBe(0);
  });
});
