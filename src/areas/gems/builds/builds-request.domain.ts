import { CLASS_NAMES, classByName, type GameClass } from '../../../game/classes.domain.ts';
import { checkChoice, checkInteger, choiceError } from '../../../platform/kit/errors/input-error.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import type { Maybe } from '../simulator/gem-ids.domain.ts';
import { ALLIES, type Buff, FOODS, NO_ALLY } from './builds.data.ts';
import { readStarChart, type StarChart } from './star-chart.domain.ts';

export const BUILD_TYPES = namedValues('BuildType', 'Purpose of a build.', ['Light', 'Farm', 'Health']);
export type BuildType = (typeof BUILD_TYPES)[number];

/** Gear pieces that can have a Critical Damage line: weapon, hat and face. */
export const MAX_CRITICAL_LINES = 3;

/** A build request; absent and null fields default. */
export interface BuildRequest {
  build_type?: Maybe<string>;
  character?: Maybe<string>;
  subclass?: Maybe<string>;
  food?: Maybe<string>;
  ally?: Maybe<string>;
  critical_damage_count?: Maybe<number>;
  no_face?: Maybe<boolean>;
  subclass_active?: Maybe<boolean>;
  litany?: Maybe<boolean>;
  berserker_battler?: Maybe<boolean>;
  light?: Maybe<number>;
  star_chart?: Maybe<string>;
  ally_buff?: Maybe<boolean>;
  bounty_hunt?: Maybe<boolean>;
  high_precision?: Maybe<boolean>;
}

/** A validated build request with resolved names and defaults. */
export interface Build {
  type: BuildType;
  character: GameClass;
  subclass: GameClass;
  food: Buff | null;
  ally: Buff;
  criticalLines: number;
  hasFaceDamage: boolean;
  isSubclassActive: boolean;
  hasLitany: boolean;
  hasBerserkerBattler: boolean;
  /** 0 for no target. */
  lightTarget: number;
  chart: StarChart;
  hasAllyBuff: boolean;
  hasBountyHunt: boolean;
  highPrecision: boolean;
}

export function resolveBuild(request: BuildRequest): Build {
  return {
    type: checkChoice(request.build_type ?? 'Light', BUILD_TYPES, ['build_type'], 'invalid'),
    character: findClass(request.character ?? 'Bard', 'character'),
    subclass: findClass(request.subclass ?? 'Boomeranger', 'subclass'),
    food: findFood(request.food ?? ''),
    ally: findBuff(request.ally ?? NO_ALLY, ALLIES, 'ally'),
    criticalLines: checkInteger(request.critical_damage_count ?? MAX_CRITICAL_LINES, ['critical_damage_count'], 0, MAX_CRITICAL_LINES),
    hasFaceDamage: request.no_face !== true,
    isSubclassActive: request.subclass_active === true,
    hasLitany: request.litany === true,
    hasBerserkerBattler: request.berserker_battler === true,
    lightTarget: checkInteger(request.light ?? 0, ['light'], 0),
    chart: readStarChart(request.star_chart),
    hasAllyBuff: request.ally_buff !== false,
    hasBountyHunt: request.bounty_hunt === true,
    highPrecision: request.high_precision === true,
  };
}

/** Finds a class by its exact display name; throws `InputError`. */
export function findClass(name: string, field: 'character' | 'subclass'): GameClass {
  const match = classByName(name);
  if (match === undefined) throw choiceError(name, CLASS_NAMES, [field], 'refused');
  return match;
}

function findFood(key: string): Buff | null {
  return key === '' ? null : findBuff(key, FOODS, 'food');
}

function findBuff(key: string, buffs: readonly Buff[], field: 'food' | 'ally'): Buff {
  const match = buffs.find((buff) => buff.key === key);
  if (match === undefined) {
    const keys = buffs.map((buff) => buff.key);
    throw choiceError(key, keys, [field], 'invalid');
  }
  return match;
}
