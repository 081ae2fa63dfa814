import { describe, expect, it } from 'vitest';
import { type FieldView, type TagDocument, tagView } from '../../../src/areas/docs/reference.domain.ts';

type Operation = TagDocument['paths'][string][string];

const needed = [{ APIToken: [] }];

const base: Operation = {
  operationId: 'getThing',
  tags: ['Things'],
  summary: 'Get a thing',
  description: 'A thing.\n\nAccess: public. A token lifts the limit.\n\nMore of it.',
  responses: {},
  security: [...needed, {}],
  'x-access': 'public',
  'x-scope': 'things:read',
  'x-rate-limit': { anonymous: { limit: 30, window_seconds: 60 }, token: { limit: 1, window_seconds: 60 } },
};

function viewOf(operation: Partial<Operation>, components: TagDocument['components'] = {}, method = 'get', path = '/v1/things/{id}') {
  const document: TagDocument = { tags: [{ name: 'Things' }], paths: { [path]: { [method]: { ...base, ...operation } } }, components };
  const [view] = tagView(document, 'https://api.test').operations;
  if (!view) throw new Error('no operation');
  return view;
}

const bodyOf = (schema: object, components: TagDocument['components'] = {}) => {
  const responses = { 200: { description: 'It.', content: { 'application/json': { schema } } } };
  const [body] = viewOf({ responses }, components).success.bodies;
  if (!body) throw new Error('no body');
  return body;
};

function depthOf(fields: readonly FieldView[]): number {
  return fields.length === 0 ? 0 : 1 + Math.max(...fields.map(({ children }) => depthOf(children)));
}

describe('tagView', () => {
  it('separates the access sentence from the description and lists scope and rate limits', () => {
    const { paragraphs, access, scope, rateLimits, badge } = viewOf({});
    expect(paragraphs).toEqual(['A thing.', 'More of it.']);
    expect([access, scope, badge]).toEqual(['Public. A token lifts the limit.', 'things:read', 'public']);
    expect(rateLimits).toEqual(['30 requests a minute without a token', '1 request a minute with a token']);
  });

  it.each([
    ['token', needed, 'token'],
    ['any-token', needed, 'token'],
    ['project', needed, 'token'],
    ['of a kind that is not known', needed, 'token'],
    ['master', needed, 'superuser'],
    ['open', [], 'public'],
    ['optional-token', [...needed, {}], 'public'],
  ])('shows access "%s" with security %j as badge "%s"', (access, security, badge) => {
    expect(viewOf({ 'x-access': access, security }).badge).toBe(badge);
  });

  it('includes only required parameters in the curl command', () => {
    const parameter = (name: string, where: string, required: boolean) => ({
      name,
      in: where,
      required,
      schema: { type: 'string' },
      example: "a'b",
    });
    const [curl] = viewOf({
      parameters: [parameter('id', 'path', true), parameter('at', 'query', false), parameter('q', 'query', true)],
    }).samples;
    expect(curl?.text).toBe(String.raw`curl 'https://api.test/v1/things/a'\''b?q=a'\''b'`);
  });

  it('includes an optional parameter that its schema marks for samples', () => {
    const parameter = (name: string, schema: object) => ({ name, in: 'query', schema: { type: 'integer', ...schema }, example: 7 });
    const [curl] = viewOf({ parameters: [parameter('at', { 'x-sample': true }), parameter('created_at', {})] }).samples;
    expect(curl?.text).toBe("curl 'https://api.test/v1/things/{id}?at=7'");
  });

  it('includes the token and the example body in the curl command of a write', () => {
    const requestBody = { content: { 'application/json': { schema: { type: 'object' }, example: { name: 'a' } } } };
    const { samples, body } = viewOf({ requestBody, 'x-access': 'master' }, {}, 'post', '/v1/things');
    const curl = samples[0]?.text;
    expect(curl).toContain('curl -X POST \'https://api.test/v1/things\' \\\n  -H "Authorization: Bearer $GAME_DATA_TOKEN" \\\n');
    expect(curl).toContain(`-d '{"name":"a"}'`);
    expect(body?.example).toBe('{\n  "name": "a"\n}');
  });

  it('joins the example of a list parameter with commas', () => {
    const list = { name: 'paths', in: 'query', required: true, schema: { type: 'array' }, example: ['a', 'b c'] };
    const { samples, parameters } = viewOf({ parameters: [list] }, {}, 'get', '/v1/things');
    expect(parameters[0]?.example).toBe('a,b c');
    expect(samples[0]?.text).toBe("curl 'https://api.test/v1/things?paths=a%2Cb%20c'");
  });

  it('marks file uploads and event streams as not runnable', () => {
    expect(viewOf({ requestBody: { content: { 'multipart/form-data': {} } } }).isRunnable).toBe(false);
    expect(viewOf({ responses: { 200: { description: '', content: { 'text/event-stream': {} } } } }).isRunnable).toBe(false);
    expect(viewOf({}).isRunnable).toBe(true);
  });

  it('lists the error codes of each status', () => {
    const responses = { 429: { $ref: '#/components/responses/limited', description: '' }, 304: { description: '' } };
    const components = { responses: { limited: { description: 'Too many.', 'x-error-codes': ['rate_limited'] } } };
    const both = { 403: { description: '`a`: One. `b`: Two `c`.', 'x-error-codes': ['a', 'b'] } };
    expect(viewOf({ responses: both }).errors.map(({ description }) => description)).toEqual(['One.', 'Two `c`.']);
    expect(viewOf({ responses }, components).errors).toEqual([{ status: '429', code: 'rate_limited', description: 'Too many.' }]);
  });
});

