import { describe, expect, it } from 'vitest';
import { dailyBuffs, weeklyBuffRules } from '../../../../src/areas/rotations/computed/buffs.data.ts';
import {
  dailyBuffsAt,
  dailyBuffsNextChangeAt,
  weeklyBuffsAt,
  weeklyBuffsNextChangeAt,
} from '../../../../src/areas/rotations/schedules/computed.domain.ts';

const unix = (iso: string) => Date.parse(iso) / 1000;
const week = 604_800;

describe('dailyBuffsAt', () => {
  it('lists the seven game weekdays, Monday first', () => {
    const { week: all } = dailyBuffsAt(unix('2026-03-10T15:30:00Z'), dailyBuffs);
    expect(all.map((buff) => `${buff.weekday}: ${buff.name}`)).toEqual([
      'Monday: Delve Day',
      'Tuesday: Gathering Day',
      'Wednesday: Gem Day',
      'Thursday: Adventure Day',
      'Friday: Dragon Day',
      'Saturday: XP Day',
      'Sunday: Loot Day',
    ]);
  });

  it('changes at 11:00:00 UTC', () => {
    const names = ['10:59:59', '11:00:00', '11:00:01'].map((time) => dailyBuffsAt(unix(`2026-03-09T${time}Z`), dailyBuffs).current.name);
    expect(names).toEqual(['Loot Day', 'Delve Day', 'Delve Day']);
    expect(dailyBuffsNextChangeAt(unix('2026-03-09T10:59:59Z'))).toBe(unix('2026-03-09T11:00:00Z'));
    expect(dailyBuffsNextChangeAt(unix('2026-03-09T11:00:00Z'))).toBe(unix('2026-03-10T11:00:00Z'));
  });

  it('supports times before 1970', () => {
    expect(dailyBuffsAt(-1, dailyBuffs).current.weekday).toBe('Wednesday');
    expect(dailyBuffsAt(unix('1969-12-29T11:00:00Z'), dailyBuffs).current.weekday).toBe('Monday');
  });

  it('returns colours of six lowercase hex digits', () => {
    for (const { color } of [...dailyBuffs, ...weeklyBuffRules.rotation]) expect(color).toMatch(/^[0-9a-f]{6}$/);
  });
});

describe('weeklyBuffsAt', () => {
  const anchor = unix('2020-03-23T11:00:00Z');
  const nameAt = (now: number) => weeklyBuffsAt(now, weeklyBuffRules).current.name;

  it('repeats every four weeks, also before the anchor', () => {
    const names = [-2, -1, 0, 1, 2, 3, 4].map((index) => nameAt(anchor + index * week));
    expect(names).toEqual([
      'Second Stat Reroll',
      'Fast Invasions',
      'Double Star Bar',
      'Bonus XP',
      'Second Stat Reroll',
      'Fast Invasions',
      'Double Star Bar',
    ]);
  });

  it('changes on Monday 11:00:00 UTC', () => {
    expect(nameAt(anchor + week - 1)).toBe('Double Star Bar');
    expect(weeklyBuffsNextChangeAt(anchor + week - 1, weeklyBuffRules)).toBe(anchor + week);
    expect(weeklyBuffsNextChangeAt(anchor + week, weeklyBuffRules)).toBe(anchor + 2 * week);
  });

  it('returns the rotation in table order in every week', () => {
    const { rotation } = weeklyBuffsAt(anchor + 2 * week, weeklyBuffRules);
    expect(rotation.map((buff) => buff.weekday)).toEqual(['Monday', 'Tuesday', 'Wednesday', 'Thursday']);
    expect(rotation[0].name).toBe('Double Star Bar');
  });
});
