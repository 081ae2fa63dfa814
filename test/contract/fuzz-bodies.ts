import fc from 'fast-check';
import {
  type MediaTypeObject,
  type OpenApiDocument,
  resolved,
  type SchemaObject,
  typesOf,
} from '../../scripts/lib/openapi/openapi-model.ts';
import { sampleOf } from '../../scripts/lib/openapi/openapi-samples.ts';
import { junkText } from './fuzz-texts.ts';

/** Plan of a body. Plans, unlike bytes, give readable counterexamples. */
export type BodyPlan =
  | { kind: 'text'; text: string }
  | { kind: 'bytes'; bytes: number[] }
  | { kind: 'nested'; open: string; inner: string; close: string; depth: number }
  | { kind: 'repeated'; prefix: string; unit: string; count: number; suffix: string };

/** Nesting depth that overflows any recursion. */
const DEPTH = 100_000;

export function bodyOf(plan: BodyPlan): string | Uint8Array {
  switch (plan.kind) {
    case 'text':
      return plan.text;
    case 'bytes':
      return new Uint8Array(plan.bytes);
    case 'nested':
      return plan.open.repeat(plan.depth) + plan.inner + plan.close.repeat(plan.depth);
    case 'repeated':
      return plan.prefix + plan.unit.repeat(plan.count) + plan.suffix;
  }
}

/** Bodies that are invalid for every operation. */
export const EDGE_BODIES: readonly BodyPlan[] = [
  ...[
    '',
    ' ',
    '{',
    '}',
    '{}',
    '[]',
    'null',
    'true',
    '0',
    '-0',
    '1e999',
    'NaN',
    '"',
    '"text"',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}{"a":1}',
    '\ufeff{}',
  ].map((text): BodyPlan => ({ kind: 'text', text })),
  { kind: 'text', text: '{"__proto__":{"name":"x"},"constructor":{"prototype":{"name":"x"}}}' },
  { kind: 'bytes', bytes: [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d] },
  { kind: 'bytes', bytes: [0xed, 0xa0, 0x80] },
  { kind: 'bytes', bytes: [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00] },
  { kind: 'nested', open: '[', inner: '', close: ']', depth: DEPTH },
  { kind: 'nested', open: '{"a":', inner: '1', close: '}', depth: DEPTH },
  { kind: 'nested', open: '[', inner: '', close: '', depth: DEPTH },
  { kind: 'repeated', prefix: '[', unit: '1,', count: DEPTH, suffix: '1]' },
];

/** Bodies for a media type of an operation. */
export function bodyPlan(document: OpenApiDocument, media: MediaTypeObject | undefined): fc.Arbitrary<BodyPlan> {
  const schema = media?.schema ? resolved(document, media.schema) : {};
  const asText = (text: string): BodyPlan => ({ kind: 'text', text });
  return fc.oneof(
    { weight: 5, arbitrary: mutatedObject(document, schema).map(asText) },
    { weight: 3, arbitrary: fc.constantFrom(...EDGE_BODIES, ...edgesOfFields(document, schema)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 5 }).map(asText) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes): BodyPlan => ({ kind: 'bytes', bytes: [...bytes] })) },
  );
}

/** JSON text of an object with valid, invalid, missing and unknown properties. */
function mutatedObject(document: OpenApiDocument, schema: SchemaObject): fc.Arbitrary<string> {
  const known = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    fc.option(propertyText(document, property).map((text) => `${JSON.stringify(name)}:${text}`)),
  );
  const strange = fc.tuple(fc.constantFrom('__proto__', 'constructor', 'toString', '', 'x'), anyJson);
  const extra = fc.array(
    strange.map(([name, text]) => `${JSON.stringify(name)}:${text}`),
    { maxLength: 2 },
  );
  return fc.tuple(fc.tuple(...known), extra).map(([own, more]) => `{${[...own.filter((text) => text !== null), ...more].join(',')}}`);
}

const anyJson = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '0',
    '-1',
    '1.5',
    '1e308',
    '9007199254740993',
    '""',
    '[]',
    '{}',
    '[null]',
    '"\\ud800"',
    '"\\u0000"',
    '"x"',
  ),
  junkText.map((text) => JSON.stringify(text)),
  fc.json({ maxDepth: 3 }),
);

/** The schema of a property without null. */
function notNull(document: OpenApiDocument, property: SchemaObject): SchemaObject {
  const schema = resolved(document, property);
  const [only, ...more] = (schema.anyOf ?? []).filter((part) => part.type !== 'null');
  return only && more.length === 0 ? resolved(document, only) : schema;
}

/** JSON text for a property: its sample, a value near its bounds, or any value. */
function propertyText(document: OpenApiDocument, property: SchemaObject): fc.Arbitrary<string> {
  const schema = notNull(document, property);
  const sample = sampleOf(document, property);
  const { minimum, maximum, maxLength, maxItems } = schema;
  const bounds = [minimum, maximum].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1, bound + 0.5]));
  const lengths = maxLength === undefined || maxLength > 100_000 ? [] : ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)];
  const item = sample.ok && Array.isArray(sample.value) ? sample.value[0] : undefined;
  const items = maxItems === undefined || maxItems > 10_000 ? [] : [Array(maxItems).fill(item), Array(maxItems + 1).fill(item)];
  const near = [...(sample.ok ? [sample.value] : []), ...(schema.enum ?? []), ...bounds, ...lengths, ...items].map((value) =>
    JSON.stringify(value),
  );
  const nested = typesOf(schema).includes('object') ? [{ weight: 2, arbitrary: mutatedObject(document, schema) }] : [];
  const neighbours = near.length === 0 ? [] : [{ weight: 3, arbitrary: fc.constantFrom(...near) }];
  return fc.oneof({ weight: 2, arbitrary: anyJson }, ...neighbours, ...nested);
}

/** Bodies with each property duplicated, deeply nested, and very long. */
function edgesOfFields(document: OpenApiDocument, schema: SchemaObject): BodyPlan[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]): BodyPlan[] => {
    const key = JSON.stringify(name);
    const sample = sampleOf(document, property);
    const text = JSON.stringify(sample.ok ? sample.value : null);
    return [
      { kind: 'text', text: `{${key}:null,${key}:${text}}` },
      { kind: 'text', text: `{${key}:${text},${key}:[]}` },
      { kind: 'repeated', prefix: `{${key}:`, unit: '[', count: DEPTH, suffix: `${']'.repeat(DEPTH)}}` },
      { kind: 'repeated', prefix: `{${key}:"`, unit: 'x', count: DEPTH, suffix: '"}' },
    ];
  });
}
