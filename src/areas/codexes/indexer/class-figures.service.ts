import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import type { AbilityCost, ClassFigures, ClassLevelStat, ClassLevelTable } from '../../../game/class-figures.ts';
import { CLASSES, type GameClass } from '../../../game/classes.domain.ts';
import { log } from '../../../platform/kit/logging.ts';
import type { BinFile } from '../format/binfab.domain.ts';
import { decodeBinfab } from '../format/decode-binfab.domain.ts';
import { parseAbilityCost } from '../parse/ability-costs.domain.ts';
import { type ClassLevels, type ClassModifier, parseClassLevels, sumClassLevels } from '../parse/class-levels.domain.ts';
import type { CodexSource } from './index-run.service.ts';
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

/** Computes and stores the levels and costs of abilities of the classes in a version of the live branch; other branches have none. */
export async function writeClassFigures({ source, storage, classFigures }: ClassFigureDeps, branch: string): Promise<void> {
  if (branch !== LIVE_BRANCH) return;
  const read = async (prefab: string): Promise<BinFile | null> => {
    const hash = storage.findHash(`prefabs/${prefab}.binfab`);
    const bytes = hash && (await source.readContent(hash));
    return bytes ? decodeBinfab(bytes) : null;
  };
  const levels: Record<string, ClassLevelTable[string]> = {};
  const abilities: Record<string, AbilityCost> = {};
  for (const entry of CLASSES) {
    const file = await read(`class/${entry.tech_name}`);
    if (file) {
      const gained = parseClassLevels(file);
      const differing = gained ? differingStats(entry, gained) : ['levels'];
      if (gained && differing.length === 0) levels[entry.tech_name] = toLevelRows(gained);
      else log({ event: 'class levels do not add up', class: entry.tech_name, stats: differing });
    }
    for (const { prefab } of entry.abilities) {
      const cost = prefab === null ? {} : parseAbilityCost(await read(prefab));
      if (prefab !== null && Object.keys(cost).length > 0) abilities[prefab] = cost;
    }
  }
  await classFigures.put({ levels, abilities });
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
  return Object.fromEntries([...levels].sort(([one], [other]) => one - other).map(([level, rows]) => [level, rows.map(toRow)]));
}

function toRow({ name, operation, value, percentage }: ClassModifier): ClassLevelStat {
  if (operation === 'Nullify' || (operation === 'Multiply' && value === 0)) return { name, value: null, percentage, absolute: false };
  // A factor is shown as the bonus of the class.
  if (operation === 'Multiply') return { name, value: Number(((value - 1) * 100).toFixed(4)), percentage: true, absolute: false };
  return { name, value, percentage, absolute: operation === 'Set' };
}
