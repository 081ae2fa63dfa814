import { CLASS_NAMES, classByName, type GameClass } from '../../../game/classes.domain.ts';
import { checkChoice, checkInteger, choiceError } from '../../../platform/kit/errors/input-error.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import type { Maybe } from '../gem-input.domain.ts';
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

const FLAGS = [
  'berserker_battler',
  'no_face',
  'subclass_active',
  'litany',
  'ally_buff',
  'bounty_hunt',
  'high_precision',
] as const satisfies readonly (keyof BuildRequest)[];

const NOTES = {
  subclass: 'The second class of the character, from the same list; only some subclasses change a damage build.',
  ally: 'The ally at level 30; its percentages multiply Critical Damage, those of food are added.',
  ally_buff: 'Includes the buff of the ally: 15.5 % more Light and 31 % more of everything else; on by default.',
  food: 'One food at a time; empty for none.',
  high_precision: 'Returns every figure of a row with eight decimals and sorts the rows by them.',
  light: 'Target Light; 0 ranks by coefficient alone. Only Farm builds can trade Light for damage.',
  star_chart: 'A star chart code in any of its three formats; an invalid code is ignored.',
  bounty_hunt: 'Adds the boss buff if the star chart unlocks one.',
} as const;

/** All possible values of a build request. */
export function createBuildOptions() {
  const allies = ALLIES.filter(({ key }) => key !== NO_ALLY).map(({ key, label }) => ({ key, label }));
  return {
    build_type: BUILD_TYPES,
    character: CLASS_NAMES,
    ally: [{ key: NO_ALLY, label: 'No ally' }, ...allies],
    food: FOODS.map(({ key, label }) => ({ key, label })),
    critical_damage_count: { min: 0, max: MAX_CRITICAL_LINES, default: MAX_CRITICAL_LINES },
    flags: FLAGS,
    notes: NOTES,
  };
}
