import type { RollStatId, TierId, TypeId } from './gem-lookups.data.ts';

/** Values of a stat in display units: one container at roll 0, one container at roll 1, and the gain per stat step. */
export type Roll = readonly [min: number, max: number, step: number];

/** Stats with the same figures share a kind, such as Physical and Magic Damage. */
type RollKind = 'damage' | 'criticalDamage' | 'criticalHit' | 'maxHealth' | 'maxHealthPercent' | 'light';

export const ROLL_KINDS: Record<RollStatId, RollKind> = {
  1: 'damage',
  2: 'damage',
  3: 'criticalDamage',
  4: 'criticalHit',
  5: 'maxHealth',
  6: 'maxHealthPercent',
  7: 'light',
};

/** Rolls by type, then tier. Light rolls only on Cosmic gems. */
export const ROLLS: Record<TypeId, Record<TierId, Record<RollKind, Roll>>> = {
  1: {
    1: {
      damage: [1190, 1582, 42],
      criticalDamage: [17, 22.6, 0.6],
      criticalHit: [1.7, 2.26, 0.06],
      maxHealth: [4250, 5650, 150],
      maxHealthPercent: [42.5, 56.5, 1.5],
      light: [85, 113, 3],
    },
    2: {
      damage: [2100, 2800, 70],
      criticalDamage: [30, 40, 1],
      criticalHit: [3, 4, 0.1],
      maxHealth: [7500, 10000, 250],
      maxHealthPercent: [75, 100, 2.5],
      light: [150, 200, 5],
    },
    3: {
      damage: [3360, 4480, 112],
      criticalDamage: [40, 55, 1.5],
      criticalHit: [4, 5.5, 0.15],
      maxHealth: [12250, 15750, 350],
      maxHealthPercent: [122.5, 157.5, 3.5],
      light: [200, 275, 5],
    },
    4: {
      damage: [5040, 6720, 168],
      criticalDamage: [52, 82.5, 2.5],
      criticalHit: [5.2, 8.25, 0.25],
      maxHealth: [18375, 23625, 525],
      maxHealthPercent: [183.75, 236.25, 5.25],
      light: [275, 325, 5],
    },
  },
  2: {
    1: {
      damage: [1582, 2100, 42],
      criticalDamage: [22.6, 30, 0.6],
      criticalHit: [2.26, 3, 0.06],
      maxHealth: [5650, 7500, 150],
      maxHealthPercent: [56.5, 75, 1.5],
      light: [113, 150, 3],
    },
    2: {
      damage: [2800, 3724, 70],
      criticalDamage: [40, 53.2, 1],
      criticalHit: [4, 5.32, 0.1],
      maxHealth: [10000, 13300, 250],
      maxHealthPercent: [100, 133, 2.5],
      light: [200, 266, 5],
    },
    3: {
      damage: [3920, 5600, 112],
      criticalDamage: [50, 65, 1.5],
      criticalHit: [5, 6.5, 0.15],
      maxHealth: [15750, 19250, 350],
      maxHealthPercent: [157.5, 192.5, 3.5],
      light: [250, 300, 5],
    },
    4: {
      damage: [5880, 8400, 252],
      criticalDamage: [70, 95, 2.5],
      criticalHit: [7, 9.5, 0.25],
      maxHealth: [23625, 28875, 525],
      maxHealthPercent: [232.5, 288.75, 5.25],
      light: [275, 350, 5],
    },
  },
};

/** The only roll that depends on the element: Max Health % of a Cosmic Empowered Mystic gem. */
export const COSMIC_EMPOWERED_MYSTIC_MAX_HEALTH_PERCENT: Roll = [236.25, 288.75, 5.25];

/** Relative weights of the stats in the pool when a gem is generated; Light is never drawn. */
export const ROLL_WEIGHTS: Record<TypeId, Record<RollStatId, number>> = {
  1: { 1: 0.143, 2: 0.143, 3: 0.143, 4: 0.143, 5: 0.096, 6: 0.047, 7: 0 },
  2: { 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 0 },
};
