import { checkChoice, checkInteger, checkNumber, type FieldPath, InputError } from '../../platform/kit/errors/input-error.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';
import {
  ABILITIES,
  type AbilityId,
  AUGMENTS,
  type AugmentId,
  BOOSTERS,
  type BoosterId,
  COSMIC,
  ELEMENTS,
  type ElementId,
  EMPOWERED,
  KARMA_MAX,
  LIGHT,
  MAGIC_DAMAGE,
  PHYSICAL_DAMAGE,
  RESTRICTIONS,
  type RestrictionId,
  type RollStatId,
  STATS,
  type StatId,
  TIERS,
  type TierId,
  TYPES,
  type TypeId,
} from './gem.data.ts';
import {
  type Augment,
  type Container,
  countContainers,
  type Gem,
  type GemStat,
  MAX_CONTAINERS,
  POSITIONS,
  type StatPosition,
  type ThreeStats,
} from './gem.domain.ts';

const idsOf = <Id extends number>(table: Record<Id, unknown>): readonly Id[] => Object.keys(table).map(Number) as Id[];

export const TIER_IDS: readonly TierId[] = namedValues('GemTierId', 'Tier of a gem.', idsOf(TIERS));
export const TYPE_IDS: readonly TypeId[] = namedValues('GemTypeId', 'Type of a gem.', idsOf(TYPES));
export const ELEMENT_IDS: readonly ElementId[] = namedValues('GemElementId', 'Element of a gem.', idsOf(ELEMENTS));
export const RESTRICTION_IDS: readonly RestrictionId[] = namedValues('GemRestrictionId', 'Restriction of a gem.', idsOf(RESTRICTIONS));
export const STAT_IDS: readonly StatId[] = namedValues('GemStatTypeId', 'Stat of a gem.', idsOf(STATS));
export const ROLL_STAT_IDS: readonly RollStatId[] = namedValues(
  'GemRollStatId',
  'Stat that a gem can have.',
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

/** Checks a stat that a gem can have; Movement Speed and Jump are on none. */
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

const MAX_AUGMENTS = 1000;

/**
 * Validates a gem of a request. Throws `InputError` of kind `invalid` with the path of the field, starting with `path`. Ignores derived
 * and unknown fields. A gem without an id gets one from `newId`.
 */
export function parseGem(value: unknown, newId: () => number, path: FieldPath = ['gem']): Gem {
  const raw = checkObject(value, path);
  const pathOf = (field: string): FieldPath => [...path, field];
  const tier = checkId(raw.tier, TIER_IDS, pathOf('tier'));
  const type = checkId(raw.type, TYPE_IDS, pathOf('type'));
  const element = checkId(raw.element, ELEMENT_IDS, pathOf('element'));
  const restriction = optional(raw.restriction, (id) => checkId(id, RESTRICTION_IDS, pathOf('restriction')));
  const ability = optional(raw.ability, (id) => checkId(id, ELEMENTS[element].abilities, pathOf('ability')));
  return {
    id: optional(raw.id, (id) => checkInteger(id, pathOf('id'), -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)) ?? newId(),
    tier,
    type,
    element,
    restriction: type === EMPOWERED ? null : restriction,
    ability: type === EMPOWERED ? ability : null,
    level: checkInteger(raw.level, pathOf('level'), 1, TIERS[tier].maxLevel),
    stats: parseStats(raw.stats, element, pathOf('stats')),
    augmentation: optional(raw.augmentation, (roll) => checkNumber(roll, pathOf('augmentation'), 0, 1)),
    attempts: optional(raw.attempts, (count) => checkInteger(count, pathOf('attempts'), 0)) ?? 0,
    karma: optional(raw.karma, (karma) => checkInteger(karma, pathOf('karma'), 0, KARMA_MAX)) ?? 0,
    spent: optional(raw.spent, (spent) => parseSpent(spent, pathOf('spent'))) ?? {},
  };
}

/** Checks the position of a stat. */
export function checkPosition(position: number): StatPosition {
  checkInteger(position, ['stat_position'], 0);
  return checkChoice(position, POSITIONS, ['stat_position'], 'refused');
}

function parseStats(value: unknown, element: ElementId, path: FieldPath): ThreeStats {
  const list = checkArray(value, path);
  if (list.length !== 3) throw new InputError('invalid', path, 'must have exactly three stats');
  const stats = list.map((entry, index) => parseStat(entry, [...path, index])) as ThreeStats;
  stats.forEach((stat, index) => {
    checkStatType(stat.type, stats.slice(0, index), element, [...path, index, 'type']);
  });
  if (countContainers(stats) > MAX_CONTAINERS)
    throw new InputError('invalid', path, `must have at most ${MAX_CONTAINERS} containers in total`);
  return stats;
}

function checkStatType(type: RollStatId, previousStats: readonly GemStat[], element: ElementId, path: FieldPath): void {
  const used = previousStats.map((stat) => stat.type);
  const otherDamage = type === PHYSICAL_DAMAGE ? MAGIC_DAMAGE : type === MAGIC_DAMAGE ? PHYSICAL_DAMAGE : null;
  if (used.includes(type)) throw new InputError('invalid', path, 'must differ from the other stats');
  if (otherDamage !== null && used.includes(otherDamage))
    throw new InputError('invalid', path, 'must not combine Physical and Magic Damage');
  if (type === LIGHT && element !== COSMIC) throw new InputError('invalid', path, 'must not be Light unless the gem is Cosmic');
}

function parseStat(value: unknown, path: FieldPath): GemStat {
  const raw = checkObject(value, path);
  const containersPath = [...path, 'containers'];
  const containers = checkArray(raw.containers, containersPath);
  if (containers.length < 1) throw new InputError('invalid', containersPath, 'must have at least one container');
  if (containers.length > MAX_CONTAINERS) throw new InputError('invalid', containersPath, `must have at most ${MAX_CONTAINERS} containers`);
  return {
    type: checkId(raw.type, ROLL_STAT_IDS, [...path, 'type']),
    locked: optional(raw.locked, (locked) => checkBoolean(locked, [...path, 'locked'])) ?? false,
    containers: containers.map((entry, index) => parseContainer(entry, [...containersPath, index])),
  };
}

function parseContainer(value: unknown, path: FieldPath): Container {
  const raw = checkObject(value, path);
  const base = checkNumber(raw.base, [...path, 'base'], 0, 1);
  const listed = new Map<AugmentId, number>();
  const entries = optional(raw.augments, (augments) => checkArray(augments, [...path, 'augments'])) ?? [];
  entries.forEach((entry, index) => {
    const entryPath = [...path, 'augments', index];
    const augment = parseAugment(entry, entryPath);
    if (listed.has(augment.type)) throw new InputError('invalid', [...entryPath, 'type'], 'must not be listed twice');
    listed.set(augment.type, augment.count);
  });
  const augmentOf = (type: AugmentId): Augment => ({ type, count: listed.get(type) ?? 0 });
  return { base, augments: [augmentOf(1), augmentOf(2), augmentOf(3)] };
}

function parseAugment(value: unknown, path: FieldPath): Augment {
  const raw = checkObject(value, path);
  const type = checkId(raw.type, AUGMENT_IDS, [...path, 'type']);
  return { type, count: optional(raw.count, (count) => checkInteger(count, [...path, 'count'], 0, MAX_AUGMENTS)) ?? 0 };
}

function parseSpent(value: unknown, path: FieldPath): Record<string, number> {
  const entries = Object.entries(checkObject(value, path));
  return Object.fromEntries(entries.map(([name, count]) => [name, checkInteger(count, [...path, name], 0)]));
}

function checkId<Id extends number>(value: unknown, ids: readonly Id[], path: FieldPath): Id {
  return checkChoice(value, ids, path, 'invalid');
}

function checkObject(value: unknown, path: FieldPath): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InputError('invalid', path, 'must be an object');
}

function checkArray(value: unknown, path: FieldPath): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new InputError('invalid', path, 'must be an array');
}

function checkBoolean(value: unknown, path: FieldPath): boolean {
  if (typeof value === 'boolean') return value;
  throw new InputError('invalid', path, 'must be true or false');
}

/** Null is treated as absent. */
function optional<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === undefined || value === null ? null : read(value);
}
