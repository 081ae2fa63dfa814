import type { CompanionStat, StatItem, StatRow } from '../codex.domain.ts';
import type { ModifierParse } from '../parse/codex-parse.domain.ts';
import {
  CRITICAL_HIT_CHANCE,
  MAX_EXPLORATION,
  OPERATIONS,
  type Operation,
  PERCENT_WHEN_ADDED,
  SLOT_LABELS,
  STATS,
} from '../parse/codex-stats.data.ts';
import { roundAmount } from '../parse/modifiers.domain.ts';
import { splitCamelCase } from '../paths.domain.ts';

/** Returns the text of a key, or null. */
export type Texts = (key: string) => string | null;

const CONTROLLER = '_controller';
const LABELS = new Map(STATS.map(({ key, label }) => [key, label]));
const EXPLORATION_ID = STATS.find(({ key }) => key === MAX_EXPLORATION)?.id ?? 0;

/** Converts a modifier to its displayed form. */
export function toStatItem(modifier: ModifierParse, texts: Texts): StatItem {
  const operation: Operation = OPERATIONS[modifier.operation] ?? 'Set';
  const isBonus = operation === 'MultiplySum';
  return {
    stat: isBonus ? bonusKey(modifier.stat) : modifier.stat,
    stat_id: modifier.statId,
    stat_name: statName(modifier.stat, texts) + (isBonus ? ' Bonus' : ''),
    operation,
    amount: modifier.amount,
    value: roundAmount(displayedValue(modifier, operation)),
    is_percent: isPercent(modifier.stat, operation),
    label: modifier.label,
    slot: modifier.slot,
    ...(modifier.slot === null ? {} : { slot_name: texts(modifier.slot) ?? SLOT_LABELS[modifier.slot] ?? modifier.slot }),
    component: modifier.component,
    level: 0,
  };
}

function displayedValue({ stat, amount }: ModifierParse, operation: Operation): number {
  if (operation === 'MultiplySum') return amount * 100;
  if (operation === 'Multiply') return (amount - 1) * 100;
  return operation === 'Add' && stat === CRITICAL_HIT_CHANCE ? amount / 10 : amount;
}

function isPercent(stat: string, operation: Operation): boolean {
  return operation === 'MultiplySum' || operation === 'Multiply' || (operation === 'Add' && PERCENT_WHEN_ADDED.has(stat));
}

/** Key of the multiplicative bonus of a stat, listed separately from additive modifiers. */
function bonusKey(stat: string): string {
  return stat.endsWith(CONTROLLER) ? `${stat.slice(0, -CONTROLLER.length)}Bonus${CONTROLLER}` : `${stat}Bonus`;
}

export function statName(stat: string, texts: Texts): string {
  return texts(stat) ?? LABELS.get(stat) ?? splitCamelCase(stat.slice(stat.indexOf('_') + 1));
}

/** Stats of a companion level. */
export function toCompanionStat(amount: number, texts: Texts): CompanionStat {
  return {
    stat: MAX_EXPLORATION,
    stat_id: EXPLORATION_ID,
    stat_name: statName(MAX_EXPLORATION, texts),
    amount,
    value: amount,
    is_percent: false,
  };
}

/** Rows of the modifiers of an entry, then of its companion levels. */
export function toStatRows(
  path: string,
  items: readonly StatItem[],
  levels: readonly { level: number; stats: CompanionStat[] }[],
): StatRow[] {
  const rows = [
    ...items.map((item) => ({ item, slot: item.slot, level: 0 })),
    ...levels.flatMap(({ level, stats }) => stats.map((item) => ({ item, slot: null, level }))),
  ];
  return rows.map(({ item, slot, level }, order) => ({
    path,
    order,
    stat: item.stat,
    statName: item.stat_name,
    value: item.value,
    isPercent: item.is_percent,
    slot,
    level,
  }));
}
