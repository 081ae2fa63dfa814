import type { OpenApiDocument, SchemaObject } from './openapi-model.ts';
import { flattened, includesType, type Variant, variantsOf } from './openapi-variants.ts';

/** Why a change breaks clients. */
export type SchemaRule =
  | 'response-field-removed'
  | 'response-field-optional'
  | 'response-field-nullable'
  | 'response-type-changed'
  | 'response-enum-removed'
  | 'request-field-removed'
  | 'request-required'
  | 'request-type-narrowed'
  | 'request-enum-narrowed'
  | 'request-bounds-narrowed'
  | 'request-pattern-narrowed';

export interface SchemaChange {
  rule: SchemaRule;
  /** Path to the changed part of the body. */
  at: string;
  detail: string;
}

/** A comparison: the documents, the direction of the data, and the pairs of schemas already compared. */
interface Comparison {
  released: OpenApiDocument;
  current: OpenApiDocument;
  direction: 'request' | 'response';
  seen: Set<string>;
}

const ids = new WeakMap<SchemaObject, number>();
let lastId = 0;

function idOf(schema: SchemaObject): number {
  const known = ids.get(schema);
  if (known !== undefined) return known;
  lastId += 1;
  ids.set(schema, lastId);
  return lastId;
}

/**
 * Finds breaking changes between two versions of a schema. Values that clients send must still be accepted (`request`); values
 * that clients receive must still match the released schema (`response`). Schemas may be recursive.
 */
export function compareSchemas(
  documents: Pick<Comparison, 'released' | 'current'>,
  direction: Comparison['direction'],
  released: SchemaObject,
  current: SchemaObject,
  at: string,
): SchemaChange[] {
  return compare({ ...documents, direction, seen: new Set() }, released, current, at);
}

function compare(comparison: Comparison, released: SchemaObject, current: SchemaObject, at: string): SchemaChange[] {
  const before = flattened(comparison.released, released);
  const after = flattened(comparison.current, current);
  const pair = `${idOf(before)} ${idOf(after)}`;
  if (comparison.seen.has(pair)) return [];
  comparison.seen.add(pair);
  const old = variantsOf(comparison.released, before);
  const now = variantsOf(comparison.current, after);
  if (comparison.direction === 'request') {
    return old.flatMap((variant) => {
      const accepting = now.filter((candidate) => includesType(candidate.type, variant.type));
      const refused: SchemaChange = { rule: 'request-type-narrowed', at, detail: `${variant.type ?? 'any type'} is no longer accepted` };
      return fewest(accepting, (taker) => [variant, taker], comparison, at) ?? [refused];
    });
  }
  const discriminator = before.discriminator?.propertyName;
  if (discriminator !== undefined && discriminator === after.discriminator?.propertyName) {
    return discriminatedChanges(comparison, discriminator, old, now, at);
  }
  return now.flatMap((variant) => {
    const known = old.filter((candidate) => includesType(candidate.type, variant.type));
    return fewest(known, (before) => [before, variant], comparison, at) ?? [unknownType(variant, old, at)];
  });
}

/** Compares alternatives with the same value of the discriminator. One with a new value is an addition, like a new enum value. */
function discriminatedChanges(
  comparison: Comparison,
  discriminator: string,
  old: readonly Variant[],
  now: readonly Variant[],
  at: string,
): SchemaChange[] {
  const discriminatorOf = (document: OpenApiDocument, { schema }: Variant) => {
    const { const: only, enum: values } = flattened(document, schema.properties?.[discriminator] ?? {});
    return JSON.stringify(only === undefined ? values : [only]);
  };
  return old.flatMap((variant) => {
    const value = discriminatorOf(comparison.released, variant);
    const same = now.find((candidate) => discriminatorOf(comparison.current, candidate) === value);
    if (same) return compareVariants(comparison, variant, same, at);
    return [{ rule: 'response-enum-removed' as const, at: `${at}.${discriminator}`, detail: `${value} was removed` }];
  });
}

function unknownType({ type = 'any type' }: Variant, old: readonly Variant[], at: string): SchemaChange {
  if (type === 'null') return { rule: 'response-field-nullable', at, detail: 'may now be null' };
  return {
    rule: 'response-type-changed',
    at,
    detail: `was ${old.map((variant) => variant.type ?? 'any type').join(' or ')}, may now be ${type}`,
  };
}

/** The changes against the candidate with the fewest changes; null without candidates. */
function fewest(
  candidates: readonly Variant[],
  pairOf: (candidate: Variant) => [Variant, Variant],
  comparison: Comparison,
  at: string,
): SchemaChange[] | null {
  const [only] = candidates;
  if (!only) return null;
  if (candidates.length === 1) return compareVariants(comparison, ...pairOf(only), at);
  const results = candidates.map((candidate) =>
    compareVariants({ ...comparison, seen: new Set(comparison.seen) }, ...pairOf(candidate), at),
  );
  return results.reduce((best, result) => (result.length < best.length ? result : best));
}

function compareVariants(comparison: Comparison, released: Variant, current: Variant, at: string): SchemaChange[] {
  const pair = [released, current].map(({ type, schema }) => `${type} ${idOf(schema)}`).join(' as ');
  if (comparison.seen.has(pair)) return [];
  comparison.seen.add(pair);
  const inner = [...objectChanges(comparison, released, current, at), ...itemChanges(comparison, released.schema, current.schema, at)];
  const own = comparison.direction === 'request' ? inputChanges(released, current, at) : outputChanges(released, current, at);
  return [...own, ...inner];
}

