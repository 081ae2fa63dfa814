import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import type { ClassLevelStat, ClassLevelTable } from '../../../game/class-levels.ts';
import { CLASSES, type GameClass } from '../../../game/classes.domain.ts';
import { log } from '../../../platform/kit/logging.ts';
import { decodeBinfab } from '../format/decode-binfab.domain.ts';
import { type ClassLevels, type ClassModifier, parseClassLevels, sumClassLevels } from '../parse/class-levels.domain.ts';
import type { CodexSource } from './index-run.service.ts';

const KEY = 'class-levels.json';
const FOLDER = 'prefabs/class/';
/** Files of the folder that are looked at; the game has 19. */
const MAX_FILES = 200;

/** The levels of the classes in the newest indexed version, in object storage. */
export type ClassLevelStore = ReturnType<typeof createClassLevelStore>;

export function createClassLevelStore(bucket: R2Bucket) {
  return {
    async put(table: ClassLevelTable): Promise<void> {
      await bucket.put(KEY, JSON.stringify(table));
    },

    /** Null before the first version. */
    async get(): Promise<ClassLevelTable | null> {
      const object = await bucket.get(KEY);
      return object ? await object.json<ClassLevelTable>() : null;
    },
  };
}

/** Computes and stores the levels of the classes in a version of the live branch; other branches have none. */
export async function writeClassLevels(
  { source, classLevels }: { source: CodexSource; classLevels: ClassLevelStore },
  { branch, ordinal }: { branch: string; ordinal: number },
): Promise<void> {
  if (branch !== LIVE_BRANCH) return;
  const listed = await source.listFiles(branch, ordinal, FOLDER, MAX_FILES);
  const table: Record<string, ClassLevelTable[string]> = {};
  for (const entry of CLASSES) {
    const file = listed.find(({ path }) => path === `${FOLDER}${entry.tech_name}.binfab`);
    const bytes = file && (await source.readContent(file.sha256));
    if (!bytes) continue;
    const levels = parseClassLevels(decodeBinfab(bytes));
    const differing = levels ? differingStats(entry, levels) : ['levels'];
    if (levels && differing.length === 0) table[entry.tech_name] = toLevelRows(levels);
    else log({ event: 'class levels do not add up', class: entry.tech_name, stats: differing });
  }
  await classLevels.put(table);
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
