import { z } from '@hono/zod-openapi';
import { MAX_AMOUNT } from '../../../platform/errors/input-error.ts';
import { documentedValues } from '../../../platform/http/bodies/body-schemas.ts';

/**
 * Fields that the schemas of this area share. Enumerations and ranges are checked here, so that one answer names every field
 * at fault; what belongs together is the business of the rules.
 */

interface Stated {
  description: string;
  example: number;
}

/** Error for a value outside an enumeration: 400 for a request parameter, 422 inside a posted gem. */
type Refusal = 'bad_request' | 'validation_error';

interface Range {
  minimum?: number;
  maximum?: number;
  /** Error for an out-of-range value; 422 by default. */
  below?: Refusal;
  above?: Refusal;
}

/** The type of an optional field, for which null is the same as absent. */
const orAbsent = (type: 'integer' | 'number' | 'string' | 'boolean') => [type, 'null' as const] satisfies [typeof type, 'null'];

const codeOf = (refusal: Refusal) => (refusal === 'validation_error' ? {} : { code: refusal });

function oneOf<Value extends number | string>(schema: z.ZodType<Value, Value>, allowed: readonly Value[], refusal: Refusal) {
  return schema.refine((value) => allowed.includes(value), { params: { allowed, ...codeOf(refusal) } });
}

function withinRange(schema: z.ZodNumber, { minimum = -MAX_AMOUNT, maximum = MAX_AMOUNT, below, above }: Range) {
  return schema
    .refine((value) => value >= minimum, {
      message: `must be at least ${minimum}`,
      params: { type: 'too_small', ...codeOf(below ?? 'validation_error') },
    })
    .refine((value) => value <= maximum, {
      message: `must be at most ${maximum}`,
      params: { type: 'too_big', ...codeOf(above ?? 'validation_error') },
    });
}

const ids = (allowed: readonly number[], refusal: Refusal) => oneOf(z.int(), allowed, refusal);

/** An id in a request. */
export function id(allowed: readonly number[], stated: Stated, refusal: Refusal = 'bad_request') {
  return ids(allowed, refusal).openapi({ type: 'integer', enum: [...allowed], ...documentedValues(allowed), ...stated });
}

/** An id that may be left out. */
export function optionalId(allowed: readonly number[], stated: Stated & { default?: number }, refusal: Refusal = 'bad_request') {
  return ids(allowed, refusal)
    .nullish()
    .openapi({ type: orAbsent('integer'), enum: [...allowed, null], ...documentedValues(allowed), ...stated });
}

/** An optional id whose relevance the rule decides. */
export function uncheckedId(allowed: readonly number[], stated: Stated) {
  return z
    .int()
    .nullish()
    .openapi({ type: orAbsent('integer'), enum: [...allowed, null], ...documentedValues(allowed), ...stated });
}

export function integer({ below, above, ...stated }: Stated & Range) {
  return withinRange(z.int(), { ...stated, below, above }).openapi({ type: 'integer', ...stated });
}

export function optionalInteger({ below, above, ...stated }: Stated & Range & { default?: number }) {
  return withinRange(z.int(), { ...stated, below, above })
    .nullish()
    .openapi({ type: orAbsent('integer'), ...stated });
}

/** A number in a request. */
export function number({ below, above, ...stated }: Stated & Range) {
  return withinRange(z.number(), { ...stated, below, above }).openapi({ type: 'number', ...stated });
}

export function flag(description: string, byDefault = false) {
  return z
    .boolean()
    .nullish()
    .openapi({ type: orAbsent('boolean'), default: byDefault, description, example: byDefault });
}

/** A name out of a list; `null` and absent are the same. */
export function optionalName(
  names: readonly string[],
  stated: { description: string; example: string; default?: string },
  refusal: Refusal = 'validation_error',
) {
  return oneOf(z.string(), names, refusal)
    .nullish()
    .openapi({ type: orAbsent('string'), enum: [...names, null], ...documentedValues(names), ...stated });
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
    .openapi({ type: orAbsent('integer'), enum: [...ids, null], ...documentedValues(ids), description, example });
}

export const figure = (description: string, example: number) => z.number().openapi({ description, example });
export const count = (description: string, example: number) => z.number().int().openapi({ description, example });
export const text = (description: string, example: string) => z.string().openapi({ description, example });
export const yesNo = (description: string, example: boolean) => z.boolean().openapi({ description, example });

/** Integer text: a negative id is an unknown id (400), not malformed (422). */
const INTEGER_TEXT = /^-?\d{1,15}$/;

function idText(allowed: readonly number[]) {
  return z.string().regex(INTEGER_TEXT, 'must be an integer').transform(Number).pipe(ids(allowed, 'bad_request'));
}

/** An id in a query. */
export function queryId(allowed: readonly number[], stated: Stated) {
  return idText(allowed).openapi({ type: 'integer', enum: [...allowed], ...documentedValues(allowed), ...stated });
}

/** An id in a query that may be left out. */
export function optionalQueryId(allowed: readonly number[], stated: Stated & { default?: number }) {
  return idText(allowed)
    .optional()
    .openapi({ type: 'integer', enum: [...allowed], ...documentedValues(allowed), ...stated });
}

/** Level of a gem in a query. Levels past the last one of a tier count as that one. */
export const levelBounds = { min: 1, max: MAX_AMOUNT };

export const Seed = z.union([z.number().int(), z.string()]).nullish().openapi({
  description:
    'Makes the roll repeatable: the same body with the same seed returns the same response. An integer, or text of 1 to 64 characters. Send a new seed for each roll.',
  example: 'first-roll',
});
