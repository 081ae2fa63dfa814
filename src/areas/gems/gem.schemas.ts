import { z } from '@hono/zod-openapi';
import { documentedValues } from '../../platform/http/bodies/body-schemas.ts';
import { MAX_AMOUNT } from '../../platform/kit/errors/input-error.ts';
import { KARMA_MAX } from './gem.data.ts';
import { ABILITY_IDS, AUGMENT_IDS, ELEMENT_IDS, RESTRICTION_IDS, ROLL_STAT_IDS, TIER_IDS, TYPE_IDS } from './gem-input.domain.ts';

/**
 * Field schemas shared by the area. Schemas check enumerations and ranges, so a response lists every invalid field; the domain
 * functions check combinations of fields.
 */

interface FieldDoc {
  description: string;
  example: number;
}

/** Error for a value outside an enumeration: 400 for a request parameter, 422 inside a gem in a body. */
type EnumErrorCode = 'bad_request' | 'validation_error';

interface Range {
  minimum?: number;
  maximum?: number;
  /** Error for an out-of-range value; 422 by default. */
  below?: EnumErrorCode;
  above?: EnumErrorCode;
}

/** OpenAPI type of an optional field: null is treated as absent. */
const nullableType = (type: 'integer' | 'number' | 'string' | 'boolean') => [type, 'null' as const] satisfies [typeof type, 'null'];

const toParams = (errorCode: EnumErrorCode) => (errorCode === 'validation_error' ? {} : { code: errorCode });

function oneOf<Value extends number | string>(schema: z.ZodType<Value, Value>, allowed: readonly Value[], errorCode: EnumErrorCode) {
  return schema.refine((value) => allowed.includes(value), { params: { allowed, ...toParams(errorCode) } });
}

function withinRange(schema: z.ZodNumber, { minimum = -MAX_AMOUNT, maximum = MAX_AMOUNT, below, above }: Range) {
  return schema
    .refine((value) => value >= minimum, {
      message: `must be at least ${minimum}`,
      params: { type: 'too_small', ...toParams(below ?? 'validation_error') },
    })
    .refine((value) => value <= maximum, {
      message: `must be at most ${maximum}`,
      params: { type: 'too_big', ...toParams(above ?? 'validation_error') },
    });
}

const ids = (allowed: readonly number[], errorCode: EnumErrorCode) => oneOf(z.int(), allowed, errorCode);

/** An id in a request. */
export function id(allowed: readonly number[], doc: FieldDoc, errorCode: EnumErrorCode = 'bad_request') {
  return ids(allowed, errorCode).openapi({ type: 'integer', enum: [...allowed], ...documentedValues(allowed), ...doc });
}

/** An optional id in a request. */
export function optionalId(allowed: readonly number[], doc: FieldDoc & { default?: number }, errorCode: EnumErrorCode = 'bad_request') {
  return ids(allowed, errorCode)
    .nullish()
    .openapi({ type: nullableType('integer'), enum: [...allowed, null], ...documentedValues(allowed), ...doc });
}

/** An optional id that the domain function checks. */
export function uncheckedId(allowed: readonly number[], doc: FieldDoc) {
  return z
    .int()
    .nullish()
    .openapi({ type: nullableType('integer'), enum: [...allowed, null], ...documentedValues(allowed), ...doc });
}

export function integer({ below, above, ...doc }: FieldDoc & Range) {
  return withinRange(z.int(), { ...doc, below, above }).openapi({ type: 'integer', ...doc });
}

export function optionalInteger({ below, above, ...doc }: FieldDoc & Range & { default?: number }) {
  return withinRange(z.int(), { ...doc, below, above })
    .nullish()
    .openapi({ type: nullableType('integer'), ...doc });
}

/** A number in a request. */
export function number({ below, above, ...doc }: FieldDoc & Range) {
  return withinRange(z.number(), { ...doc, below, above }).openapi({ type: 'number', ...doc });
}

export function flag(description: string, defaultValue = false) {
  return z
    .boolean()
    .nullish()
    .openapi({ type: nullableType('boolean'), default: defaultValue, description, example: defaultValue });
}

/**
 * An optional name from a list; null is treated as absent. `acceptsEmpty`: an empty string means none too; the document omits it, because
 * client generators cannot name it.
 */
export function optionalName(
  names: readonly string[],
  { acceptsEmpty = false, ...doc }: { description: string; example: string; default?: string; acceptsEmpty?: boolean },
  errorCode: EnumErrorCode = 'validation_error',
) {
  return oneOf(z.string(), acceptsEmpty ? ['', ...names] : names, errorCode)
    .nullish()
    .openapi({ type: nullableType('string'), enum: [...names, null], ...documentedValues(names), ...doc });
}

/** An id in a response. */
export function knownId<Id extends number>(ids: readonly Id[], description: string, example: Id) {
  return z.literal(ids).openapi({ type: 'integer', enum: [...ids], ...documentedValues(ids), description, example });
}

