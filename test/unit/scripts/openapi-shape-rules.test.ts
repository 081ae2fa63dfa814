import { describe, expect, it } from 'vitest';
import type { OpenApiDocument, SchemaObject } from '../../../scripts/lib/openapi/openapi-model.ts';
import { findShapeProblems } from '../../../scripts/lib/openapi/openapi-shape-rules.ts';

const COLOURS: SchemaObject = { type: 'string', enum: ['red', 'blue'], description: 'Colour.' };

/** A document with one operation with the request body `In` and the response `Out`. */
function documentWith(schemas: Record<string, SchemaObject>): OpenApiDocument {
  const media = (name: string) => ({ content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } });
  return {
    paths: { '/thing': { post: { requestBody: media('In'), responses: { 200: media('Out') } } } },
    components: { schemas: { In: { type: 'object' }, Out: { type: 'object' }, Colour: COLOURS, ...schemas } },
  };
}

const rulesOf = (schemas: Record<string, SchemaObject>) => findShapeProblems(documentWith(schemas)).map(({ at, rule }) => `${at}: ${rule}`);
const objectOf = (properties: Record<string, SchemaObject>, more: SchemaObject = {}): SchemaObject => ({
  type: 'object',
  properties,
  ...more,
});

describe('findShapeProblems', () => {
  it('accepts named enums, null in anyOf and a default in a request', () => {
    const colour = { anyOf: [{ $ref: '#/components/schemas/Colour' }, { type: 'null' }], default: 'red' };
    expect(rulesOf({ In: objectOf({ colour, kind: { type: 'string', enum: ['one'] } }) })).toEqual([]);
  });

  it('reports a nested inline enum', () => {
    const Out = objectOf({ colours: { type: 'array', items: COLOURS }, colour: { anyOf: [COLOURS, { type: 'null' }] } });
    expect(rulesOf({ Out })).toEqual(['Out.colours[]: named-enum', 'Out.colour: named-enum']);
  });

  it('reports an empty value of an enum', () => {
    const Food: SchemaObject = { type: 'string', enum: ['', 'soup'], description: 'Food.' };
    expect(rulesOf({ Food })).toEqual(['Food: empty-enum-member']);
  });

  it('reports null as a second type', () => {
    expect(rulesOf({ Out: objectOf({ name: { type: ['string', 'null'] } }) })).toEqual(['Out.name: nullable']);
  });

  it('reports optional properties in combination with typed additional keys', () => {
    const free: SchemaObject = { additionalProperties: { type: 'string' } };
    expect(rulesOf({ In: objectOf({ size: { type: 'integer' } }, free) })).toEqual(['In: free-keys']);
    expect(rulesOf({ In: objectOf({ size: { type: 'integer' } }, { ...free, required: ['size'] }) })).toEqual([]);
    expect(rulesOf({ In: objectOf({ size: { type: 'integer' } }, { additionalProperties: {} }) })).toEqual([]);
  });

  it('reports a default in a schema that responses use', () => {
    const Shared = objectOf({ size: { type: 'integer', default: 1 } });
    expect(rulesOf({ Shared, Out: objectOf({ one: { $ref: '#/components/schemas/Shared' } }) })).toEqual([
      'Shared.size: default-in-response',
    ]);
  });

  it('reports names that differ only in case or punctuation, including those that generators derive from a property', () => {
    expect(rulesOf({ col_our: objectOf({}) })).toEqual(['col_our: unique-names']);
    expect(rulesOf({ Out: objectOf({ size_type: objectOf({}) }), OutSize: objectOf({ type: objectOf({}) }) })).toEqual([
      'OutSize.type: unique-names',
    ]);
  });
});
