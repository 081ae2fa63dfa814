import { describe, expect, it } from 'vitest';
import { finishDocument, type Node } from '../../../src/platform/openapi/finish.ts';
import { toOpenApi30 } from '../../../src/platform/openapi/openapi-30.ts';
import { documentOfTag, tagSlugs } from '../../../src/platform/openapi/tag-document.ts';
import type { Settings } from '../../../src/platform/settings/settings.data.ts';

const COLOURS = { type: 'string', enum: ['red', 'blue'], 'x-values': { name: 'Colour', description: 'A colour.' } };
const SETTINGS = { featureOnEnabled: true, featureOffEnabled: false } as unknown as Settings;

/** A document with one operation that responds with `Thing`. */
function documentWith(thing: Node, more: Record<string, Node> = {}, parameters: Node[] = []): Node {
  const schema = { $ref: '#/components/schemas/Thing' };
  const get = { tags: ['Some things'], parameters, responses: { 200: { content: { 'application/json': { schema } } } } };
  return {
    info: { title: 'Things', summary: 'Some.' },
    tags: [{ name: 'Some things' }],
    paths: { '/thing': { get } },
    webhooks: {},
    components: { schemas: { Thing: thing, ...more } },
  };
}

function finishedSchemas(thing: Node, more: Record<string, Node> = {}): Record<string, Node> {
  const { components } = finishDocument(documentWith(thing, more), SETTINGS);
  return (components as { schemas: Record<string, Node> }).schemas;
}

describe('finishDocument', () => {
  it('converts a named set of values to a referenced schema', () => {
    const { Thing, Colour } = finishedSchemas({ properties: { colour: { ...COLOURS, description: 'Of the lid.', example: 'red' } } });
    expect(Colour).toEqual({ type: 'string', enum: ['red', 'blue'], description: 'A colour.' });
    expect(Thing).toEqual({ properties: { colour: { $ref: '#/components/schemas/Colour', description: 'Of the lid.', example: 'red' } } });
  });

  it('converts null to a branch of anyOf, with the annotations next to it', () => {
    const size = { type: ['integer', 'null'], minimum: 1, description: 'Size.', example: null };
    const colour = { ...COLOURS, type: ['string', 'null'], enum: ['red', 'blue', null] };
    expect(finishedSchemas({ properties: { size, colour } }).Thing).toEqual({
      properties: {
        size: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], description: 'Size.', example: null },
        colour: { anyOf: [{ $ref: '#/components/schemas/Colour' }, { type: 'null' }] },
      },
    });
  });

  it('moves annotations next to a reference', () => {
    const part = { allOf: [{ $ref: '#/components/schemas/Part' }, { description: 'The lid.' }] };
    const { Thing } = finishedSchemas({ properties: { part } }, { Part: { type: 'object' } });
    expect(Thing).toEqual({ properties: { part: { $ref: '#/components/schemas/Part', description: 'The lid.' } } });
  });

  it('omits disabled endpoints and the schemas that only they use', () => {
    const values = { ...COLOURS, 'x-switches': { blue: 'featureOffEnabled', red: 'featureOnEnabled' } };
    const off = { $ref: '#/components/schemas/Off' };
    const schemas = finishedSchemas(
      {
        properties: { colours: { type: 'array', items: values }, old: { type: 'string', 'x-switch': 'featureOffEnabled' } },
        oneOf: [{ $ref: '#/components/schemas/On' }, off],
        discriminator: { propertyName: 'type', mapping: { on: '#/components/schemas/On', off: '#/components/schemas/Off' } },
      },
      { On: { type: 'object', 'x-switch': 'featureOnEnabled' }, Off: { type: 'object', 'x-switch': 'featureOffEnabled' }, Unused: {} },
    );
    expect(Object.keys(schemas)).toEqual(['Thing', 'On', 'Colour']);
    expect(schemas.Colour?.enum).toEqual(['red']);
    expect(schemas.On).toEqual({ type: 'object' });
    expect(schemas.Thing).toEqual({
      properties: { colours: { type: 'array', items: { $ref: '#/components/schemas/Colour' } } },
      oneOf: [{ $ref: '#/components/schemas/On' }],
      discriminator: { propertyName: 'type', mapping: { on: '#/components/schemas/On' } },
    });
  });

  it('does not treat property names as keywords and leaves examples unchanged', () => {
    const Thing = {
      properties: { enum: { type: 'string' }, default: { type: ['string', 'null'] } },
      example: { enum: 'x', default: { type: ['string', 'null'] } },
    };
    expect(finishedSchemas(Thing).Thing).toEqual({
      properties: { enum: { type: 'string' }, default: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      example: Thing.example,
    });
  });

  it('moves description and example of a parameter out of its schema', () => {
    const schema = { type: 'string', description: 'Text.', example: 'x' };
    const parameter = { name: 'q', in: 'query', required: false, description: 'Text.', schema };
    const { paths } = finishDocument(documentWith({}, {}, [parameter]), SETTINGS) as {
      paths: Record<string, { get: { parameters: Node[] } }>;
    };
    expect(paths['/thing']?.get.parameters).toEqual([
      { name: 'q', in: 'query', description: 'Text.', schema: { type: 'string' }, example: 'x' },
    ]);
  });
});

