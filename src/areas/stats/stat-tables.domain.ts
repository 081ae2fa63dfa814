import { STAT_TABLES, type StatSource, type StatTableKey } from './stat-tables.data.ts';

export interface StatTable {
  stat: StatTableKey;
  label: string;
  sources: readonly StatSource[];
  count: number;
}

/** All sources of a stat, without totals. */
export function statTable(stat: StatTableKey): StatTable {
  const { label, sources } = STAT_TABLES[stat];
  return { stat, label, sources, count: sources.length };
}
