import { describe, expect, it } from 'vitest';
import { GEM_SET } from '../../../../src/areas/gems/builds/builds.data.ts';
import { calculateBuilds } from '../../../../src/areas/gems/builds/builds-calculate.domain.ts';
import { resolveBuild } from '../../../../src/areas/gems/builds/builds-request.domain.ts';
import {
  calculateSetGem,
  calculateWithSet,
  GEM_SLOTS,
  type SetGem,
  type SetStats,
  sumGemSet,
} from '../../../../src/areas/gems/builds/gem-set.domain.ts';
import {
  COSMIC,
  CRITICAL_DAMAGE,
  EMPOWERED,
  LIGHT,
  MAX_HEALTH,
  PHYSICAL_DAMAGE,
  type RollStatId,
} from '../../../../src/areas/gems/gem.data.ts';
import { STAT_TABLES } from '../../../../src/areas/stats/stat-tables.data.ts';

/** Perfect gems: boosts of Empowered gems on damage, of Lesser gems on Critical Damage, of Cosmic gems on Light. */
const perfect: SetGem[] = GEM_SLOTS.map(({ element, type }) => {
  const stat = (id: RollStatId, boosts: number) => ({ type: id, progress: 1, boosts });
  const own = type === EMPOWERED ? PHYSICAL_DAMAGE : CRITICAL_DAMAGE;
  const types: RollStatId[] =
    element === COSMIC ? [LIGHT, PHYSICAL_DAMAGE, CRITICAL_DAMAGE] : [PHYSICAL_DAMAGE, CRITICAL_DAMAGE, MAX_HEALTH];
  const stats = types.map((id) => stat(id, id === (element === COSMIC ? LIGHT : own) ? GEM_SET.boostsPerGem : 0)) as unknown as SetStats;
  return { element, type, tier: 4, level: 35, stats };
});

describe('sumGemSet', () => {
  it('has the places that the build optimizer fills', () => {
    const count = (type: number, isCosmic: boolean) =>
      GEM_SLOTS.filter((slot) => slot.type === type && (slot.element === COSMIC) === isCosmic).length;
    expect({ elemental: count(EMPOWERED, false), cosmic: count(EMPOWERED, true) }).toEqual(GEM_SET.empowered);
    expect({ elemental: count(1, false), cosmic: count(1, true) }).toEqual(GEM_SET.lesser);
  });

  it('has the Power Rank of the table of sources with perfect gems', () => {
    const ofTable = STAT_TABLES['power-rank'].sources.find(({ name }) => name === 'Gems')?.value;
    expect(sumGemSet(perfect)).toMatchObject({ powerRank: ofTable, quality: 1 });
  });

  it('shows the value and the Power Rank of one gem without the bonus of the set', () => {
    const [first] = perfect;
    expect(first && calculateSetGem(first)).toEqual({ values: [49_476, 252.5, expect.any(Number)], powerRank: 3601, quality: 1 });
  });
});

describe('calculateWithSet', () => {
  it('returns the figures of the layout that the gems have', () => {
    const request = { build_type: 'Light', character: 'Vanguardian', subclass: 'Lunar Lancer', star_chart: 'SC:Jnc' };
    const row = calculateBuilds(request).results.find(({ layout }) => layout === '9/0/0/18');
    const { base_dmg, crit_dmg, light, coefficient, total_dmg } = calculateWithSet(resolveBuild(request), sumGemSet(perfect));
    expect({ base_dmg, crit_dmg, light }).toEqual({ base_dmg: row?.base_dmg, crit_dmg: row?.crit_dmg, light: row?.light });
    expect(total_dmg).toBeCloseTo(row?.total_dmg ?? 0, 1);
    expect(coefficient).toBeCloseTo(row?.coefficient ?? 0, 0);
  });

  it('uses the damage of the class only', () => {
    const build = resolveBuild({ character: 'Ice Sage' });
    const without = calculateWithSet(build, sumGemSet([]));
    const withPhysical = calculateWithSet(build, sumGemSet(perfect));
    expect(withPhysical.base_dmg).toBe(without.base_dmg);
    expect(withPhysical.crit_dmg).toBeGreaterThan(without.crit_dmg);
  });
});
