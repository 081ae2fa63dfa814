import fc from 'fast-check';
import { type SchemaObject, typesOf } from '../../scripts/lib/openapi/openapi-model.ts';
import { anyCodePoint } from '../support/code-points.ts';

/** Texts that commonly break parsers. */
export const EDGE_TEXTS = [
  ...['', ' ', '0', '00', '-0', '-1', '+1', '0x10', '1e3', '1.5', '.5', '1_000', 'NaN', 'Infinity', '-Infinity'],
  ...['9007199254740993', '999999999999999', '99999999999999999999', '1'.repeat(400), '1e999'],
  ...['null', 'undefined', 'true', 'false', '[]', '{}', '[object Object]', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...['\u0000', 'a\u0000b', '\r\n', '\t', '\u202e', '\ufeff', '\ud800', '\udfff\ud800', '٣', '１２', '𝟙', 'İ', 'ﬁ', '👩‍👩‍👧'],
  ...['%', '%00', '%zz', '%ff', '%2e%2e%2f', '../../etc/passwd', '..', '.', '/', '\\', '//', '?', '#', '&', '=', ';', '+'],
  ...['"', "'", '`', "' OR 1=1 --", '#{7*7}', '{{7*7}}', '<script>', ',', ',,', 'a,'.repeat(500), 'a'.repeat(8000)],
];

/** Random text, with a preference for edge cases. */
export const junkText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...EDGE_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: anyCodePoint, maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.bigInt(), fc.double()).map(String) },
);

/** Text that is valid in a header: visible ASCII. */
export const headerText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 80 }) },
  { weight: 1, arbitrary: fc.constantFrom(...EDGE_TEXTS.filter((text) => /^[\x20-\x7e]*$/.test(text))) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 8000, maxLength: 8192 }) },
);

/** Text for a parameter: junk, and values near the bounds of its schema. */
export function parameterText(schema: SchemaObject): fc.Arbitrary<string> {
  const edges = edgesOf(schema);
  const junk = { weight: 3, arbitrary: junkText };
  return edges.length === 0 ? junkText : fc.oneof(junk, { weight: 2, arbitrary: fc.constantFrom(...edges) });
}

function edgesOf(schema: SchemaObject): string[] {
  const { minimum, maximum, maxLength, example } = schema;
  const samples = [example, schema.default, ...(schema.enum ?? []), ...(schema.examples ?? [])].filter((value) => value !== undefined);
  const bounds = [minimum, maximum].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]));
  const lengths = maxLength === undefined || maxLength > 100_000 ? [] : ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)];
  const cases = samples
    .map(String)
    .flatMap((text) => [text, text.toUpperCase(), ` ${text}`, `${text},${text}`, `${text},nonsense`, `${text}\n`]);
  return [...cases, ...bounds.map(String), ...lengths, ...(typesOf(schema).includes('boolean') ? ['true', 'false', '1'] : [])];
}
