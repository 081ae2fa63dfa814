import { type OpenApiDocument, resolved, type SchemaObject, typesOf } from '../../scripts/lib/openapi/openapi-model.ts';
import { includesType, variantsOf } from '../../scripts/lib/openapi/openapi-variants.ts';

/** Texts that lenient parsers accept as integers, but the service does not. */
const NOT_INTEGERS = ['abc', '1.5', '0x10', '1e3', '+1', ' 1', '1 ', '１２', '1_0', 'NaN', 'null', '1,2'];
const NOT_BOOLEANS = ['maybe', '2', 'null', ' true'];
const NONSENSE = 'nonsense-value';

/** Contains NUL, which the database cannot search or compare: refused in every text, for any schema. */
const NUL = 'a\u0000b';
const NULS = [NUL, '\u0000'];
/** Texts that cannot be encoded in UTF-8, only escaped in JSON. */
const LONE_SURROGATES = ['a\ud800b', '\udfff'];

/** Selects one or all of several values with the same effect. */
export type Select = <T>(values: readonly T[]) => readonly T[];

/** Texts that the documented schema of a parameter excludes, and those that are always refused. */
export function forbiddenTexts(schema: SchemaObject, select: Select): string[] {
  const types = typesOf(schema);
  if (schema.enum) return [NONSENSE, NUL];
  if (types.includes('boolean')) return [...select(NOT_BOOLEANS), NUL];
  if (types.includes('integer')) return [...select(NOT_INTEGERS), NUL, ...outOfBounds(schema).map(String)];
  if (types.includes('string') && schema.maxLength !== undefined) return [...select(NULS), 'x'.repeat(schema.maxLength + 1)];
  return [...select(NULS)];
}

function outOfBounds({ minimum, maximum }: SchemaObject): number[] {
  return [...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1, maximum * 1e15 + 1e15])];
}

const ONE_OF_EACH_TYPE: readonly [string, unknown][] = [
  ['null', null],
  ['boolean', true],
  ['integer', 7],
  ['string', NONSENSE],
  ['array', [[]]],
  ['object', { [NONSENSE]: [] }],
];

/** Values of each top-level property that a documented schema excludes; undefined for a missing one. `selectOf`: for each property by its position. */
export function forbiddenProperties(document: OpenApiDocument, schema: SchemaObject, selectOf: (index: number) => Select): Forbidden {
  const { properties = {}, required = [] } = resolved(document, schema);
  const rows = Object.entries(properties).map(([property, raw], index): [string, unknown[]] => {
    const missing = required.includes(property) ? [undefined] : [];
    return [property, [...missing, ...forbiddenOf(document, resolved(document, raw), selectOf(index))]];
  });
  return new Map(rows);
}

/** Invalid values by the name of their parameter or property. */
export type Forbidden = ReadonlyMap<string, readonly unknown[]>;

/** An error lists at most so many problems. */
const MAX_PROBLEMS = 20;

/** The step of the validation that refuses a value: a text that cannot be stored is refused before the schema is read. A long list has a problem for each item. */
function stepOf(value: unknown): 'text' | 'list' | 'schema' {
  if (Array.isArray(value) && value.length > 1) return 'list';
  return typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()) ? 'text' : 'schema';
}

/** Inputs that have every invalid value, each at most one of a name. The service reports all values of an input, because one step refuses them. */
export function invalidInputs(forbidden: Forbidden): ReadonlyMap<string, unknown>[] {
  return (['text', 'schema', 'list'] as const).flatMap((step) => {
    const rows = [...forbidden].map(([name, values]) => ({ name, values: values.filter((value) => stepOf(value) === step) }));
    const most = Math.max(0, ...rows.map(({ values }) => values.length));
    return Array.from({ length: most }, (_, at) => rows.filter(({ values }) => at < values.length)).flatMap((row, at) => {
      const size = step === 'list' ? 1 : MAX_PROBLEMS;
      const parts = Array.from({ length: Math.ceil(row.length / size) }, (_, part) => row.slice(part * size, (part + 1) * size));
      return parts.map((part) => new Map(part.map(({ name, values }) => [name, values[at]])));
    });
  });
}

/** Values of all other types, and the nearest invalid values of the documented types. */
function forbiddenOf(document: OpenApiDocument, schema: SchemaObject, select: Select): unknown[] {
  const variants = variantsOf(document, schema);
  const wrongTypes = ONE_OF_EACH_TYPE.filter(([type]) => !variants.some((variant) => includesType(variant.type, type))).map(
    ([, value]) => value,
  );
  const limits = variants.length === 1 ? outOfLimits(schema) : [];
  const texts = variants.some((variant) => includesType(variant.type, 'string')) ? [NUL, ...select(LONE_SURROGATES)] : [];
  return [...(wrongTypes.length > 0 ? select(wrongTypes) : []), ...limits, ...texts];
}

function outOfLimits(schema: SchemaObject): unknown[] {
  const { maxLength, minLength = 0, maxItems } = schema;
  return [
    ...outOfBounds(schema),
    ...(schema.enum ? [NONSENSE] : []),
    ...(maxLength === undefined || maxLength > 100_000 ? [] : ['x'.repeat(maxLength + 1)]),
    ...(minLength > 0 ? [''] : []),
    ...(maxItems === undefined || maxItems > 10_000 ? [] : [Array(maxItems + 1).fill(null)]),
    ...(schema.type === 'integer' ? [1.5] : []),
  ];
}
