import { type OpenApiDocument, resolved, type SchemaObject, typesOf } from '../../scripts/lib/openapi/openapi-model.ts';
import { includesType, variantsOf } from '../../scripts/lib/openapi/openapi-variants.ts';

/** Texts that lenient parsers accept as integers, but the service does not. */
const NOT_INTEGERS = ['abc', '1.5', '0x10', '1e3', '+1', ' 1', '1 ', '１２', '1_0', 'NaN', 'null', '1,2'];
const NOT_BOOLEANS = ['maybe', '2', 'null', ' true'];
const NONSENSE = 'nonsense-value';

/** Contains NUL, which the database cannot search or compare: refused in every text, for any schema. */
const NUL = 'a\u0000b';
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
  if (types.includes('string') && schema.maxLength !== undefined) return ['\u0000', NUL, 'x'.repeat(schema.maxLength + 1)];
  return ['\u0000', NUL];
}

function outOfBounds({ minimum, maximum }: SchemaObject): number[] {
  return [...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1, maximum * 1e15 + 1e15])];
}

/** A body that the documented schema excludes, with the invalid property. */
export interface ForbiddenBody {
  title: string;
  property: string;
  body: Record<string, unknown>;
}

const ONE_OF_EACH_TYPE: readonly [string, unknown][] = [
  ['null', null],
  ['boolean', true],
  ['integer', 7],
  ['string', NONSENSE],
  ['array', [[]]],
  ['object', { [NONSENSE]: [] }],
];

/** Derives invalid bodies from a valid one by changing a single top-level property. `selectOf`: for each property by its position. */
export function forbiddenBodies(
  document: OpenApiDocument,
  schema: SchemaObject,
  good: Record<string, unknown>,
  selectOf: (index: number) => Select,
): ForbiddenBody[] {
  const { properties = {}, required = [] } = resolved(document, schema);
  return Object.entries(properties).flatMap(([property, raw], index) => {
    const { [property]: _removed, ...without } = good;
    const missing = required.includes(property) ? [{ title: `without ${property}`, property, body: without }] : [];
    const spoilt = forbiddenOf(document, resolved(document, raw), selectOf(index)).map((value) => ({
      title: `with ${property} ${JSON.stringify(value).slice(0, 40)}`,
      property,
      body: { ...good, [property]: value },
    }));
    return [...missing, ...spoilt];
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
