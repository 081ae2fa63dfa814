import { z } from '@hono/zod-openapi';
import { MAX_AMOUNT } from '../../../platform/errors/input-error.ts';

/**
 * Fields that the schemas of this area share. Requests are checked here for types alone; enumerations, ranges and what
 * belongs together are the business of the rules, and only stated here for those who read the document.
 */

interface Stated {
  description: string;
  example: number;
}

/** The type of an optional field, for which null is the same as absent. */
const orAbsent = (type: 'integer' | 'number' | 'string' | 'boolean') => [type, 'null' as const] satisfies [typeof type, 'null'];

/** An id in a request. */
export function id(ids: readonly number[], stated: Stated) {
  return z
    .number()
    .int()
    .openapi({ enum: [...ids], ...stated });
}

/** An id that may be left out. */
export function optionalId(ids: readonly number[], stated: Stated & { default?: number }) {
  return z
    .number()
    .int()
    .nullish()
    .openapi({ type: orAbsent('integer'), enum: [...ids, null], ...stated });
}

export function integer(stated: Stated & { minimum?: number; maximum?: number }) {
  return z
    .number()
    .int()
    .openapi({ ...stated });
}

export function optionalInteger(stated: Stated & { minimum?: number; maximum?: number; default?: number }) {
  return z
    .number()
    .int()
    .nullish()
    .openapi({ type: orAbsent('integer'), ...stated });
}

export function flag(description: string, byDefault = false) {
  return z
    .boolean()
    .nullish()
    .openapi({ type: orAbsent('boolean'), default: byDefault, description, example: byDefault });
}

/** A name out of a list; `null` and absent are the same. */
export function optionalName(names: readonly string[], stated: { description: string; example: string; default?: string }) {
  return z
    .string()
    .nullish()
    .openapi({ type: orAbsent('string'), enum: [...names, null], ...stated });
}

/** An id in an answer. */
export function knownId<Id extends number>(ids: readonly Id[], description: string, example: Id) {
  return z.literal(ids).openapi({ type: 'integer', enum: [...ids], description, example });
}

/** An id in an answer, or null. */
export function knownIdOrNull<Id extends number>(ids: readonly Id[], description: string, example: Id | null) {
  return z
    .literal(ids)
    .nullable()
    .openapi({ type: orAbsent('integer'), enum: [...ids, null], description, example });
}

export const figure = (description: string, example: number) => z.number().openapi({ description, example });
export const count = (description: string, example: number) => z.number().int().openapi({ description, example });
export const text = (description: string, example: string) => z.string().openapi({ description, example });
export const yesNo = (description: string, example: boolean) => z.boolean().openapi({ description, example });

/** Text of an integer: an id that is negative is one nobody knows, not one that cannot be read. */
const INTEGER_TEXT = /^-?\d{1,15}$/;

function idText(ids: readonly number[], stated: Stated & { default?: number }) {
  const schema = z.string().regex(INTEGER_TEXT, 'must be an integer').transform(Number);
  return { schema, documented: { type: 'integer' as const, enum: [...ids], ...stated } };
}

/** An id in a query. */
export function queryId(ids: readonly number[], stated: Stated) {
  const { schema, documented } = idText(ids, stated);
  return schema.openapi(documented);
}

/** An id in a query that may be left out. */
export function optionalQueryId(ids: readonly number[], stated: Stated & { default?: number }) {
  const { schema, documented } = idText(ids, stated);
  return schema.optional().openapi(documented);
}

/** Level of a gem in a query. Levels past the last one of a tier count as that one. */
export const levelBounds = { min: 1, max: MAX_AMOUNT };

export const Seed = z.union([z.number().int(), z.string()]).nullish().openapi({
  description:
    'Makes the roll repeatable: the same body with the same seed gives the same answer. An integer, or text of 1 to 64 characters. Send a new one for each roll.',
  example: 'first-roll',
});
