import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROLLS, type TierId, type TypeId } from '../../src/areas/gems/gem.data.ts';
import type { Report } from './report.ts';

const FILE = 'prefabs/gems/meta/gem_upgradedata.binfab';
/** A base roll: stat and operation (2 adds, 0 multiplies), then four floats, the last three of them minimum, maximum and step. */
const ROLL_BYTES = ['00', 'stat', '10', 'operation', '24', 'float', 'ae0304', 'float', '14', 'float', '24', 'float', '1e1e'] as const;
/** Numbers of stats and operations, doubled as in the file, with the factor from the file to the figures of the service. */
const KINDS = {
  damage: { stat: 0, operation: 2, scale: 1 },
  maxHealth: { stat: 4, operation: 2, scale: 1 },
  maxHealthPercent: { stat: 4, operation: 0, scale: 100 },
  healthRegen: { stat: 8, operation: 2, scale: 1 },
  criticalHit: { stat: 14, operation: 2, scale: 0.1 },
  criticalDamage: { stat: 44, operation: 2, scale: 1 },
  light: { stat: 78, operation: 2, scale: 1 },
} as const;
/** The figures of the file are 32-bit floats. */
const TOLERANCE = 1e-6;

interface RollInFile {
  stat: number;
  operation: number;
  values: number[];
}

/**
 * Compares the base rolls of the service with those of an unpacked version of the game, for the types and tiers that it has. A group of
 * the file belongs to the type and tier with the same damage.
 */
export function checkGems(dir: string, report: Report): void {
  const check = report.check('base rolls of gems');
  const groups = readGroups(readFileSync(join(dir, FILE)));
  for (const type of [1, 2] as TypeId[]) {
    for (const tier of [1, 2, 3, 4] as TierId[]) {
      const rolls = ROLLS[type][tier];
      for (const group of groups.filter((found) => isEqual(valuesOf(found, 'damage'), rolls.damage))) {
        for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
          const values = valuesOf(group, kind);
          if (!values && kind === 'light') continue;
          const difference = `type ${type}, tier ${tier}, ${kind}: ${values} in the file, ${rolls[kind]} here`;
          check.add(isEqual(values, rolls[kind]) ? null : difference, 'of a type and tier');
        }
      }
    }
  }
  // Every other group has the same ratio, from which the figures of the newer tiers are inferred.
  for (const group of groups) {
    const [health, regen] = [valuesOf(group, 'maxHealth'), valuesOf(group, 'healthRegen')];
    if (!health || !regen) continue;
    // The file rounds minimum and maximum to integers.
    const isRatio = regen.every((value, index) => Math.abs(value - (health[index] ?? 0) * 0.7) <= 0.5);
    check.add(isRatio ? null : `${regen} is not 0.7 times ${health}`, 'ratio of health and regeneration');
  }
}

/** The rolls of each type and tier: a group begins with stat 0. */
function readGroups(bytes: Buffer): RollInFile[][] {
  const groups: RollInFile[][] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const roll = rollAt(bytes, at);
    if (roll?.stat === 0) groups.push([]);
    if (roll) groups.at(-1)?.push(roll);
  }
  return groups;
}

/** The roll that starts at an offset; null if the bytes are none. */
function rollAt(bytes: Buffer, start: number): RollInFile | null {
  const numbers = { stat: 0, operation: 0 };
  const floats: number[] = [];
  let at = start;
  for (const part of ROLL_BYTES) {
    if (part === 'float') {
      if (at + 4 > bytes.length) return null;
      floats.push(bytes.readFloatLE(at));
      at += 4;
    } else if (part === 'stat' || part === 'operation') {
      numbers[part] = bytes[at] ?? 0;
      at += 1;
    } else {
      if (bytes.toString('hex', at, at + part.length / 2) !== part) return null;
      at += part.length / 2;
    }
  }
  return { ...numbers, values: floats.slice(1) };
}

function valuesOf(group: readonly RollInFile[], kind: keyof typeof KINDS): number[] | undefined {
  const { stat, operation, scale } = KINDS[kind];
  return group.find((roll) => roll.stat === stat && roll.operation === operation)?.values.map((value) => value * scale);
}

function isEqual(one: readonly number[] | undefined, other: readonly number[]): boolean {
  return one?.length === other.length && other.every((value, index) => Math.abs((one[index] ?? 0) - value) <= TOLERANCE * Math.abs(value));
}
