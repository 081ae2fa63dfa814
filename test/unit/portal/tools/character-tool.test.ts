import { describe, expect, it } from 'vitest';
import { rankSheetBoosts } from '../../../../src/areas/gems/builds/sheet-boosts.domain.ts';
import { buildsFields } from '../../../../src/areas/portal/tools/builds/builds-tool.domain.ts';
import {
  buildsLink,
  characterFields,
  readValues,
  viewCharacter,
} from '../../../../src/areas/portal/tools/character/character-tool.domain.ts';
import { initialState, readState } from '../../../../src/areas/portal/tools/frame/state.domain.ts';
import { gearPowerRank } from '../../../../src/areas/stats/gear-power-rank.domain.ts';
import { rawCoefficient } from '../../../../src/game/coefficient.domain.ts';

const example = initialState(characterFields);

describe('viewCharacter', () => {
  it('shows the coefficient of the documented sheet', () => {
    expect(viewCharacter(example).coefficient).toMatchObject({ coefficient: 21_418_018, damage_used: 'magic' });
  });

  it('shows no coefficient without damage or Critical Damage', () => {
    for (const missing of [{ critical_damage: null }, { physical_damage: null, magic_damage: null }]) {
      const { coefficient, boosts } = viewCharacter({ ...example, ...missing });
      expect([coefficient, boosts]).toEqual([null, []]);
    }
  });
});

describe('rankSheetBoosts', () => {
  it('ranks boosts by the coefficient that each would give', () => {
    const sheet = { damageType: 'Magic', damage: 700_000, criticalDamage: 3000 } as const;
    const boosts = rankSheetBoosts(sheet);
    expect(boosts.map(({ gain }) => gain)).toEqual(boosts.map(({ gain }) => gain).toSorted((left, right) => right - left));
    for (const { stat, adds, gain } of boosts) {
      const after = stat === 'Magic Damage' ? rawCoefficient(sheet.damage + adds, 3000) : rawCoefficient(sheet.damage, 3000 + adds);
      expect(after - rawCoefficient(sheet.damage, 3000)).toBeCloseTo(gain, 6);
    }
    // Little Critical Damage makes more of it worth more than damage.
    expect(rankSheetBoosts({ ...sheet, criticalDamage: 100 })[0]?.stat).toBe('Critical Damage');
    expect(rankSheetBoosts({ ...sheet, damage: 20_000 })[0]?.stat).toBe('Magic Damage');
  });
});

describe('gearPowerRank', () => {
  it('bounds what the gear can have', () => {
    const { max, total } = gearPowerRank(0);
    expect([max, total]).toEqual([8835, 56_270]);
    expect(gearPowerRank(total)).toMatchObject({ atLeast: max, atMost: max });
    expect(gearPowerRank(total - 100)).toMatchObject({ atLeast: max - 100, atMost: max });
    expect(gearPowerRank(1000)).toMatchObject({ atLeast: 0, atMost: 1000 });
  });
});

describe('buildsLink', () => {
  it('opens a build of the class near the Light of the sheet', () => {
    const { state, ignored } = readState(buildsFields, buildsLink(example).split('#')[1] ?? '');
    expect([state.class, state.type, state.light, ignored]).toEqual(['Ice Sage', 'Farm', 17_239, []]);
    expect(readState(buildsFields, buildsLink({ ...example, light: null }).split('#')[1] ?? '').state.light).toBe(0);
  });
});

describe('readValues', () => {
  const stat = { confidence: 1, derived: false, in_range: true, box: null };

  it('fills what was read, empties the rest, and leaves out values that are impossible', () => {
    const values = readValues([
      { ...stat, key: 'light', value: 12_000 },
      { ...stat, key: 'jump', value: 50_000 },
      { ...stat, key: 'coefficient', value: 5 },
    ]);
    expect(values).toMatchObject({ light: 12_000, jump: null, magic_damage: null });
    expect(values).not.toHaveProperty('coefficient');
    expect(values).not.toHaveProperty('class');
  });
});
