import { SECONDS_PER_DAY } from '../../../platform/kit/time/clock.ts';
import { weeklyBuffRules } from '../computed/buffs.data.ts';
import { corruxionRules, fluxionRules, gardeningRules, type StampyPeriod, stampyRulesOf, wildManaRules } from '../schedules.data.ts';
import type { CalendarRules } from './calendar.domain.ts';

/** Window of 365 days before and after `now`; names and colours (hex digits without `#`) of the events. */
export const calendarRules: CalendarRules = {
  halfWindowSeconds: 365 * SECONDS_PER_DAY,
  weeklyBuffs: weeklyBuffRules,
  corruxion: { ...corruxionRules, name: 'Corruxion' },
  fluxion: {
    ...fluxionRules,
    looks: {
      voting: { name: 'Fluxion (Voting)', color: '5ca8cc' },
      selling: { name: 'Fluxion (Selling)', color: '02679e' },
    },
  },
  twoDayPlants: { ...gardeningRules.twoDay, color: '8bc34a' },
  threeDayPlants: { ...gardeningRules.threeDay, color: '4caf50' },
  stampy: { ...stampyRulesOf.weekly, name: 'Stampy' },
  wildMana: { ...wildManaRules, name: 'Wild Mana' },
};

export const calendarRulesOf: Readonly<Record<StampyPeriod, CalendarRules>> = {
  weekly: calendarRules,
  fortnightly: { ...calendarRules, stampy: { ...stampyRulesOf.fortnightly, name: 'Stampy' } },
};
