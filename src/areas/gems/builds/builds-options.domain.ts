import { CLASS_NAMES } from '../../../game/classes.domain.ts';
import { ALLIES, FOODS, NO_ALLY } from './builds.data.ts';
import { BUILD_TYPES, type BuildRequest, type BuildType, MAX_CRITICAL_LINES } from './builds-request.domain.ts';

export interface KeyLabel {
  key: string;
  label: string;
}

export interface BuildOptions {
  build_type: readonly BuildType[];
  character: readonly string[];
  ally: KeyLabel[];
  food: KeyLabel[];
  critical_damage_count: { min: number; max: number; default: number };
  flags: readonly (keyof BuildRequest)[];
  notes: Record<string, string>;
}

const FLAGS = ['berserker_battler', 'no_face', 'subclass_active', 'litany', 'ally_buff', 'bounty_hunt', 'high_precision'] as const;

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
export function createBuildOptions(): BuildOptions {
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
