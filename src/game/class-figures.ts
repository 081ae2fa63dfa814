/** What a class gains at a level, on one stat, in the form of the API. */
export interface ClassLevelStat {
  name: string;
  /** Null: the class lacks this stat. */
  value: number | null;
  percentage: boolean;
  /** True: the value replaces the stat instead of adding to it. */
  absolute: boolean;
}

/** Healing by a prefab of an ability. */
export interface AbilityHealing {
  /** Below `prefabs/`, without `.binfab`. */
  prefab: string;
  health: number;
  /** Percent of the maximum health. */
  max_health_percent: number;
  energy: number;
  /** Percent of the maximum energy. */
  max_energy_percent: number;
}

/** An effect of an ability that changes stats. */
export interface AbilityEffect {
  /** Below `prefabs/`, without `.binfab`. */
  prefab: string;
  /** Seconds; null for an effect without an end of its own. */
  duration: number | null;
  stats: readonly ClassLevelStat[];
}

/** What the files add to a hit of the class tables. */
export interface AbilityHit {
  /** Below `prefabs/`, without `.binfab`. */
  prefab: string;
  /** Percent of the maximum health of the target; absent unless the file has the multiplier of the table. */
  max_health_percent?: number;
  /** Percent added to the chance of a critical hit; absent unless the file has the multiplier of the table. */
  crit_chance_bonus?: number;
}

/** What the game files tell of an ability; absent where they do not. */
export interface AbilityFigures {
  energy?: number;
  /** Seconds. */
  cooldown?: number;
  healing?: readonly AbilityHealing[];
  effects?: readonly AbilityEffect[];
  /** By position of the hit in the class tables; null for a hit whose file is unknown. */
  hits?: readonly (AbilityHit | null)[];
}

/** Figures of the classes in the game files. */
export interface ClassFigures {
  levels: ClassLevelTable;
  /** By prefab of the ability, as in the class tables. */
  abilities: Readonly<Record<string, AbilityFigures>>;
}

/** By technical name of the class, then by level from 1 to 30. Only classes whose levels add up to their stats. */
export type ClassLevelTable = Readonly<Record<string, Readonly<Record<string, readonly ClassLevelStat[]>>>>;
