/** What a class gains at a level, on one stat, in the form of the API. */
export interface ClassLevelStat {
  name: string;
  /** Null: the class lacks this stat. */
  value: number | null;
  percentage: boolean;
  /** True: the value replaces the stat instead of adding to it. */
  absolute: boolean;
}

/** What an ability costs, by its own prefab; absent where the prefab does not tell. */
export interface AbilityCost {
  energy?: number;
  /** Seconds. */
  cooldown?: number;
}

/** Figures of the classes in the game files. */
export interface ClassFigures {
  levels: ClassLevelTable;
  /** By prefab of the ability, as in the class tables. */
  abilities: Readonly<Record<string, AbilityCost>>;
}

/** By technical name of the class, then by level from 1 to 30. Only classes whose levels add up to their stats. */
export type ClassLevelTable = Readonly<Record<string, Readonly<Record<string, readonly ClassLevelStat[]>>>>;
