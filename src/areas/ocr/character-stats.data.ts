/** `int`: a number without a percent sign. `percent`: a number with a percent sign. */
type StatKind = 'int' | 'percent';

/** A stat of the character sheet. */
export interface KnownStat {
  key: string;
  kind: StatKind;
  /** Range of possible values in the game. */
  min: number;
  max: number;
  /** Labels on the sheet, English first; without accents, which the engine does not recognise. */
  labels: readonly string[];
}

const int = <Key extends string>(key: Key, max: number, labels: readonly string[]) => ({ key, kind: 'int' as const, min: 0, max, labels });
const percent = <Key extends string>(key: Key, max: number, labels: readonly string[]) => ({
  key,
  kind: 'percent' as const,
  min: 0,
  max,
  labels,
});

/** All stats of a character sheet. Other labels are ignored. */
export const KNOWN_STATS = [
  int('physical_damage', 100_000_000, ['Physical Damage', 'Degats physiques']),
  int('magic_damage', 100_000_000, ['Magic Damage', 'Degats magiques']),
  int('maximum_health', 1_000_000_000, ['Maximum Health', 'Max Health', 'PV maximum', 'Points de vie maximum']),
  int('maximum_energy', 1_000_000, ['Maximum Energy', 'Max Energy', 'Energie maximum']),
  int('health_regen', 10_000_000, ['Health Regen', 'Health Regeneration', 'Regen PV', 'Regeneration PV']),
  int('energy_regen', 1_000_000, ['Energy Regen', 'Energy Regeneration', 'Regen energie', 'Regeneration energie']),
  int('stability', 1_000_000, ['Stability', 'Stabilite']),
  int('movement_speed', 100_000, ['Movement Speed', 'Movement', 'Vit. de deplacement', 'Vitesse de deplacement']),
  percent('attack_speed', 5000, ['Attack Speed', "Vitesse d'attaque", "Vit. d'attaque"]),
  int('jump', 1000, ['Jump', 'Saut']),
  percent('critical_hit', 1000, ['Critical Hit', 'Crit Hit', 'Coup critique']),
  percent('critical_damage', 10_000_000, ['Critical Damage', 'Crit Damage', 'Degats critiques']),
  int('superstition', 1_000_000, ['Superstition']),
  int('magic_find', 10_000_000, ['Magic Find', 'Trouvaille magique']),
  int('lasermancy', 100_000, ['Lasermancy', 'Lasermancie']),
  int('flask_capacity', 1000, ['Flask Capacity', 'Contenance de flasque', 'Contenance de fla']),
  int('experience_gain', 100_000, ['Experience Gain', 'Experience', "Gain d'experience"]),
  int('battle_factor', 100_000, ['Battle Factor', 'Facteur de combat']),
  int('light', 1_000_000, ['Light', 'Lumiere']),
  int('chaos_factor', 100_000, ['Chaos Factor', 'Facteur de chaos']),
  int('coefficient', 100_000_000_000, ['Coefficient']),
  int('power_rank', 1_000_000, ['Power Rank', 'Rg de pouvoir', 'Rang de pouvoir', 'Rang de puissance']),
] as const satisfies readonly KnownStat[];

export type StatKey = (typeof KNOWN_STATS)[number]['key'];
