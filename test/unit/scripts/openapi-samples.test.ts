import { describe, expect, it } from 'vitest';
import type { SchemaObject } from '../../../scripts/lib/openapi/openapi-model.ts';
import { mediaSample, parameterSample, sampleOf } from '../../../scripts/lib/openapi/openapi-samples.ts';

const Name: SchemaObject = { type: 'string', example: 'x' };
const Loop: SchemaObject = { type: 'object', properties: { next: { $ref: '#/components/schemas/Loop' } } };
const document = { components: { schemas: { Name, Loop } } };
const valueOfSample = (schema: SchemaObject) => {
  const sample = sampleOf(document, schema);
  return sample.ok ? sample.value : `none at ${sample.at}`;
};

describe('sampleOf', () => {
  it.each<[string, SchemaObject, unknown]>([
    ['an example', { type: 'string', example: 'a' }, 'a'],
    ['an example that is null', { type: ['string', 'null'], example: null }, null],
    ['the first of several examples', { examples: ['a', 'b'] }, 'a'],
    ['a constant', { const: 3 }, 3],
    ['the first enumerated value', { enum: ['a', 'b'] }, 'a'],
    ['a default', { type: 'integer', default: 5 }, 5],
    ['a reference', { $ref: '#/components/schemas/Name' }, 'x'],
    ['an object', { type: 'object', properties: { a: Name, b: { type: 'object' } } }, { a: 'x', b: {} }],
    ['an array', { type: 'array', items: Name }, ['x']],
    ['an alternative, rather than null', { anyOf: [{ type: 'null' }, Name] }, 'x'],
    ['null without an alternative', { anyOf: [{ type: 'null' }, { type: 'string' }] }, null],
    ['an intersection of objects', { allOf: [{ properties: { a: Name } }, { properties: { b: Name } }] }, { a: 'x', b: 'x' }],
    ['an annotated reference', { allOf: [{ $ref: '#/components/schemas/Name' }, { description: 'words' }] }, 'x'],
  ])('returns %s', (_title, schema, value) => {
    expect(valueOfSample(schema)).toEqual(value);
  });

  it('returns the path of the property without an example', () => {
    expect(valueOfSample({ type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } })).toBe('none at /list/[]');
    expect(valueOfSample({ type: 'string' })).toBe('none at /');
  });

  it('stops at a recursive schema', () => {
    expect(valueOfSample(Loop)).toMatch(/contains itself/);
  });
});

describe('parameterSample and mediaSample', () => {
  it('returns the example of the parameter or body', () => {
    expect(parameterSample(document, { name: 'q', in: 'query', example: 'own', schema: Name })).toEqual({ ok: true, value: 'own' });
    expect(mediaSample(document, { example: 'own', schema: Name })).toEqual({ ok: true, value: 'own' });
    expect(mediaSample(document, { examples: { one: { value: 'named' } }, schema: Name })).toEqual({ ok: true, value: 'named' });
  });

  it('uses the schema when the example is missing', () => {
    expect(parameterSample(document, { name: 'q', in: 'query', schema: Name })).toEqual({ ok: true, value: 'x' });
    expect(mediaSample(document, { schema: Name })).toEqual({ ok: true, value: 'x' });
    expect(parameterSample(document, { name: 'q', in: 'query' })).toEqual({ ok: false, at: 'q' });
  });
});
