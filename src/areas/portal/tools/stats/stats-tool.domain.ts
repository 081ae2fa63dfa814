import { roundTo } from '../../../../platform/kit/values/numbers.ts';
import { type StatAmounts, type StatSum, sumStat } from '../../../stats/stat-sum.domain.ts';
import { STAT_TABLES, type StatSource, type StatTableKey } from '../../../stats/stat-tables.data.ts';
import { amountsOf, type Field, type Fields, oneOf } from '../frame/state.domain.ts';

export const STAT_KEYS = Object.keys(STAT_TABLES) as StatTableKey[];

/** The shown stat, and the amounts of each stat by position of the source. */
export interface StatsState {
  stat: StatTableKey;
  pr: StatAmounts;
  mf: StatAmounts;
  light: StatAmounts;
}

/** Names of the amounts in links. */
export const AMOUNTS_OF: Readonly<Record<StatTableKey, 'pr' | 'mf' | 'light'>> = {
  'power-rank': 'pr',
  'magic-find': 'mf',
  light: 'light',
};

/** Sources of the example: the equipment that every character has first. */
const EXAMPLE: Readonly<Record<StatTableKey, readonly string[]>> = {
  'power-rank': ['Hat', 'Weapon', 'Face', 'Ring', 'Class Level 30'],
  'magic-find': ['Class Minimum MF', 'Hat', 'Weapon', 'Face', 'Ring', 'Elixir'],
  light: ['Mystic 1 Weapon', 'Mystic 1 Hat', 'Mystic 1 Face', 'Mystic 1 Ring', 'Geode Mastery Level'],
};

function amountsField(stat: StatTableKey): Field<StatAmounts> {
  const { sources } = STAT_TABLES[stat];
  const initial = Object.fromEntries(
    sources.flatMap(({ name, value }, position) => (EXAMPLE[stat].includes(name) ? [[position, value] as const] : [])),
  );
  return { ...amountsOf(sources.length, (position) => sources[position]?.value ?? 0), initial };
}

export const statsFields: Fields<StatsState> = {
  stat: oneOf(STAT_KEYS, 'light'),
  pr: amountsField('power-rank'),
  mf: amountsField('magic-find'),
  light: amountsField('light'),
};

export interface StatsView extends StatSum {
  label: string;
  sources: readonly StatSource[];
  amounts: StatAmounts;
  /** Share of the maximum, from 0 to 1. */
  share: number;
}

export function viewStat(state: StatsState): StatsView {
  const { label, sources } = STAT_TABLES[state.stat];
  const amounts = state[AMOUNTS_OF[state.stat]];
  const sum = sumStat(state.stat, amounts);
  return { ...sum, label, sources, amounts, share: sum.max === 0 ? 0 : roundTo(sum.total / sum.max, 4) };
}

/** The state with another amount of a source of the shown stat. */
export function withAmount(state: StatsState, position: number, amount: number): Partial<StatsState> {
  const name = AMOUNTS_OF[state.stat];
  return { [name]: { ...state[name], [position]: amount } };
}

/** The state with every source of the shown stat at its maximum, or at 0. */
export function withAll(state: StatsState, isFull: boolean): Partial<StatsState> {
  const { sources } = STAT_TABLES[state.stat];
  return { [AMOUNTS_OF[state.stat]]: isFull ? Object.fromEntries(sources.map(({ value }, position) => [position, value])) : {} };
}