describe('samples of tagView', () => {
  const json = { 200: { description: 'It.', content: { 'application/json': { schema: { type: 'object' } } } } };
  const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' }, example: 7 };
  const textOf = (language: string, view: ReturnType<typeof viewOf>) => view.samples.find((sample) => sample.language === language)?.text;

  it('shows the request with each client library', () => {
    const query = { name: 'from', in: 'query', required: true, schema: { type: 'string' }, example: "a'b" };
    const view = viewOf({ responses: json, parameters: [idParameter, query] });
    expect(textOf('js', view)).toBe(
      [
        "import { createClient } from 'game-data-api';",
        '',
        "const api = createClient({ baseUrl: 'https://api.test' });",
        "const { data } = await api.GET('/v1/things/{id}', {",
        String.raw`  params: { path: { id: 7 }, query: { from: 'a\'b' } },`,
        '});',
        'console.log(data);',
      ].join('\n'),
    );
    expect(textOf('python', view)).toBe(
      [
        'from game_data_api import GameData',
        '',
        'api = GameData("https://api.test")',
        'data = api.get(',
        '    "/v1/things/{id}",',
        `    **{"id": 7, "from": "a'b"},`,
        ')',
        'print(data)',
      ].join('\n'),
    );
  });

  it('sends the token and the body', () => {
    const requestBody = { content: { 'application/json': { schema: {}, example: { name: 'a "b"', old: null, tags: [true] } } } };
    const view = viewOf({ requestBody, responses: json, 'x-access': 'token', security: needed }, {}, 'post', '/v1/things');
    expect(textOf('js', view)).toContain('  token: process.env.GAME_DATA_TOKEN,\n');
    expect(textOf('js', view)).toContain(`body: { name: 'a "b"', old: null, tags: [true] }`);
    expect(textOf('python', view)).toContain('    os.environ["GAME_DATA_TOKEN"],\n');
    expect(textOf('python', view)).toContain(String.raw`        "name": "a \"b\"",`);
    expect(textOf('python', view)).toContain('        "old": None,\n        "tags": [True],\n    },\n)');
  });

  it('uses request() of the Python client for other methods', () => {
    const view = viewOf({ responses: json, parameters: [idParameter] }, {}, 'delete');
    expect(textOf('python', view)).toContain('api.request(\n    "DELETE",\n    "/v1/things/{id}",\n    {"id": 7},\n).json()');
  });

  it('reads an event stream with events()', () => {
    const view = viewOf({ responses: { 200: { description: '', content: { 'text/event-stream': {} } } } });
    expect(textOf('bash', view)).toBe("curl -N 'https://api.test/v1/things/{id}'");
    expect(textOf('js', view)).toContain('for await (const event of api.events())');
    expect(textOf('python', view)).toContain('for event in api.events():');
  });

  it.each([
    ['a response that is not JSON', { responses: { 200: { description: '', content: { 'image/png': {} } } } }, '/v1/things'],
    ['a body that is not JSON', { responses: json, requestBody: { content: { 'multipart/form-data': {} } } }, '/v1/things'],
    ['a JSON body without an example', { responses: json, requestBody: { content: { 'application/json': {} } } }, '/v1/things'],
    ['a path outside of the client libraries', { responses: json }, '/openapi.json'],
  ])('shows curl alone for %s', (_, operation, path) => {
    expect(viewOf(operation, {}, 'post', path).samples.map(({ language }) => language)).toEqual(['bash']);
  });

  it('is empty for a webhook', () => {
    expect(viewOf({ 'x-access': 'outgoing' }).samples).toEqual([]);
  });
});

