import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import type { AbilityFigures, ClassFigures, ClassLevelStat, ClassLevelTable } from '../../../game/class-figures.ts';
import { CLASSES, type ClassAbility, type GameClass } from '../../../game/classes.domain.ts';
import { log } from '../../../platform/kit/logging.ts';
import type { BinFile } from '../format/binfab.domain.ts';
import { decodeBinfab } from '../format/decode-binfab.domain.ts';
import { parseAbilityCost } from '../parse/ability-costs.domain.ts';
import { type AbilityPrefab, namedAbilityPrefabs, parseEffects, parseHealing, parseHits } from '../parse/ability-effects.domain.ts';
import { type ClassLevels, parseClassLevels, sumClassLevels, toLevelStat } from '../parse/class-levels.domain.ts';
import type { CodexSource } from './codex-source.domain.ts';
import type { IndexStorage } from './index-storage.store.ts';

const KEY = 'class-figures.json';

/** The figures of the classes in the newest indexed version, in object storage. */
export type ClassFigureStore = ReturnType<typeof createClassFigureStore>;

export function createClassFigureStore(bucket: R2Bucket) {
  return {
    async put(figures: ClassFigures): Promise<void> {
      await bucket.put(KEY, JSON.stringify(figures));
    },

    /** Null before the first version. */
    async get(): Promise<ClassFigures | null> {
      const object = await bucket.get(KEY);
      return object ? await object.json<ClassFigures>() : null;
    },
  };
}

interface ClassFigureDeps {
  source: Pick<CodexSource, 'readContent'>;
  storage: Pick<IndexStorage, 'findHash'>;
  classFigures: ClassFigureStore;
}

/** Prefabs that are read for an ability: the walk over what it names ends there. */
const MAX_PREFABS = 80;

/** Reads a file below `prefabs/`, without `.binfab`. Null if there is none, or none that can be decoded. */
type ReadPrefab = (prefab: string) => Promise<BinFile | null>;

/** Computes and stores the levels and the figures of abilities of the classes in a version of the live branch; other branches have none. */
export async function writeClassFigures({ source, storage, classFigures }: ClassFigureDeps, branch: string): Promise<void> {
  if (branch !== LIVE_BRANCH) return;
  const read: ReadPrefab = async (prefab) => {
    const hash = storage.findHash(`prefabs/${prefab}.binfab`);
    const bytes = hash && (await source.readContent(hash));
    return bytes ? decodeBinfab(bytes) : null;
  };
  const levels: Record<string, ClassLevelTable[string]> = {};
  const abilities: Record<string, AbilityFigures> = {};
  for (const entry of CLASSES) {
    const file = await read(`class/${entry.tech_name}`);
    if (file) {
      const gained = parseClassLevels(file);
      const differing = gained ? differingStats(entry, gained) : ['levels'];
      if (gained && differing.length === 0) levels[entry.tech_name] = toLevelRows(gained);
      else log({ event: 'class levels do not add up', class: entry.tech_name, stats: differing });
    }
    const others = new Set(entry.abilities.map(({ prefab }) => prefab));
    for (const ability of entry.abilities) {
      if (ability.prefab === null) continue;
      const figures = abilityFigures(ability, await readAbility(read, ability.prefab, others));
      if (Object.keys(figures).length > 0) abilities[ability.prefab] = figures;
    }
  }
  await classFigures.put({ levels, abilities });
}

/** Reads the prefab of an ability and those that it names, breadth first, without the other abilities of the class. */
export async function readAbility(read: ReadPrefab, first: string, others: ReadonlySet<string | null>): Promise<AbilityPrefab[]> {
  const names = new Set([first]);
  const prefabs: AbilityPrefab[] = [];
  // A set yields what is added while it is walked.
  for (const prefab of names) {
    const file = await read(prefab);
    if (!file) continue;
    prefabs.push({ prefab, file });
    for (const name of namedAbilityPrefabs(file)) if (!others.has(name) && names.size < MAX_PREFABS) names.add(name);
  }
  return prefabs;
}

/** What the files of an ability tell; the first of them is its own. */
export function abilityFigures(
  { prefab, stages }: Pick<ClassAbility, 'prefab' | 'stages'>,
  prefabs: readonly AbilityPrefab[],
): AbilityFigures {
  const own = prefabs.find((one) => one.prefab === prefab)?.file ?? null;
  const [healing, effects, hits] = [parseHealing(prefabs), parseEffects(prefabs), parseHits(stages, prefabs)];
  return {
    ...parseAbilityCost(own),
    ...(healing.length > 0 ? { healing } : {}),
    ...(effects.length > 0 ? { effects } : {}),
    ...(hits.some((hit) => hit !== null) ? { hits } : {}),
  };
}

/** Stats and bonuses of a class that are not the sum of its levels. */
export function differingStats({ stats, bonuses }: Pick<GameClass, 'stats' | 'bonuses'>, levels: ClassLevels): string[] {
  const totals = sumClassLevels(levels);
  return [
    ...stats.filter(({ name, value }) => totals.stats.get(name) !== value),
    ...bonuses.filter(({ name, value }) => (totals.bonuses.get(name) ?? 0) !== value),
  ].map(({ name }) => name);
}

/** The levels of a class in the form of the API. */
export function toLevelRows(levels: ClassLevels): Record<string, ClassLevelStat[]> {
  return Object.fromEntries([...levels].sort(([one], [other]) => one - other).map(([level, rows]) => [level, rows.map(toLevelStat)]));
}
