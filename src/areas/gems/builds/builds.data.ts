/** A stat of a food or an ally: percent if `percentage`, otherwise display units. */
export interface BuffRow {
  name: string;
  value: number;
  percentage: boolean;
}

/** A food or an ally; allies at level 30. */
export interface Buff {
  key: string;
  label: string;
  stats: readonly BuffRow[];
}

const flat = (name: string, value: number): BuffRow => ({ name, value, percentage: false });
const percent = (name: string, value: number): BuffRow => ({ name, value, percentage: true });

export const FOODS: readonly Buff[] = [
  { key: 'zephyr_rune', label: 'Zephyr Rune', stats: [flat('Light', 450)] },
  { key: 'delve_freerange', label: 'Freerange Electrolytic Crystals', stats: [flat('Light', 300)] },
  {
    key: 'fishing_phys_3_base',
    label: 'Premium Fish Fillet',
    stats: [flat('Light', 400), percent('Physical Damage', 6), percent('Critical Damage', 15)],
  },
  {
    key: 'fishing_spell_3_base',
    label: 'Premium Fish Kabobs',
    stats: [flat('Light', 400), percent('Magic Damage', 6), percent('Critical Damage', 15)],
  },
];

/** Represents "no ally": none of its stats affect a build. */
export const NO_ALLY = 'boot_clown';

export const ALLIES: readonly Buff[] = [
  { key: 'spidermonkey_heckbug', label: '[CD|LT] Bulbous Heckmantis', stats: [flat('Light', 262.5), percent('Critical Damage', 43.5)] },
  {
    key: 'venturous_vivian',
    label: '[MD|PD|LT] Venturous Vivian',
    stats: [flat('Light', 787.5), percent('Physical Damage', 14.5), percent('Magic Damage', 14.5)],
  },
  {
    key: 'goat_pinata_moontouched',
    label: '[PD|LT] The Moontouched of All Time',
    stats: [flat('Light', 787.5), percent('Physical Damage', 14.5)],
  },
  { key: 'phoenix_stars', label: '[MD|LT] Starry Skyfire', stats: [flat('Light', 700), percent('Magic Damage', 36.25)] },
  { key: 'spidermonkey_stars', label: '[PD|LT] Scorpius', stats: [flat('Light', 700), percent('Physical Damage', 36.25)] },
  { key: 'quarble_stars', label: '[LT|MS] Staruable', stats: [flat('Light', 700)] },
  { key: NO_ALLY, label: '[MS|JP] Clownish Kicker', stats: [] },
];

/** Multipliers of the stats of an ally with an active buff; 1 for other stats. */
export const ALLY_BUFF: Readonly<Record<string, number>> = {
  Light: 1.155,
  'Physical Damage': 1.31,
  'Magic Damage': 1.31,
  'Critical Damage': 1.31,
};

/** Base stats of a fully equipped character without gems, class and options; display units unless stated otherwise. */
export const DAMAGE_SOURCES = {
  /** Weapon 22750, ring 22750, banner 500. */
  gear: 46000,
  /** Dragons of one damage type; the sum is the same for both types. */
  typedDragons: 4400,
  /** Dragons of both damage types. */
  dragons: 2000,
  /** Damage line of the face. */
  face: 7507.499512,
  /** Critical Damage: weapon, face and hat 48.099998 each, club 100. */
  critical: 244.299994,
  criticalDragons: 99,
  /** Critical Damage line of a gear piece. */
  criticalLine: 48.1,
  /** Weapon 2340, hat and face 1170 each, mastery 1000, banner 900, ring 450, dragon 75. */
  light: 7105,
  /** Damage bonus in percent: mastery 99.999994, club 15. */
  damagePercent: 114.999994,
} as const;

export const HEALTH_SOURCES = {
  /** Dragons 51000, face and hat 28600 each, weapon 18876, ring 14475, torch 10000. */
  health: 151551,
  /** Percent: mastery 300, face and hat 234 each, dragons 147, fixture 100, ally 15. */
  healthPercent: 1030,
} as const;

/** Bonuses of a passive class or subclass in a damage build. */
export const SOLARION_LIGHT = 140;
export const SUBCLASS_DAMAGE = 750;
export const SUBCLASS_CRITICAL = 20;
export const BERSERKER_LIGHT = 750;

/** Subclasses that add flat damage to builds of their type. */
export const DAMAGE_SUBCLASSES: Readonly<Record<string, 'Physical' | 'Magic'>> = {
  'Lunar Lancer': 'Physical',
  'Ice Sage': 'Magic',
  'Shadow Hunter': 'Magic',
};
export const CRITICAL_SUBCLASSES: readonly string[] = ['Bard', 'Boomeranger'];

/** Bonuses of an active subclass ability: damage in percent, Critical Damage in points. */
export const ACTIVE_SUBCLASSES: Readonly<Record<string, { damagePercent: number; critical: number }>> = {
  Bard: { damagePercent: 45, critical: 45 },
  Gunslinger: { damagePercent: 5.5, critical: 0 },
  'Lunar Lancer': { damagePercent: 30, critical: 0 },
  'Candy Barbarian': { damagePercent: 30, critical: 0 },
};

/** Number of gems of a full set at the highest tier and level, and boosts per gem. */
export const GEM_SET = {
  empowered: { elemental: 3, cosmic: 1 },
  lesser: { elemental: 6, cosmic: 2 },
  boostsPerGem: 3,
  /** Multiplier of a full set on every line. */
  multiplier: 1.1,
} as const;

/** Possible stats of the third line of elemental gems. */
export type HealthStat = 'Critical Hit' | 'Maximum Health' | 'Maximum Health %';

/** Sources outside gems, class and gear lines: dragons and club 8.8 + 10; dragons, hat, face; dragons, club, mastery. */
export const HEALTH_OPTIMIZER_SOURCES: Record<HealthStat, readonly number[]> = {
  'Critical Hit': [8.8, 10],
  'Maximum Health': [51000, 37700, 37700],
  'Maximum Health %': [147, 100, 300],
};

export type GearLine = 'weapon_ch' | 'ring_ch' | 'hat_health' | 'face_health';

export const GEAR_LINES: Record<GearLine, { stat: HealthStat; value: number }> = {
  weapon_ch: { stat: 'Critical Hit', value: 7 },
  ring_ch: { stat: 'Critical Hit', value: 6.1 },
  hat_health: { stat: 'Maximum Health %', value: 312 },
  face_health: { stat: 'Maximum Health %', value: 312 },
};

/** Cap of Critical Hit in percent; values above have no effect. */
export const CRITICAL_HIT_CAP = 100;
