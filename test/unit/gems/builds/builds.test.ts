import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculateBuilds } from '../../../../src/areas/gems/builds/builds-calculate.domain.ts';
import { buildTotals, calculateGemLine } from '../../../../src/areas/gems/builds/builds-formula.domain.ts';
import { optimizeHealth } from '../../../../src/areas/gems/builds/builds-health.domain.ts';
import { type BuildRequest, createBuildOptions, resolveBuild } from '../../../../src/areas/gems/builds/builds-request.domain.ts';
import { seededRandom } from '../../../../src/platform/kit/random.ts';
import { GEM_LINES, naiveBuilds } from '../support/builds-oracle.ts';
import { faultOf, invalid, refused } from '../support/errors.ts';
import { exampleBuilds, exampleHealth } from '../support/gems.ts';
import { naiveHealth } from '../support/health-oracle.ts';
import { randomBuild, randomHealthRequest } from '../support/random-builds.ts';
import { BUILD_CONFIGURATIONS, FARM_CONFIGURATIONS } from '../support/run-size.ts';

const totals = (request: BuildRequest) => buildTotals(resolveBuild(request));

describe('calculateBuilds', () => {
  it.each(exampleBuilds)('returns the documented %s example', (_kind, request, total, best) => {
    const { results, count } = calculateBuilds(request);
    expect([count, results.slice(0, best.length)]).toEqual([total, best]);
  });

  it('adds the bonuses of a star chart', () => {
    const [best] = calculateBuilds({ character: 'Vanguardian', subclass: 'Lunar Lancer', star_chart: 'SC:Jnc' }).results;
    expect(best?.coefficient).toBe(47105648.4);
  });

  it('returns layouts with Cosmic gems, in the same order, for a Light build with a target', () => {
    const plain = calculateBuilds({});
    const aimed = calculateBuilds({ light: 12000 });
    expect(aimed.results.map(({ layout }) => layout)).toEqual(plain.results.map(({ layout }) => `${layout} + 0/0/3/0/0/6`));
  });

  it('returns eight decimals with high_precision', () => {
    const [best] = calculateBuilds({ character: 'Vanguardian', high_precision: true, critical_damage_count: 1 }).results;
    expect(String(best?.crit_dmg)).toMatch(/\.\d{6}$/);
  });

  it('returns the result of sorting all layouts, for random builds', () => {
    const random = seededRandom('builds');
    for (let made = 0; made < BUILD_CONFIGURATIONS; made += 1) {
      const type = made < FARM_CONFIGURATIONS ? 'Farm' : made % 3 === 0 ? 'Health' : 'Light';
      const request = randomBuild(random, type);
      const [fast, naive] = [calculateBuilds(request), naiveBuilds(request)];
      if (!isDeepStrictEqual(fast, naive)) expect(fast, JSON.stringify(request)).toEqual(naive);
    }
  }, 600_000);
});

describe('buildTotals', () => {
  const physical = { character: 'Vanguardian', subclass: 'Knight' };
  const base = totals(physical);

  it.each<[string, BuildRequest, object]>([
    ['the damage type of the class', { character: 'Bard', subclass: 'Knight' }, { damage: 46000 + 2376 + 6400 + 7507.499512 }],
    ['no face', { ...physical, no_face: true }, { damage: base.damage - 7507.499512 }],
    ['missing critical lines', { ...physical, critical_damage_count: 1 }, { critical: base.critical - 96.2 }],
    [
      'food of the other damage type',
      { ...physical, food: 'fishing_spell_3_base' },
      { light: 7505, damagePercent: base.damagePercent, critical: base.critical + 15 },
    ],
    ['food of its own damage type', { ...physical, food: 'fishing_phys_3_base' }, { damagePercent: base.damagePercent + 6 }],
    [
      'an ally that multiplies Critical Damage',
      { ...physical, ally: 'spidermonkey_heckbug', ally_buff: false },
      { criticalPercent: 143.5, light: 7367.5 },
    ],
    [
      'an ally with its buff',
      { ...physical, ally: 'spidermonkey_stars' },
      { damagePercent: base.damagePercent + 36.25 * 1.31, light: 7105 + 808.5 },
    ],
    ['Solarion as class and subclass, once', { character: 'Solarion', subclass: 'Solarion' }, { light: 7245, classBonus: 10 }],
    ['Lunar Lancer on a physical class', { ...physical, subclass: 'Lunar Lancer' }, { damage: base.damage + 750 }],
    ['Ice Sage on a physical class', { ...physical, subclass: 'Ice Sage' }, { damage: base.damage }],
    ['Bard as subclass', { ...physical, subclass: 'Bard' }, { critical: base.critical + 20 }],
    [
      'Bard at work',
      { ...physical, subclass: 'Bard', subclass_active: true },
      { critical: base.critical + 65, damagePercent: base.damagePercent + 45 },
    ],
    ['a subclass without an active bonus', { ...physical, subclass_active: true }, base],
    ['litany and Berserk Battler', { ...physical, litany: true, berserker_battler: true }, { lightPercent: 101, light: 7855 }],
    [
      'a boss buff that the chart unlocks',
      { ...physical, bounty_hunt: true, star_chart: 'SC:pb0a1a0|' },
      { damagePercent: base.damagePercent + 15 },
    ],
    ['a boss buff without a chart', { ...physical, bounty_hunt: true }, base],
    ['an undecodable chart', { ...physical, star_chart: '???' }, base],
    [
      'Health, which ignores the rest',
      { ...physical, build_type: 'Health', food: 'zephyr_rune', star_chart: 'SC:Jnc', litany: true },
      { light: 0, damagePercent: 0, classBonus: null },
    ],
  ])('includes %s', (_, request, expected) => {
    const found: Record<string, unknown> = { ...totals(request) };
    for (const [field, value] of Object.entries(expected)) {
      if (typeof value === 'number') expect(found[field]).toBeCloseTo(value, 8);
      else expect(found[field]).toBe(value);
    }
  });

  it.each<[BuildRequest, unknown]>([
    [{ build_type: 'light' }, invalid('build_type')],
    [{ character: 'bard' }, refused('character')],
    [{ character: 'constructor' }, refused('character')],
    [{ subclass: '' }, refused('subclass')],
    [{ food: 'cake' }, invalid('food')],
    [{ ally: '' }, invalid('ally')],
    [{ critical_damage_count: 4 }, invalid('critical_damage_count')],
    [{ critical_damage_count: -1 }, invalid('critical_damage_count')],
    [{ critical_damage_count: 1.5 }, invalid('critical_damage_count')],
    [{ light: -1 }, invalid('light')],
    [{ light: Number.NaN }, invalid('light')],
    [{ light: 1e308 }, invalid('light')],
  ])('rejects %j', (request, fault) => {
    expect(faultOf(() => calculateBuilds(request))).toEqual(fault);
  });

  it('treats null as absent in every field', () => {
    const fields = [
      'build_type',
      'character',
      'subclass',
      'food',
      'ally',
      'critical_damage_count',
      'light',
      'star_chart',
      'ally_buff',
      'no_face',
    ];
    fc.assert(
      fc.property(fc.subarray(fields), (absent) => {
        expect(calculateBuilds(Object.fromEntries(absent.map((field) => [field, null])))).toEqual(calculateBuilds({}));
      }),
      { numRuns: 20 },
    );
  });
});

