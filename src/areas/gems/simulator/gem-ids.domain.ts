import { checkChoice, checkInteger, type FieldPath, InputError } from '../../../platform/kit/errors/input-error.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import {
  ABILITIES,
  type AbilityId,
  AUGMENTS,
  type AugmentId,
  BOOSTERS,
  type BoosterId,
  ELEMENTS,
  type ElementId,
  RESTRICTIONS,
  type RestrictionId,
  type RollStatId,
  STATS,
  type StatId,
  TIERS,
  type TierId,
  TYPES,
  type TypeId,
} from './gem-lookups.data.ts';

const idsOf = <Id extends number>(table: Record<Id, unknown>): readonly Id[] => Object.keys(table).map(Number) as Id[];

export const TIER_IDS: readonly TierId[] = namedValues('GemTierId', 'Tier of a gem.', idsOf(TIERS));
export const TYPE_IDS: readonly TypeId[] = namedValues('GemTypeId', 'Type of a gem.', idsOf(TYPES));
export const ELEMENT_IDS: readonly ElementId[] = namedValues('GemElementId', 'Element of a gem.', idsOf(ELEMENTS));
export const RESTRICTION_IDS: readonly RestrictionId[] = namedValues('GemRestrictionId', 'Restriction of a gem.', idsOf(RESTRICTIONS));
export const STAT_IDS: readonly StatId[] = namedValues('GemStatTypeId', 'Stat of a gem.', idsOf(STATS));
export const ROLL_STAT_IDS: readonly RollStatId[] = namedValues(
  'GemRollStatId',
  'Stat that a gem can roll.',
  STAT_IDS.filter((id) => id !== 8 && id !== 9),
);
export const AUGMENT_IDS: readonly AugmentId[] = namedValues('GemAugmentTypeId', 'Kind of focus.', idsOf(AUGMENTS));
export const ABILITY_IDS: readonly AbilityId[] = namedValues('GemAbilityId', 'Ability of an Empowered gem.', idsOf(ABILITIES));
export const BOOSTER_IDS = namedValues('GemBoosterId', 'Level-up booster.', Object.keys(BOOSTERS) as readonly BoosterId[]);

/** An optional request field: null is treated as absent. */
export type Maybe<T> = T | null | undefined;

/** Checks an id of a request. Throws `InputError`: `invalid` if not an integer, `refused` if not one of `ids`. */
export function checkRequestedId<Id extends number>(value: unknown, ids: readonly Id[], path: FieldPath): Id {
  return checkChoice(checkInteger(value, path), ids, path, 'refused');
}

/** Like `checkRequestedId`, with a default for an absent field. */
export function checkOptionalId<Id extends number, Other>(
  value: unknown,
  ids: readonly Id[],
  path: FieldPath,
  defaultValue: Other,
): Id | Other {
  return value === null || value === undefined ? defaultValue : checkRequestedId(value, ids, path);
}

/** Checks a stat that can roll; Movement Speed and Jump cannot. */
export function checkRollStat(value: unknown, path: FieldPath): RollStatId {
  if (value === 8 || value === 9) throw new InputError('refused', path, `must not be ${STATS[value]}, which never rolls`, ROLL_STAT_IDS);
  return checkRequestedId(value, ROLL_STAT_IDS, path);
}

export function checkBooster(value: Maybe<string>): BoosterId | null {
  return value === null || value === undefined ? null : checkChoice(value, BOOSTER_IDS, ['booster'], 'refused');
}

/** Checks a level against the maximum of the tier; values below 1 are treated as 1. */
export function checkLevel(value: Maybe<number>, tier: TierId): number {
  const level = Math.max(1, checkInteger(value ?? 1, ['level']));
  const { name, maxLevel } = TIERS[tier];
  if (level > maxLevel) throw new InputError('refused', ['level'], `must be at most ${maxLevel} for a ${name} gem`);
  return level;
}
