/** `int`: a number without a percent sign. `percent`: a number with a percent sign. */
type StatKind = 'int' | 'percent';

/** A stat of the character sheet. */
export interface KnownStat {
  key: string;
  kind: StatKind;
  /** Range of possible values in the game. */
  min: number;
  max: number;
  /** Labels on the sheet in English, French, German, Spanish and Portuguese. Compared without accents, which the engine does not recognise. */
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
  int('physical_damage', 100_000_000, ['Physical Damage', 'Degats physiques', 'Physischer Schaden', 'Daño físico', 'Dano Físico']),
  int('magic_damage', 100_000_000, ['Magic Damage', 'Degats magiques', 'Magischer Schaden', 'Daño mágico', 'Dano Mágico']),
  int('maximum_health', 1_000_000_000, [
    'Maximum Health',
    'Max Health',
    'PV maximum',
    'Points de vie maximum',
    'Max. Gesundheit',
    'Salud máxima',
    'Vida Máxima',
  ]),
  int('maximum_energy', 1_000_000, ['Maximum Energy', 'Max Energy', 'Energie maximum', 'Maximalenergie', 'Energía máxima']),
  int('health_regen', 10_000_000, [
    'Health Regen',
    'Health Regeneration',
    'Regen PV',
    'Regeneration PV',
    'Genesung',
    'Regeneración de salud',
    'Ganho de Vida',
  ]),
  int('energy_regen', 1_000_000, [
    'Energy Regen',
    'Energy Regeneration',
    'Regen energie',
    'Regeneration energie',
    'Energieerneuerung',
    'Regeneración de energía',
    'Regeneração de Energia',
  ]),
  int('stability', 1_000_000, ['Stability', 'Stabilite', 'Standfestigkeit', 'Estabilidad', 'Estabilidade']),
  int('movement_speed', 100_000, [
    'Movement Speed',
    'Movement',
    'Vit. de deplacement',
    'Vitesse de deplacement',
    'Lauftempo',
    'Velocidad de movimiento',
    'Velocidade de Movimento',
  ]),
  percent('attack_speed', 5000, [
    'Attack Speed',
    "Vitesse d'attaque",
    "Vit. d'attaque",
    'Angriffstempo',
    'Rapidez de ataque',
    'Velocidade de Ataque',
  ]),
  int('jump', 1000, ['Jump', 'Saut', 'Sprünge', 'Saltar', 'Pulo']),
  percent('critical_hit', 1000, ['Critical Hit', 'Crit Hit', 'Coup critique', 'Kritischer Treffer', 'Golpe crítico', 'Chance Crítica']),
  percent('critical_damage', 10_000_000, [
    'Critical Damage',
    'Crit Damage',
    'Degats critiques',
    'Kritischer Schaden',
    'Daño crítico',
    'Dano Critico',
  ]),
  int('superstition', 1_000_000, ['Superstition', 'Aberglaube', 'Superstición', 'Superstição']),
  int('magic_find', 10_000_000, ['Magic Find', 'Trouvaille magique', 'Magiegespür', 'Hallazgo mágico', 'Sorte Mágica']),
  int('lasermancy', 100_000, ['Lasermancy', 'Lasermancie', 'Lasermanie', 'Lasermancia']),
  int('flask_capacity', 1000, [
    'Flask Capacity',
    'Contenance de flasque',
    'Contenance de fla',
    'Flakonkapazität',
    'Capacidad del frasco',
    'Capacidade de Frascos',
  ]),
  int('experience_gain', 100_000, [
    'Experience Gain',
    'Experience',
    "Gain d'experience",
    'Erfahrungsgewinn',
    'Ganancia de experiencia',
    'Experiência Ganha',
  ]),
  int('battle_factor', 100_000, ['Battle Factor', 'Facteur de combat', 'Kampffaktor', 'Factor de batalla', 'Fator de Batalha']),
  int('light', 1_000_000, ['Light', 'Lumiere', 'Licht', 'Luz']),
  int('chaos_factor', 100_000, ['Chaos Factor', 'Facteur de chaos']),
  int('coefficient', 100_000_000_000, ['Coefficient']),
  int('power_rank', 1_000_000, [
    'Power Rank',
    'Rg de pouvoir',
    'Rang de pouvoir',
    'Rang de puissance',
    'Machtrang',
    'Rango de poder',
    'Nível de Poder',
  ]),
] as const satisfies readonly KnownStat[];

export type StatKey = (typeof KNOWN_STATS)[number]['key'];