/** An id in a response, or null. */
export function knownIdOrNull<Id extends number>(ids: readonly Id[], description: string, example: Id | null) {
  return z
    .literal(ids)
    .nullable()
    .openapi({ type: nullableType('integer'), enum: [...ids, null], ...documentedValues(ids), description, example });
}

export const figure = (description: string, example: number) => z.number().openapi({ description, example });
export const count = (description: string, example: number) => z.number().int().openapi({ description, example });
export const text = (description: string, example: string) => z.string().openapi({ description, example });
export const bool = (description: string, example: boolean) => z.boolean().openapi({ description, example });

/** Accepts negative integers: a negative id is an unknown id (400), not a malformed one (422). */
const INTEGER_TEXT = /^-?\d{1,15}$/;

function idText(allowed: readonly number[]) {
  return z.string().regex(INTEGER_TEXT, 'must be an integer').transform(Number).pipe(ids(allowed, 'bad_request'));
}

/** An id in a query. */
export function queryId(allowed: readonly number[], doc: FieldDoc) {
  return idText(allowed).openapi({ type: 'integer', enum: [...allowed], ...documentedValues(allowed), ...doc });
}

/** An optional id in a query. */
export function optionalQueryId(allowed: readonly number[], doc: FieldDoc & { default?: number }) {
  return idText(allowed)
    .optional()
    .openapi({ type: 'integer', enum: [...allowed], ...documentedValues(allowed), ...doc });
}

/** Bounds of a level in a query. Levels above the maximum of the tier are treated as the maximum. */
export const levelBounds = { min: 1, max: MAX_AMOUNT };

export const Seed = z.union([z.number().int(), z.string()]).nullish().openapi({
  description:
    'Makes the roll repeatable: the same body with the same seed returns the same response. An integer, or text of 1 to 64 characters. Send a new seed for each roll.',
  example: 'first-roll',
});

const TIER = 'Tier: 1 Radiant, 2 Stellar, 3 Crystal, 4 Mystic.';
const TYPE = 'Type: 1 Lesser, 2 Empowered.';
const ELEMENT = 'Element: 1 Water, 2 Fire, 3 Air, 4 Cosmic.';
const RESTRICTION = 'Restriction of a Lesser gem: 1 Fierce (physical), 2 Arcane (magic); null for Empowered gems.';
const ABILITY = 'Ability of an Empowered gem, see `lookups`; null for Lesser gems.';
const STAT =
  'Stat: 1 Physical Damage, 2 Magic Damage, 3 Critical Damage, 4 Critical Hit, 5 Max Health, 6 Max Health %, 7 Light (Cosmic gems only), 10 Health Regen (old gems only).';
const AUGMENT = 'Focus: 1 Rough (+2.5 %), 2 Precise (+5 %), 3 Superior (+12.5 %).';
const BASE = 'Initial position of the container in its roll range, 0 to 1.';
const AUGMENTATION = 'Base roll of every new container of the gem; null for random.';
const SPENT = 'Level-up materials used so far, by item name.';

export const DESCRIPTIONS = { TIER, TYPE, ELEMENT, RESTRICTION, STAT, AUGMENT } as const;

const AugmentInput = z
  .object({
    type: id(AUGMENT_IDS, { description: AUGMENT, example: 3 }, 'validation_error'),
    count: optionalInteger({ minimum: 0, maximum: 1000, default: 0, description: 'Number used on the container.', example: 1 }),
  })
  .openapi('GemAugmentInput', { description: 'Focuses of one type on a container.' });

export const ContainerInput = z
  .object({
    base: number({ minimum: 0, maximum: 1, description: BASE, example: 0.9 }),
    augments: z
      .array(AugmentInput)
      .nullish()
      .openapi({ description: 'Focuses used on the container, each type at most once; omitted types default to 0.' }),
  })
  .openapi('GemContainerInput', { description: 'A base slot or a boost of a stat.' });

const GemStatInput = z
  .object({
    type: id(ROLL_STAT_IDS, { description: STAT, example: 1 }, 'validation_error'),
    locked: flag('Whether the stat cannot be sparked.'),
    containers: z
      .array(ContainerInput)
      .openapi({ minItems: 1, maxItems: 16, description: 'Containers of the stat; at most 16 on the whole gem.' }),
  })
  .openapi('GemStatInput', { description: 'One of the three stats of a gem.' });

/** A Fierce Mystic gem with one stat of each kind. */
const EXAMPLE_GEM = {
  id: 177_315_663_012_345,
  tier: 4,
  type: 1,
  element: 2,
  restriction: 1,
  ability: null,
  level: 4,
  stats: [
    { type: 1, locked: false, containers: [{ base: 0.9, augments: [{ type: 3, count: 1 }] }] },
    { type: 3, locked: false, containers: [{ base: 0.25, augments: [] }] },
    { type: 6, locked: false, containers: [{ base: 0.6, augments: [] }] },
  ],
  augmentation: null,
  attempts: 3,
  karma: 0,
  spent: { Flux: 675 },
};

