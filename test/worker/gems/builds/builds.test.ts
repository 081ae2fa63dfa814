import { describe, expect, it } from 'vitest';
import { asToken, faultIn } from '../../../support/calculators.ts';
import { SCOPES } from '../../../support/declarations.ts';
import { exampleStarChart } from '../../../unit/gems/support/gems.ts';
import { testApp } from '../../platform/test-app.ts';

const gems = await asToken(testApp({ settings: {} }), SCOPES.bitOf('gems:read'));

const calculate = (body?: unknown) => gems.post('/v1/gems/builds/calculate', body);
const optimize = (body?: unknown) => gems.post('/v1/gems/builds/health-optimizer', body);

describe('GET /v1/gems/builds/options', () => {
  it('lists every value', async () => {
    const { body } = await gems.get('/v1/gems/builds/options');
    expect([body.build_type, body.character.length, body.food.length]).toEqual([['Light', 'Farm', 'Health'], 18, 4]);
    expect(body.ally[0]).toEqual({ key: 'boot_clown', label: 'No ally' });
    expect(body.critical_damage_count).toEqual({ min: 0, max: 3, default: 3 });
    expect(body.flags).toContain('high_precision');
    expect(Object.keys(body.notes).toSorted()).toEqual(
      ['ally', 'ally_buff', 'bounty_hunt', 'food', 'high_precision', 'light', 'star_chart', 'subclass'].toSorted(),
    );
  });
});

describe('POST /v1/gems/builds/calculate', () => {
  const lancer = { character: 'Vanguardian', subclass: 'Lunar Lancer' };

  it('returns the documented Light build', async () => {
    const { results, count } = (await calculate({ ...lancer, food: 'zephyr_rune' })).body;
    expect([count, results.length]).toEqual([190, 190]);
    expect(results[0]).toEqual({
      rank: 1,
      layout: '9/0/2/16',
      base_dmg: 420_667.1,
      crit_dmg: 5093.3,
      light: 12_994.5,
      bonus_dmg: 114.999994,
      crit_bonus: 0,
      total_dmg: 904_434.24,
      class_bonus: 0,
      coefficient: 46_969_983.26,
      boosts: { empowered: [9, 0], lesser: [2, 16], cosmic_empowered: [0, 0, 3], cosmic_lesser: [0, 0, 6] },
    });
    expect(results[1]).toMatchObject({ rank: 2, layout: '9/0/3/15', coefficient: 46_960_147.24 });
  });

  it('returns the documented Farm build', async () => {
    const { results, count } = (await calculate({ build_type: 'Farm', character: 'Knight', subclass: 'Ice Sage', light: 10_000 })).body;
    expect(count).toBe(200);
    expect(results.slice(0, 2)).toMatchObject([
      { layout: '9/0/0/18 + 2/0/1/3/2/1', light: 9987, coefficient: 53_041_429.84 },
      { layout: '9/0/1/17 + 2/0/1/2/3/1', light: 9987, coefficient: 53_041_429.84 },
    ]);
  });

  it('returns the documented Health build', async () => {
    const { results, count } = (await calculate({ build_type: 'Health', character: 'Vanguardian', subclass: 'Bard' })).body;
    expect(count).toBe(190);
    expect(results[0]).toMatchObject({
      layout: '3/6/10/8 + 0/0/0/0',
      base_dmg: 1_284_003.5,
      crit_dmg: 12_750.2,
      light: 5439.5,
      class_bonus: null,
      coefficient: 164_996_375.76,
    });
  });

  it('adds the bonuses of a star chart', async () => {
    expect((await calculate({ ...lancer, star_chart: 'SC:Jnc' })).body.results[0].coefficient).toBe(47_105_648.4);
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
    expect(faultIn(await calculate(body))).toEqual([status, status === 400 ? 'bad_request' : 'validation_error', `body.${field}`]);
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
    const { base, results, count } = (await optimize({ character: 'Shadow Hunter', hat_health: true })).body;
    expect([base, count, results.length]).toEqual([{ critical_hit: 32.3, maximum_health: 131_250, maximum_health_per: 859 }, 155, 155]);
    expect(results[0]).toMatchObject({
      rank: 1,
      layout: '0/0/3 3/3/0',
      empowered: { critical_hit: 0, maximum_health: 0, maximum_health_per: 3 },
      lesser: { critical_hit: 3, maximum_health: 3, maximum_health_per: 0 },
      critical_hit: 111.5,
      maximum_health: 318_360,
      maximum_health_per: 2903.35,
      health: 9_561_465.06,
    });
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
