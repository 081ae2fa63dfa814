import { z } from '@hono/zod-openapi';
import { documentedValues } from '../../../platform/http/bodies/body-schemas.ts';
import { MAX_AMOUNT } from '../../../platform/kit/errors/input-error.ts';

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

/** An optional name from a list; null is treated as absent. */
export function optionalName(
  names: readonly string[],
  doc: { description: string; example: string; default?: string },
  errorCode: EnumErrorCode = 'validation_error',
) {
  return oneOf(z.string(), names, errorCode)
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
