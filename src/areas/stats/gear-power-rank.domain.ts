import { GEAR_SOURCES, STAT_TABLES } from './stat-tables.data.ts';

/** What the Power Rank of a character says about its gear. */
export interface GearPowerRank {
  /** Power Rank of the gear if everything else has its maximum: less is not possible. */
  atLeast: number;
  /** Power Rank of the gear if it is all there is: more is not possible. */
  atMost: number;
  /** Power Rank of the best gear. */
  max: number;
  /** Highest Power Rank of a character. */
  total: number;
}

/** Bounds of the Power Rank of weapon, hat, face, ring and banner of a character with this Power Rank. */
export function gearPowerRank(powerRank: number): GearPowerRank {
  const { sources } = STAT_TABLES['power-rank'];
  const sumOf = (isGear: boolean) =>
    sources.filter(({ name }) => GEAR_SOURCES.has(name) === isGear).reduce((sum, { value }) => sum + value, 0);
  const [max, others] = [sumOf(true), sumOf(false)];
  return { atLeast: Math.min(max, Math.max(0, powerRank - others)), atMost: Math.min(max, powerRank), max, total: max + others };
}
