import { describe, expect, it } from 'vitest';
import type { OpenApiDocument, OperationObject, SchemaObject } from '../../../scripts/lib/openapi-model.ts';
import { findDocumentProblems } from '../../../scripts/lib/openapi-rules.ts';

const answer: SchemaObject = { $ref: '#/components/schemas/Answer' };
const COMPLETE: OperationObject = {
  operationId: 'getThing',
  tags: ['Things'],
  summary: 'A thing',
  description: 'Answers a thing.',
  security: [{}, { token: [] }],
  'x-access': 'public',
  'x-scope': 'things:read',
  'x-rate-limit': { anonymous: { limit: 30, window_seconds: 60 }, token: { limit: 120, window_seconds: 60 } },
  parameters: [{ name: 'q', in: 'query', description: 'What to look for.', schema: { type: 'string', example: 'x' } }],
  responses: {
    200: { description: 'The thing.', content: { 'application/json': { schema: answer } } },
    401: { description: 'No.' },
    429: { description: 'Later.' },
  },
};
const ANSWER: SchemaObject = {
  type: 'object',
  description: 'A thing.',
  properties: {
    name: { type: 'string', description: 'Its name.', example: 'x' },
    next: { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }], description: 'The next part, or null.' },
    part: { $ref: '#/components/schemas/Part' },
  },
};
const PART: SchemaObject = {
  type: 'object',
  description: 'A part.',
  properties: { n: { type: 'integer', description: 'A number.', example: 1 } },
};

function documentWith(operation: Partial<OperationObject>, schemas: Record<string, SchemaObject> = {}): OpenApiDocument {
  return {
    paths: { '/thing': { get: { ...COMPLETE, ...operation } } },
    components: { schemas: { Answer: ANSWER, Part: PART, ...schemas } },
  };
}

const rulesOf = (document: OpenApiDocument) => findDocumentProblems(document).map(({ at, rule }) => `${at}: ${rule}`);

describe('findDocumentProblems', () => {
  it('has nothing against a complete document', () => {
    expect(findDocumentProblems(documentWith({}))).toEqual([]);
  });

  it.each<[string, Partial<OperationObject>]>([
    ['operationId', { operationId: '' }],
    ['summary', { summary: ' ' }],
    ['description', { description: '' }],
    ['tag', { tags: [] }],
    ['x-access', { 'x-access': 'everyone' }],
    ['x-scope', { 'x-scope': '' }],
    [
      'x-scope',
      { 'x-access': 'master', 'x-rate-limit': { ingest: { limit: 1, window_seconds: 1 }, token: { limit: 1, window_seconds: 1 } } },
    ],
    ['x-rate-limit', { 'x-rate-limit': { token: { limit: 1, window_seconds: 1 } } }],
    ['x-rate-limit', { 'x-access': 'open', 'x-scope': '' }],
    ['responses', { responses: { 401: { description: 'No.' }, 429: { description: 'Later.' } } }],
    ['responses', { responses: { 200: { description: 'The thing.' } } }],
  ])('asks for %s', (rule, change) => {
    expect(rulesOf(documentWith(change))).toContain(`GET /thing: ${rule}`);
  });

  it('asks for the description and an example of each parameter', () => {
    const document = documentWith({ parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] });
    expect(rulesOf(document)).toEqual(['GET /thing q: description', 'GET /thing q: example']);
  });

  it('asks for the description of each response', () => {
    const responses = { ...COMPLETE.responses, 401: { description: '' } };
    expect(rulesOf(documentWith({ responses }))).toEqual(['GET /thing 401: description']);
  });

  it('asks for the description of each named schema and each property, wherever it stands', () => {
    const Answer: SchemaObject = {
      type: 'object',
      properties: {
        list: { type: 'array', description: 'Many.', items: { type: 'object', properties: { n: { type: 'integer', example: 1 } } } },
        part: { $ref: '#/components/schemas/Part' },
      },
    };
    expect(rulesOf(documentWith({}, { Answer, Part: { type: 'integer', example: 1 } })).sort()).toEqual([
      'schema Answer.list.n: description',
      'schema Answer.part: description',
      'schema Answer: description',
      'schema Part: description',
    ]);
  });

  it('asks for an example of every success, and says what lacks one', () => {
    const Part = { ...PART, properties: { n: { type: 'integer', description: 'A number.' } } };
    expect(findDocumentProblems(documentWith({}, { Part }))).toEqual([
      { at: 'GET /thing 200 application/json', rule: 'example', detail: 'no example at /part/n' },
    ]);
  });

  it('refuses named schemas that are null', () => {
    expect(rulesOf(documentWith({}, { Part: { ...PART, type: ['object', 'null'] } }))).toEqual(['schema Part: not-nullable']);
    expect(rulesOf(documentWith({}, { Part: { description: 'Or null.', anyOf: [PART, { type: 'null' }] } }))).toEqual([
      'schema Part: not-nullable',
    ]);
  });
});