export const GemInput = z
  .object({
    id: z
      .int()
      .nullish()
      .openapi({ type: ['integer', 'null'], description: 'Id of the gem; generated if absent.', example: EXAMPLE_GEM.id }),
    tier: id(TIER_IDS, { description: TIER, example: 4 }, 'validation_error'),
    type: id(TYPE_IDS, { description: TYPE, example: 1 }, 'validation_error'),
    element: id(ELEMENT_IDS, { description: ELEMENT, example: 2 }, 'validation_error'),
    restriction: optionalId(RESTRICTION_IDS, { description: RESTRICTION, example: 1 }, 'validation_error'),
    ability: optionalId(ABILITY_IDS, { description: ABILITY, example: 12 }, 'validation_error'),
    level: integer({ minimum: 1, maximum: 35, description: 'Level, up to 23, 25, 30 or 35 by tier.', example: 4 }),
    stats: z.array(GemStatInput).openapi({
      minItems: 3,
      maxItems: 3,
      description: 'Three different stats, not both Physical and Magic Damage.',
      example: EXAMPLE_GEM.stats,
    }),
    augmentation: z
      .number()
      .nullish()
      .openapi({ type: ['number', 'null'], minimum: 0, maximum: 1, description: AUGMENTATION, example: null }),
    attempts: optionalInteger({ minimum: 0, default: 0, description: 'Level-up attempts made.', example: 3 }),
    karma: optionalInteger({ minimum: 0, maximum: KARMA_MAX, default: 0, description: 'Current karma.', example: 0 }),
    spent: z.record(z.string(), z.number().int()).nullish().openapi({ description: SPENT, example: EXAMPLE_GEM.spent }),
  })
  .openapi('GemInput', {
    description: 'A gem from an earlier response. Derived fields (names, quality, Power Rank, values) are ignored and recalculated.',
    example: EXAMPLE_GEM,
  });

const AugmentBody = z
  .object({ type: knownId(AUGMENT_IDS, AUGMENT, 3), count: count('Number used on the container.', 1) })
  .openapi('GemAugment', { description: 'Focuses of one type on a container.' });

const ContainerBody = z
  .object({
    base: figure(BASE, 0.9),
    augments: z.array(AugmentBody).openapi({ minItems: 3, maxItems: 3, description: 'All three types, including unused ones.' }),
    increase: figure('Increase by focuses.', 0.125),
    real_value: figure('`base` plus `increase`; may exceed 1.', 1.025),
    value: figure('`real_value`, at most 1.', 1),
  })
  .openapi('GemContainer', { description: 'A base slot or a boost of a stat.' });

const GemStatBody = z
  .object({
    type: knownId(ROLL_STAT_IDS, STAT, 1),
    locked: bool('Whether the stat cannot be sparked.', false),
    containers: z.array(ContainerBody).openapi({ description: 'Containers of the stat.' }),
    augmentation_progress: figure(
      'Mean `real_value` of the containers, at most 1; overflow of one container counts for the others.',
      0.6375,
    ),
  })
  .openapi('GemStat', { description: 'One of the three stats of a gem.' });

export const GemBody = z
  .object({
    id: count('Id of the gem; does not change.', EXAMPLE_GEM.id),
    tier: knownId(TIER_IDS, TIER, 4),
    type: knownId(TYPE_IDS, TYPE, 1),
    element: knownId(ELEMENT_IDS, ELEMENT, 2),
    restriction: knownIdOrNull(RESTRICTION_IDS, RESTRICTION, 1),
    ability: knownIdOrNull(ABILITY_IDS, ABILITY, null),
    level: count('Level.', 4),
    stats: z.array(GemStatBody).openapi({ minItems: 3, maxItems: 3, description: 'The three stats.' }),
    augmentation: z.number().nullable().openapi({ description: AUGMENTATION, example: null }),
    attempts: count('Level-up attempts made.', 3),
    karma: count('Current karma; 125 forces the level.', 0),
    spent: z.record(z.string(), z.number().int()).openapi({ description: SPENT, example: EXAMPLE_GEM.spent }),
    ability_name: z.string().nullable().openapi({ description: 'Name of the ability.', example: null }),
    gem_name: z
      .string()
      .nullable()
      .openapi({ description: 'Name of the gem; null for an Empowered gem without an ability.', example: 'Fierce Mystic Gem' }),
    is_max_level: bool('Whether the gem is at the maximum level.', false),
    quality: figure('Mean `value` of all containers, three decimals.', 0.617),
    power_rank: count('Power Rank of the gem.', 798),
    stat_values: z.array(z.record(z.string(), z.number())).openapi({
      description: 'Displayed name and value of each stat, in order.',
      example: [{ 'Physical Damage': 8700 }],
    }),
  })
  .openapi('Gem', { description: 'A gem with all derived fields. Store it and send it back unchanged.' });

export const CostRowBody = z
  .object({
    item: text('Path of the item in the game files.', 'item/crafting/flux'),
    name: text('Name of the item.', 'Flux'),
    count: count('Quantity.', 225),
  })
  .openapi('GemCostRow', { description: 'An item used by an operation.' });