describe('toOpenApi30', () => {
  const thingOf = (thing: Node, more: Record<string, Node> = {}) => {
    const { components } = toOpenApi30(documentWith(thing, more)) as { components: { schemas: Record<string, Node> } };
    return components.schemas.Thing;
  };

  it.each<[string, Node, Node]>([
    [
      'null as an alternative',
      { anyOf: [{ type: 'string' }, { type: 'null' }], example: null },
      { type: 'string', nullable: true, example: null },
    ],
    ['null alone', { type: 'null', description: 'None.' }, { type: 'string', nullable: true, enum: [null], description: 'None.' }],
    [
      'null next to a reference',
      { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] },
      { type: 'object', allOf: [{ $ref: '#/components/schemas/Part' }], nullable: true },
    ],
    [
      'null next to a set of values',
      { anyOf: [{ $ref: '#/components/schemas/Colour' }, { type: 'null' }] },
      { anyOf: [{ $ref: '#/components/schemas/Colour' }, { type: 'string', nullable: true, enum: [null] }] },
    ],
    [
      'several types and null',
      { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      {
        anyOf: [
          { type: 'string', nullable: true },
          { type: 'integer', nullable: true },
        ],
      },
    ],
    [
      'annotations next to a reference',
      { $ref: '#/components/schemas/Part', description: 'The lid.' },
      { allOf: [{ $ref: '#/components/schemas/Part' }], description: 'The lid.' },
    ],
    ['a tuple', { prefixItems: [{ type: 'integer' }, { type: 'integer' }] }, { items: { type: 'integer' }, minItems: 2, maxItems: 2 }],
    ['a constant', { const: 'x' }, { enum: ['x'] }],
    ['an exclusive bound', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', minimum: 0, exclusiveMinimum: true }],
  ])('converts %s', (_title, property, converted) => {
    const more = { Part: { type: 'object' }, Colour: { type: 'string', enum: ['red'] } };
    expect(thingOf({ properties: { property } }, more)).toEqual({ properties: { property: converted } });
  });

  it('drops keywords that OpenAPI 3.0 does not support', () => {
    const document = toOpenApi30(documentWith({}));
    expect(document).toMatchObject({ openapi: '3.0.3', info: { title: 'Things' } });
    expect(document).not.toHaveProperty('webhooks');
    expect(document.info).not.toHaveProperty('summary');
  });
});

describe('documentOfTag', () => {
  it('finds a tag by its slug', () => {
    const document = documentWith({});
    expect(tagSlugs(document)).toEqual(['some-things']);
    expect(Object.keys(documentOfTag(document, 'some-things')?.paths as object)).toEqual(['/thing']);
    expect(documentOfTag(document, 'Some things')).toBeNull();
  });
});