/** Values that were removed. */
function removedValues(released: Variant, current: Variant): unknown[] {
  return (released.values ?? []).filter((value) => !current.values?.some((kept) => JSON.stringify(kept) === JSON.stringify(value)));
}

function outputChanges(released: Variant, current: Variant, at: string): SchemaChange[] {
  const changes: SchemaChange[] = [];
  if (released.values && !current.values)
    changes.push({ rule: 'response-type-changed', at, detail: 'was limited to a set of values, may now be any value' });
  else if (released.values) {
    for (const value of removedValues(released, current))
      changes.push({ rule: 'response-enum-removed', at, detail: `${JSON.stringify(value)} was removed` });
  }
  const { format } = released.schema;
  if (format !== undefined && current.schema.format !== format) {
    changes.push({ rule: 'response-type-changed', at, detail: `had the format ${format}, now ${current.schema.format ?? 'none'}` });
  }
  return changes;
}

function inputChanges(released: Variant, current: Variant, at: string): SchemaChange[] {
  const changes = boundChanges(released.schema, current.schema, at);
  if (current.values && !released.values) changes.push({ rule: 'request-enum-narrowed', at, detail: 'is now limited to a set of values' });
  else if (current.values) {
    for (const value of removedValues(released, current))
      changes.push({ rule: 'request-enum-narrowed', at, detail: `${JSON.stringify(value)} is no longer accepted` });
  }
  for (const key of ['pattern', 'format'] as const) {
    const now = current.schema[key];
    if (now !== undefined && now !== released.schema[key])
      changes.push({ rule: 'request-pattern-narrowed', at, detail: `must now match ${key} ${now}` });
  }
  return changes;
}

const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;

function boundChanges(released: SchemaObject, current: SchemaObject, at: string): SchemaChange[] {
  const raised = LOWER_BOUNDS.filter((key) => (current[key] ?? Number.NEGATIVE_INFINITY) > (released[key] ?? floorOf(key)));
  const lowered = UPPER_BOUNDS.filter((key) => (current[key] ?? Number.POSITIVE_INFINITY) < (released[key] ?? Number.POSITIVE_INFINITY));
  const stepped = current.multipleOf !== undefined && (released.multipleOf === undefined || released.multipleOf % current.multipleOf !== 0);
  return [...raised, ...lowered, ...(stepped ? (['multipleOf'] as const) : [])].map((key) => ({
    rule: 'request-bounds-narrowed',
    at,
    detail: `${key} was ${released[key] ?? 'not stated'}, now ${current[key]}`,
  }));
}

/** Lowest effective bound: a minimum length of 0 does not restrict anything. */
function floorOf(key: (typeof LOWER_BOUNDS)[number]): number {
  return key === 'minLength' || key === 'minItems' ? 0 : Number.NEGATIVE_INFINITY;
}

function itemChanges(comparison: Comparison, released: SchemaObject, current: SchemaObject, at: string): SchemaChange[] {
  const places = Math.max(released.prefixItems?.length ?? 0, current.prefixItems?.length ?? 0);
  const inPlace = Array.from({ length: places }, (_, index) =>
    compare(comparison, released.prefixItems?.[index] ?? {}, current.prefixItems?.[index] ?? {}, `${at}[${index}]`),
  ).flat();
  if (!released.items && !current.items) return inPlace;
  return [...inPlace, ...compare(comparison, released.items ?? {}, current.items ?? {}, `${at}[]`)];
}

function objectChanges(comparison: Comparison, { schema: released }: Variant, { schema: current }: Variant, at: string): SchemaChange[] {
  const changes: SchemaChange[] = [];
  for (const [name, property] of Object.entries(released.properties ?? {})) {
    const now = current.properties?.[name];
    if (!now) changes.push({ rule: `${comparison.direction}-field-removed`, at: `${at}.${name}`, detail: 'was removed' });
    else changes.push(...compare(comparison, property, now, `${at}.${name}`));
  }
  return [...changes, ...requiredChanges(comparison, released, current, at), ...additionalKeyChanges(comparison, released, current, at)];
}

function requiredChanges({ direction }: Comparison, released: SchemaObject, current: SchemaObject, at: string): SchemaChange[] {
  const before = released.required ?? [];
  const after = current.required ?? [];
  if (direction === 'request') {
    const added = after.filter((name) => !before.includes(name));
    return added.map((name) => ({ rule: 'request-required', at: `${at}.${name}`, detail: 'must now be sent' }));
  }
  const dropped = before.filter((name) => !after.includes(name) && current.properties?.[name] !== undefined);
  return dropped.map((name) => ({ rule: 'response-field-optional', at: `${at}.${name}`, detail: 'may now be missing' }));
}

/** Changes of additional keys: a client that sends or reads a map must still be able to. */
function additionalKeyChanges(comparison: Comparison, released: SchemaObject, current: SchemaObject, at: string): SchemaChange[] {
  const { additionalProperties: before = true } = released;
  const { additionalProperties: after = true } = current;
  const wasMap = typeof before === 'object';
  if (after === false) {
    if (comparison.direction === 'request' && before !== false)
      return [{ rule: 'request-type-narrowed', at: `${at}.*`, detail: 'no longer accepts other keys' }];
    return wasMap ? [{ rule: 'response-field-removed', at: `${at}.*`, detail: 'no longer has other keys' }] : [];
  }
  if (before === false || (!wasMap && typeof after !== 'object')) return [];
  const schemas = [wasMap ? before : {}, typeof after === 'object' ? after : {}] as const;
  return compare(comparison, schemas[0], schemas[1], `${at}.*`);
}
