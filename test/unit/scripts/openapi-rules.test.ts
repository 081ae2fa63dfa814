import { describe, expect, it } from 'vitest';
import { lintDocument } from '../../../scripts/lib/openapi/openapi-lint.ts';
import type { OpenApiDocument, OperationObject, SchemaObject } from '../../../scripts/lib/openapi/openapi-model.ts';
import { findDocumentProblems } from '../../../scripts/lib/openapi/openapi-rules.ts';

const reply: SchemaObject = { $ref: '#/components/schemas/Reply' };
const COMPLETE: OperationObject = {
  operationId: 'getThing',
  tags: ['Things'],
  summary: 'A thing',
  description: 'Returns a thing.',
  security: [{}, { token: [] }],
  'x-access': 'public',
  'x-scope': 'things:read',
  'x-rate-limit': { anonymous: { limit: 30, window_seconds: 60 }, token: { limit: 120, window_seconds: 60 } },
  parameters: [{ name: 'q', in: 'query', description: 'What to look for.', schema: { type: 'string', example: 'x' } }],
  responses: {
    200: { description: 'The thing.', content: { 'application/json': { schema: reply } } },
    401: { description: 'No.' },
    429: { description: 'Later.' },
  },
};
const REPLY: SchemaObject = {
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
    components: { schemas: { Reply: REPLY, Part: PART, ...schemas } },
  };
}

const rulesOf = (document: OpenApiDocument) => findDocumentProblems(document).map(({ at, rule }) => `${at}: ${rule}`);

describe('findDocumentProblems', () => {
  it('reports nothing for a complete document', () => {
    expect(findDocumentProblems(documentWith({}))).toEqual([]);
  });

  it('reports a parameter without an example', () => {
    const document = documentWith({ parameters: [{ name: 'q', in: 'query', description: 'Search text.', schema: { type: 'string' } }] });
    expect(rulesOf(document)).toEqual(['GET /thing q: example']);
  });

  it('reports each named schema and nested property without a description', () => {
    const Reply: SchemaObject = {
      type: 'object',
      properties: {
        list: { type: 'array', description: 'Many.', items: { type: 'object', properties: { n: { type: 'integer', example: 1 } } } },
        part: { $ref: '#/components/schemas/Part' },
      },
    };
    expect(rulesOf(documentWith({}, { Reply, Part: { type: 'integer', example: 1 } })).sort()).toEqual([
      'schema Part: description',
      'schema Reply.list.n: description',
      'schema Reply.part: description',
      'schema Reply: description',
    ]);
  });

  it('reports a success response without an example, with the path of the property', () => {
    const Part = { ...PART, properties: { n: { type: 'integer', description: 'A number.' } } };
    expect(findDocumentProblems(documentWith({}, { Part }))).toEqual([
      { at: 'GET /thing 200 application/json', rule: 'example', detail: 'no example at /part/n' },
    ]);
  });

  it('reports a named schema that allows null', () => {
    expect(rulesOf(documentWith({}, { Part: { ...PART, type: ['object', 'null'] } }))).toEqual(['schema Part: not-nullable']);
    expect(rulesOf(documentWith({}, { Part: { description: 'Or null.', anyOf: [PART, { type: 'null' }] } }))).toEqual([
      'schema Part: not-nullable',
    ]);
  });
});

describe('redocly.yaml', () => {
  const response = { description: 'Something.', content: { 'application/json': { schema: { type: 'string' } } } } as const;
  const operation = (path: string, change: Partial<OperationObject>, without: readonly (keyof OperationObject)[] = []) => {
    const all: OperationObject = {
      operationId: path.slice(1),
      tags: ['Things'],
      summary: 'A thing',
      description: 'A thing.',
      security: [{ token: [] }],
      'x-access': 'token',
      'x-scope': 'things:read',
      'x-rate-limit': { token: { limit: 1, window_seconds: 1 } },
      responses: { 200: response, 401: response, 429: response },
      ...change,
    };
    return [path, { get: Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name as keyof OperationObject))) }];
  };
  const OPEN = { 'x-access': 'open', responses: { 200: response } };
  const PATHS = [
    operation('/complete', {}),
    operation('/open', OPEN, ['x-scope', 'x-rate-limit']),
    operation('/text', { description: '' }),
    operation('/response', { responses: { 200: { ...response, description: '' }, 401: response, 429: response } }),
    operation('/header', {
      responses: { 200: { ...response, headers: { 'X-A': { schema: { type: 'string' } } } }, 401: response, 429: response },
    }),
    operation('/access', { 'x-access': 'everyone' }),
    operation('/security', {}, ['security']),
    operation('/scope', {}, ['x-scope']),
    operation('/no-scope', OPEN, ['x-rate-limit']),
    operation('/limit', {}, ['x-rate-limit']),
    operation('/no-limit', OPEN, ['x-scope']),
    operation('/401', { responses: { 200: response, 429: response } }),
    operation('/429', { responses: { 200: response, 401: response } }),
    operation('/success', { responses: { 401: response, 429: response } }),
    operation('/tags', { tags: [] }),
  ];
  const EXPECTED: Record<string, string> = {
    '/text': 'rule/operation-texts',
    '/response': 'rule/response-description',
    '/header': 'rule/header-description',
    '/access': 'rule/access',
    '/security': 'rule/security-stated',
    '/scope': 'rule/scope-stated',
    '/no-scope': 'rule/scope-absent',
    '/limit': 'rule/rate-limit-stated',
    '/no-limit': 'rule/rate-limit-absent',
    '/401': 'rule/responses-401',
    '/429': 'rule/responses-429',
    '/success': 'operation-2xx-response',
    '/tags': 'rule/operation-tag',
  };

  it('reports each missing or superfluous part of an operation, and nothing for a complete one', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Things', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: 'https://api.example.com' }],
      tags: [{ name: 'Things', description: 'Things.' }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      paths: Object.fromEntries(PATHS),
    } as OpenApiDocument;
    const output = (await lintDocument(document, 'json')) ?? '{"problems":[]}';
    const { problems } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as {
      problems: { ruleId: string; location: { pointer?: string }[] }[];
    };
    const found = problems.map(({ ruleId, location }) => {
      const path = location[0]?.pointer?.split('/')[2]?.replaceAll('~1', '/') ?? '';
      return `${path} ${ruleId}`;
    });
    for (const [path, rule] of Object.entries(EXPECTED)) expect(found).toContain(`${path} ${rule}`);
    expect(found.filter((line) => /^\/(?:complete|open) /.test(line))).toEqual([]);
  }, 120_000);
});