describe('calculateSetLine and calculateGemLine', () => {
  it('return the values of the gem tables', () => {
    const stats = { damage: 1, critical: 3, hit: 4, health: 5, healthPercent: 6, light: 7 } as const;
    for (const [name, stat] of Object.entries(stats) as [keyof typeof stats, (typeof stats)[keyof typeof stats]][]) {
      expect(calculateGemLine(2, stat)).toEqual({ base: GEM_LINES.empowered[name][0], perBoost: GEM_LINES.empowered[name][1] });
      expect(calculateGemLine(1, stat)).toEqual({ base: GEM_LINES.lesser[name][0], perBoost: GEM_LINES.lesser[name][1] });
    }
  });
});

describe('optimizeHealth', () => {
  it('returns the documented example', () => {
    const { request, ...expected } = exampleHealth;
    const { base, results, count } = optimizeHealth(request);
    expect({ base, count, best: results[0] }).toEqual(expected);
  });

  it('includes splits of exactly 100 % Critical Hit despite rounding errors', () => {
    const { results } = optimizeHealth({ character: 'Knight' });
    expect(results.some((row) => row.critical_hit === 100 && row.lesser.critical_hit === 3)).toBe(true);
  });

  it('finds splits for every class and rejects unknown classes', () => {
    for (const character of createBuildOptions().character) expect(optimizeHealth({ character }).count).toBeGreaterThan(0);
    expect(faultOf(() => optimizeHealth({ character: 'Nobody' }))).toEqual(refused('character'));
  });

  it('returns the result of trying all lines, for random requests', () => {
    const random = seededRandom('health');
    for (let made = 0; made < BUILD_CONFIGURATIONS; made += 1) {
      const request = randomHealthRequest(random);
      const [fast, naive] = [optimizeHealth(request), naiveHealth(request)];
      if (!isDeepStrictEqual(fast, naive)) expect(fast, JSON.stringify(request)).toEqual(naive);
    }
  }, 600_000);
});

describe('createBuildOptions', () => {
  it('lists all request values', () => {
    const options = createBuildOptions();
    expect(options.build_type).toEqual(['Light', 'Farm', 'Health']);
    expect(options.character).toHaveLength(18);
    expect(options.ally[0]).toEqual({ key: 'boot_clown', label: 'No ally' });
    expect(options.ally).toHaveLength(7);
    expect(options.ally.filter(({ key }) => key === 'boot_clown')).toHaveLength(1);
    expect(options.food.map(({ key }) => key)).toEqual(['zephyr_rune', 'delve_freerange', 'fishing_phys_3_base', 'fishing_spell_3_base']);
    expect(options.critical_damage_count).toEqual({ min: 0, max: 3, default: 3 });
    expect(options.flags).toEqual([
      'berserker_battler',
      'no_face',
      'subclass_active',
      'litany',
      'ally_buff',
      'bounty_hunt',
      'high_precision',
    ]);
    expect(Object.keys(options.notes).sort()).toEqual([
      'ally',
      'ally_buff',
      'bounty_hunt',
      'food',
      'high_precision',
      'light',
      'star_chart',
      'subclass',
    ]);
  });

  it('lists only values that calculateBuilds accepts', () => {
    const options = createBuildOptions();
    for (const { key } of options.ally) expect(resolveBuild({ ally: key }).ally.key).toBe(key);
    for (const { key } of options.food) expect(resolveBuild({ food: key }).food?.key ?? '').toBe(key);
  });
});
