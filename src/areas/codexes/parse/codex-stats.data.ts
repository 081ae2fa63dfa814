interface StatDefinition {
  id: number;
  key: string;
  /** English label if the game has no text for the stat; null if none is known. */
  label: string | null;
}

/** Indexed by half the raw operation number of a modifier. */
export const OPERATIONS = ['MultiplySum', 'Add', 'Set', 'Nullify', 'Multiply', 'Minimum', 'Maximum'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** `id` is the zigzag-decoded number in a modifier. */
export const STATS: readonly StatDefinition[] = [
  { id: 0, key: '$Stat_PhysicalDamage', label: 'Physical Damage' },
  { id: 1, key: '$Stat_SpellDamage', label: 'Magic Damage' },
  { id: 2, key: '$Stat_MaxHealth', label: 'Maximum Health' },
  { id: 3, key: '$Stat_MaxEnergy', label: 'Maximum Energy' },
  { id: 4, key: '$Stat_HealthRegen_controller', label: 'Health Regen' },
  { id: 5, key: '$Stat_EnergyRegen_controller', label: 'Energy Regen' },
  { id: 6, key: '$Stat_Stability', label: 'Stability' },
  { id: 7, key: '$Stat_CriticalHitChance', label: 'Critical Hit' },
  { id: 8, key: '$Stat_MovementSpeed', label: 'Movement Speed' },
  { id: 9, key: '$Stat_Jump', label: 'Jump' },
  { id: 10, key: '$Stat_Superstition', label: 'Superstition' },
  { id: 11, key: '$Stat_IncomingDamageMod', label: 'Incoming Damage' },
  { id: 12, key: '$Stat_OutgoingDamageMod', label: 'Damage' },
  { id: 13, key: '$Stat_MagicFind', label: 'Magic Find' },
  { id: 14, key: '$Stat_Mining', label: 'Lasermancy' },
  { id: 15, key: '$Stat_AttackSpeed', label: 'Attack Speed' },
  { id: 16, key: '$Stat_MaxFlasks', label: 'Flask Capacity' },
  { id: 17, key: '$Stat_CraftingSpeed', label: 'Crafting Speed' },
  { id: 18, key: '$Stat_CooldownSpeed', label: 'Cooldown Speed' },
  { id: 19, key: '$Stat_Acceleration', label: 'Acceleration' },
  { id: 20, key: '$Stat_TurningRate', label: 'Turning Rate' },
  { id: 21, key: '$Stat_ExperienceBoost', label: 'Experience Boost' },
  { id: 22, key: '$Stat_CriticalHitDamage', label: 'Critical Damage' },
  { id: 23, key: '$Stat_BattleFactor', label: 'Battle Factor' },
  { id: 24, key: '$Stat_ActionTimeMod', label: 'Action Time Mod' },
  { id: 25, key: '$Stat_PowerRank', label: 'Power Rank' },
  { id: 26, key: '$Stat_Glide', label: 'Glide' },
  { id: 27, key: '$Stat_ShootProjectileSpeedMultiplier', label: 'Projectile Speed' },
  { id: 28, key: '$Stat_RedGemStatBoost', label: 'Red Gem Stat Boost' },
  { id: 29, key: '$Stat_BlueGemStatBoost', label: 'Blue Gem Stat Boost' },
  { id: 30, key: '$Stat_YellowGemStatBoost', label: 'Yellow Gem Stat Boost' },
  { id: 31, key: '$Stat_DoubleHitChance', label: 'Double Hit' },
  { id: 32, key: '$Stat_JackpotExperience', label: 'Jackpot Experience' },
  { id: 33, key: '$Stat_GemEfficiency', label: 'Gem Efficiency' },
  { id: 34, key: '$Stat_AdventurineGainBoost', label: 'Adventurine' },
  { id: 35, key: '$Stat_ClubExperienceBoost', label: 'Club Experience Boost' },
  { id: 36, key: '$Stat_MaxExploration', label: 'Maximum Exploration' },
  { id: 37, key: '$Stat_JumpSpeedMultiplier', label: 'Jump Speed' },
  { id: 38, key: '$Stat_GreenGemStatBoost', label: 'Green Gem Stat Boost' },
  { id: 39, key: '$Stat_Light', label: 'Light' },
  { id: 40, key: '$Stat_Dark', label: 'Dark' },
  { id: 41, key: '$Stat_OpalGemStatBoost', label: 'Opal Gem Stat Boost' },
  { id: 42, key: '$Stat_MaxNCharge', label: 'Maximum N-Charge' },
  { id: 43, key: '$Stat_NChargeRegen', label: 'N-Charge Regen' },
  { id: 44, key: '$Stat_MaxArmor', label: 'Maximum Armor' },
  { id: 45, key: '$Stat_HealDoneMultiplier', label: null },
  { id: 46, key: '$Stat_HealReceiveMultiplier', label: null },
];

export const CRITICAL_HIT_CHANCE = '$Stat_CriticalHitChance';
export const MAX_EXPLORATION = '$Stat_MaxExploration';

/** Stats displayed as a percentage if the operation is `Add`. */
export const PERCENT_WHEN_ADDED: ReadonlySet<string> = new Set(['$Stat_CriticalHitDamage', '$Stat_AttackSpeed', CRITICAL_HIT_CHANCE]);

/** Stat of a modifier with an unknown number, by its label or the suffix of the label after `_`. */
export const STAT_LABEL_SUFFIXES: readonly { suffix: string; key: string }[] = [
  { suffix: 'physicaldamage', key: '$Stat_PhysicalDamage' },
  { suffix: 'spelldamage', key: '$Stat_SpellDamage' },
  { suffix: 'maxhealth', key: '$Stat_MaxHealth' },
  { suffix: 'maxenergy', key: '$Stat_MaxEnergy' },
  { suffix: 'healthregen', key: '$Stat_HealthRegen_controller' },
  { suffix: 'energyregen', key: '$Stat_EnergyRegen_controller' },
  { suffix: 'criticalhitchance', key: '$Stat_CriticalHitChance' },
  { suffix: 'criticalhitdamage', key: '$Stat_CriticalHitDamage' },
  { suffix: 'critdamage', key: '$Stat_CriticalHitDamage' },
  { suffix: 'attackspeed', key: '$Stat_AttackSpeed' },
  { suffix: 'magicfind', key: '$Stat_MagicFind' },
  { suffix: 'jump', key: '$Stat_Jump' },
  { suffix: 'mining', key: '$Stat_Mining' },
  { suffix: 'ground_movespeed', key: '$Stat_MovementSpeed' },
  { suffix: 'wing_movespeed', key: '$Stat_MovementSpeed' },
  { suffix: 'glide_movespeed', key: '$Stat_Glide' },
];

export const MOUNT_SLOT = '$EquipmentSlot_Mount';
export const WINGS_SLOT = '$EquipmentSlot_Wings';

/** Slot by the raw kind byte of a block of modifiers. */
export const SLOT_BY_RAW_KIND: Readonly<Record<number, string>> = {
  0: '$EquipmentSlot_Mount',
  2: '$EquipmentSlot_Cart',
  4: '$EquipmentSlot_Wings',
  6: '$EquipmentSlot_Boat',
};

export const SLOT_LABELS: Readonly<Record<string, string>> = {
  $EquipmentSlot_Mount: 'Mount',
  $EquipmentSlot_Cart: 'Cart',
  $EquipmentSlot_Wings: 'Wings',
  $EquipmentSlot_Boat: 'Boat',
};
