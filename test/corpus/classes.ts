import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeBinfab } from '../../src/areas/codexes/format/decode-binfab.domain.ts';
import { parseClassLevels, sumClassLevels } from '../../src/areas/codexes/parse/class-levels.domain.ts';
import { CLASSES } from '../../src/game/classes.domain.ts';
import type { Report } from './report.ts';

/** A figure of a class table and that of the files. */
export interface ClassFigure {
  techName: string;
  name: string;
  inTable: number | null;
  inFile: number | null | undefined;
}

/** Every figure of the class tables beside that of an unpacked version; none for a class without a readable file. */
export function classFigures(dir: string): { figures: ClassFigure[]; unread: string[] } {
  const figures: ClassFigure[] = [];
  const unread: string[] = [];
  for (const { tech_name: techName, stats, bonuses } of CLASSES) {
    const levels = parseClassLevels(decodeBinfab(readOrEmpty(join(dir, 'prefabs/class', `${techName}.binfab`))));
    if (levels === null) {
      unread.push(techName);
      continue;
    }
    const totals = sumClassLevels(levels);
    for (const { name, value } of stats) figures.push({ techName, name, inTable: value, inFile: totals.stats.get(name) });
    for (const { name, value } of bonuses)
      figures.push({ techName, name: `${name} (bonus)`, inTable: value, inFile: totals.bonuses.get(name) ?? 0 });
  }
  return { figures, unread };
}

/** Figures of the class tables that are those of a newer game than the versions at hand. */
const KNOWN = new Set([
  'bard, Attack Speed',
  'bard, Jump',
  'chloromancer, Health Regen',
  'chloromancer, Jump',
  'lunarlancer, Energy Regen',
]);

/** Compares the class tables with the sum of all levels in an unpacked version of the game. */
export function checkClasses(dir: string, report: Report): void {
  const check = report.check('figures of classes');
  const { figures, unread } = classFigures(dir);
  for (const { techName, name, inTable, inFile } of figures) {
    const figure = `${techName}, ${name}`;
    if (inTable === inFile) check.add(null, 'equal');
    else if (KNOWN.has(figure)) check.add(null, 'known to differ');
    else check.add(`${figure}: ${inFile} in the file, ${inTable} here`);
  }
  for (const techName of unread) check.add(null, `class without a file (${techName})`);
}

function readOrEmpty(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array(0);
  }
}
