import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeBinfab } from '../../src/areas/codexes/format/decode-binfab.domain.ts';
import { parseClassLevels, sumClassLevels } from '../../src/areas/codexes/parse/class-levels.domain.ts';
import { CLASSES } from '../../src/game/classes.domain.ts';

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

/** Compares the class tables with the sum of all levels in an unpacked version of the game. */
export function checkClasses(dir: string): { checked: number; differences: string[] } {
  const { figures } = classFigures(dir);
  const differences = figures
    .filter(({ inTable, inFile }) => inTable !== inFile)
    .map(({ techName, name, inTable, inFile }) => `${techName}, ${name}: ${inFile} in the file, ${inTable} here`);
  return { checked: figures.length, differences };
}

function readOrEmpty(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array(0);
  }
}
