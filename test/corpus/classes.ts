import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeBinfab } from '../../src/areas/codexes/format/decode-binfab.domain.ts';
import { abilityFigures, readAbility } from '../../src/areas/codexes/indexer/class-figures.service.ts';
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

/** Counts what the files tell of the abilities of the class tables; every figure must be one that a player can meet. */
export async function checkAbilities(dir: string, report: Report): Promise<void> {
  const check = report.check('figures of abilities');
  const read = async (prefab: string) => decodeBinfab(readOrEmpty(join(dir, 'prefabs', `${prefab}.binfab`)));
  for (const entry of CLASSES) {
    const others = new Set(entry.abilities.map(({ prefab }) => prefab));
    for (const ability of entry.abilities) {
      if (ability.prefab === null) continue;
      const {
        energy,
        cooldown,
        healing = [],
        effects = [],
        hits = [],
      } = abilityFigures(ability, await readAbility(read, ability.prefab, others));
      const percents = healing.flatMap(({ max_health_percent, max_energy_percent }) => [max_health_percent, max_energy_percent]);
      const count = (kind: string, isPlausible: boolean) => check.add(isPlausible ? null : `${ability.prefab}: ${kind}`, kind);
      if (energy !== undefined) count('energy', energy <= 200);
      if (cooldown !== undefined) count('cooldown', cooldown <= 300);
      for (const percent of percents) if (percent !== 0) count('percent restored', percent > 0 && percent <= 200);
      for (const { energy: restored } of healing) if (restored !== 0) count('energy restored', restored > 0 && restored <= 100);
      for (const { duration, stats } of effects) count('effect', stats.length > 0 && (duration === null || duration <= 600));
      for (const [index] of ability.stages.entries()) {
        const hit = hits[index];
        if (!hit) count('hit without a file', true);
        else
          count(
            hit.max_health_percent === undefined ? 'hit with another multiplier' : 'hit with figures',
            (hit.max_health_percent ?? 0) <= 10_000,
          );
      }
    }
  }
}

function readOrEmpty(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array(0);
  }
}
