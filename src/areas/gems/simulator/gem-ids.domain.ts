import { checkChoice, checkInteger, type FieldPath, InputError } from '../../../platform/errors/input-error.ts';
import { namedValues } from '../../../platform/values/named-values.ts';
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

/** An optional request field: absent and null are the same. */
export type Maybe<T> = T | null | undefined;

/** An id in a request: anything but an integer is `invalid`, an integer outside the enumeration `refused`. */
export function requestedId<Id extends number>(value: unknown, ids: readonly Id[], path: FieldPath): Id {
  return checkChoice(checkInteger(value, path), ids, path, 'refused');
}

/** As `requestedId`, with a value for a field that is not given. */
export function requestedIdOr<Id extends number, Other>(value: unknown, ids: readonly Id[], path: FieldPath, other: Other): Id | Other {
  return value === null || value === undefined ? other : requestedId(value, ids, path);
}

/** A stat that has figures; Movement Speed and Jump have none. */
export function requestedRollStat(value: unknown, path: FieldPath): RollStatId {
  if (value === 8 || value === 9) throw new InputError('refused', path, `${STATS[value]} never rolls on gems`, ROLL_STAT_IDS);
  return requestedId(value, ROLL_STAT_IDS, path);
}

export function requestedBooster(value: Maybe<string>): BoosterId | null {
  return value === null || value === undefined ? null : checkChoice(value, BOOSTER_IDS, ['booster'], 'refused');
}

/** A level a calculation works with; below 1 counts as 1. */
export function requestedLevel(value: Maybe<number>, tier: TierId): number {
  const level = Math.max(1, checkInteger(value ?? 1, ['level']));
  const { name, maxLevel } = TIERS[tier];
  if (level > maxLevel) throw new InputError('refused', ['level'], `level of a ${name} gem must be at most ${maxLevel}`);
  return level;
}