describe('body fields of tagView', () => {
  it('includes types, null, bounds, allowed values and whether a field is required', () => {
    const { fields, type } = bodyOf({
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'integer', minimum: 1, maximum: 5, description: 'A.' },
        b: { anyOf: [{ type: 'string', enum: ['x', 'y'] }, { type: 'null' }] },
        c: { type: 'array', items: { type: 'object', properties: { d: { type: 'string', format: 'uri' } } } },
      },
    });
    expect(type).toBe('object');
    expect(fields.map((field) => [field.name, field.type, field.isRequired])).toEqual([
      ['a', 'integer', true],
      ['b', 'string or null', false],
      ['c', 'array of objects', false],
    ]);
    expect([fields[0]?.limits, fields[1]?.values, fields[2]?.children[0]?.type]).toEqual([['1 to 5'], ['x', 'y'], 'string (uri)']);
  });

  it('stops at a schema that contains itself', () => {
    const node = {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
    };
    const { fields } = bodyOf({ $ref: '#/components/schemas/Node' }, { schemas: { Node: node } });
    expect(fields[1]).toMatchObject({ type: 'array of objects', children: [], omission: 'the same fields as Node above' });
  });

  it('stops at six levels and at 240 fields', () => {
    let deep: object = { type: 'string' };
    for (let level = 0; level < 20; level += 1) deep = { type: 'object', properties: { inner: deep } };
    expect(depthOf(bodyOf(deep).fields)).toBe(6);
    const wide = { type: 'object', properties: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`f${n}`, { type: 'string' }])) };
    expect(bodyOf(wide).fields).toHaveLength(240);
  });

  it('includes each variant of a union', () => {
    const schemas = {
      One: { type: 'object', properties: { a: { type: 'string' } } },
      Two: { type: 'object', properties: { b: { type: 'string' } } },
    };
    const { fields } = bodyOf({ oneOf: [{ $ref: '#/components/schemas/One' }, { $ref: '#/components/schemas/Two' }] }, { schemas });
    expect(fields.map(({ name, type, children }) => [name, type, children.length])).toEqual([
      ['One', 'one form', 1],
      ['Two', 'one form', 1],
    ]);
  });

  it('cuts long examples', () => {
    const example = Array.from({ length: 2000 }, (_, n) => n);
    const { example: shown } = bodyOf({ type: 'array', items: { type: 'integer' }, example });
    expect(shown?.length).toBeLessThan(4100);
    expect(shown).toMatch(/\n… [\d,]+ more lines$/);
  });
});
