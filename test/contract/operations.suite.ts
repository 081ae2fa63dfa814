import { describe, expect, it } from 'vitest';
import { BROWSER_FOLDERS } from '../../src/platform/http/pages/browser-folders.data.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { operationOf } from '../support/documents.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { freshInstant, type TestResponse } from '../support/requests.ts';
import { admittedName, expectShown, outcomeFor } from './access-checks.ts';
import {
  callValid,
  expectDeclaredBody,
  expectDocumented,
  expectSurfaceHeaders,
  hasNonce,
  isRead,
  isRedirect,
  prepareValid,
} from './conformance-checks.ts';
import { prepare } from './prepare.ts';
import { shareOf } from './share.ts';
import { TESTED } from './tested.ts';

await prepare();

const named = (endpoints: readonly Endpoint[]) => endpoints.map((endpoint) => ({ title: titleOf(endpoint), endpoint }));
/** Replaces `it` if a rule does not apply. */
const never = () => {};

/** An ETag without the weak prefix, with its quotes. */
const opaqueOf = (etag: string) => etag.replace(/^W\//, '');

const REQUEST_IDS = [
  ...['a', 'A-z_0.9'.padEnd(64, 'x')].map((id) => ({ id, isWellFormed: true })),
  ...['', 'two words', 'x'.repeat(65), 'a/b', '{}'].map((id) => ({ id, isWellFormed: false })),
];
const NEW_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4/;

/** Values of If-None-Match that match the ETag. */
const MATCHING_FORMS = [
  (etag: string) => etag,
  (etag: string) => `W/${opaqueOf(etag)}`,
  opaqueOf,
  () => '*',
  (etag: string) => `"other", ${etag}`,
  (etag: string) => `W/"other",${opaqueOf(etag)} , "more"`,
];

/** Values of If-None-Match that do not match the ETag. */
const OTHER_FORMS = [
  () => '"other"',
  (opaque: string) => opaque.slice(1, -1),
  (opaque: string) => opaque.toUpperCase().replace(/.$/, 'x"'),
  () => '',
];

/** The form for the place of an endpoint. */
const formAt = <T>(forms: readonly T[], place: number) => forms[place % forms.length] as T;

/** Expects a documented success with its headers, and `used` counted requests. */
function expectSuccess(endpoint: Endpoint, response: TestResponse, used: number, input = ''): void {
  const { spec } = endpoint;
  expect(response.status, `${input} ${response.text.slice(0, 500)}`).toBe(spec.ok.status ?? 200);
  expectDocumented(endpoint, response);
  expectDeclaredBody(endpoint, response);
  expectSurfaceHeaders(endpoint, response);
  expectCharged(endpoint, response, used);
  expectCacheable(endpoint, response);
}

const isOfToken = (name: string) => name.startsWith('token');

function expectCharged(endpoint: Endpoint, response: TestResponse, used: number): void {
  const { access } = endpoint.spec;
  expectShown(response, outcomeFor(access, admittedName(access)), used, access);
}

/** Expects ETag and Cache-Control for a read, and no caching for writes and streams. */
function expectCacheable(endpoint: Endpoint, { headers }: TestResponse): void {
  const { method, access, streams, dependsOnToken = false } = endpoint.spec;
  if (streams) {
    expect(headers.get('Cache-Control')).toBe('no-cache, no-transform');
    expect(headers.get('ETag')).toBeNull();
    return;
  }
  if (method !== 'get') {
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('ETag')).toBeNull();
    return;
  }
  if (hasNonce(endpoint)) {
    expect(headers.get('Cache-Control')).toContain('no-store');
    expect(headers.get('ETag')).toBeNull();
    return;
  }
  if (isRedirect(endpoint)) return;
  // Where a token without the scope counts as none, the response is the same for all.
  const isForAll = outcomeFor(access, 'none').status === 'success' && !outcomeFor(access, 'no_scope_ip_ok').charges.some(isOfToken);
  const audience = isForAll && !dependsOnToken ? 'public' : 'private';
  expect(headers.get('Cache-Control')).toMatch(new RegExp(`^${audience}, (?:no-cache|max-age=[1-9]\\d*)(?:, |$)`));
  expect(headers.get('ETag')).toMatch(/^(?:W\/)?"[!#-~]+"$/);
}

it('has endpoints in no folder that is served without the Worker', () => {
  const paths = ENDPOINTS.map(({ spec }) => spec.path);
  expect(paths.filter((path) => BROWSER_FOLDERS.some((folder) => path.startsWith(`/${folder}/`)))).toEqual([]);
});

/** Bodies of the responses to valid input without optional parameters. */
const bodies = new Map<Endpoint, string>();

/** Content types of a JSON body. */
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'];
const typeOf = ({ spec }: Endpoint, place: number) => (spec.body ? { 'Content-Type': formAt(JSON_TYPES, place) } : null);

const VALID = 'returns a documented response for valid input, with a valid X-Request-ID unchanged and an invalid one replaced';
const OF_READ = ', its headers for HEAD, and 304 for its ETag only';
const OF_BODY = ', of every JSON content type';

describe.each(named(TESTED))('$title', ({ endpoint }) => {
  const place = ENDPOINTS.indexOf(endpoint);

  it(`${VALID}${isRead(endpoint) ? OF_READ : endpoint.spec.body ? OF_BODY : ''}`, async () => {
    for (const [step, { id, isWellFormed }] of shareOf(place, REQUEST_IDS).entries()) {
      // Each in new rate limit windows, because an account has five exports an hour.
      const now = freshInstant();
      const send = await prepareValid(endpoint, [], now);
      const response = await send({ now, headers: { 'X-Request-ID': id, ...typeOf(endpoint, place + step) } });
      expectSuccess(endpoint, response, 1);
      bodies.set(endpoint, response.text);
      const echoed = response.headers.get('X-Request-ID') ?? '';
      if (isWellFormed) expect(echoed).toBe(id);
      else expect(echoed).toMatch(NEW_ID);
      if (!isRead(endpoint)) continue;
      expectHead(endpoint, await send({ now, headers: { 'X-Request-ID': echoed }, method: 'HEAD' }), response);
      const etag = response.headers.get('ETag') ?? '';
      const other = formAt(OTHER_FORMS, place + step)(opaqueOf(etag));
      const changed = await send({ now, headers: { 'If-None-Match': other } });
      expect([changed.status, changed.text], other).toEqual([response.status, response.text]);
      const matching = formAt(MATCHING_FORMS, place + step)(etag);
      expectNotModified(endpoint, await send({ now, headers: { 'If-None-Match': matching } }), response);
    }
  });

  // Requests with If-None-Match are above.
  const optional = operationOf(endpoint)
    .parameters.filter((parameter) => !parameter.required && parameter.in === 'query')
    .map(({ name }) => name);
  (optional.length > 0 ? it : never)('accepts the documented example of each optional query parameter', async () => {
    const usual = bodies.get(endpoint) ?? (await callValid(endpoint)).text;
    for (const names of combinable(optional)) {
      const together = names.length > 1 ? await callValid(endpoint, {}, names) : null;
      if (together && together.status < 400 && hasFieldsOf(together.text, usual)) expectSuccess(endpoint, together, 1);
      else for (const name of names) expectSuccess(endpoint, await callValid(endpoint, {}, [name]), 1, name);
    }
  });
});

/** Parameters that are sent alone: one selects a type without the JSON fields, the other must not be combined with `offset`. */
const ALONE = ['format', 'cursor'];

function combinable(names: readonly string[]): string[][] {
  const others = names.filter((name) => !ALONE.includes(name));
  return [others, ...names.filter((name) => ALONE.includes(name)).map((name) => [name])];
}

/** Whether a response shows every field of another: parameters together may select less than each alone. */
function hasFieldsOf(text: string, other: string): boolean {
  const fields = fieldsOf(text);
  return [...fieldsOf(other)].every((field) => fields.has(field));
}

/** Paths of the fields in a JSON text, with one path for all items of a list. */
function fieldsOf(text: string): Set<string> {
  const fields = new Set<string>();
  const read = (value: unknown, path: string): void => {
    fields.add(path);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) read(item, Array.isArray(value) ? `${path}[]` : `${path}.${key}`);
  };
  if (/^[[{]/.test(text)) read(JSON.parse(text), '');
  return fields;
}

/** Expects the status and headers of a GET response, without a body, as the second counted request. */
function expectHead(endpoint: Endpoint, head: TestResponse, full: TestResponse): void {
  expect(head.bytes.byteLength).toBe(0);
  expect(head.status).toBe(full.status);
  expectCharged(endpoint, head, 2);
  const comparable = (response: TestResponse) => [...response.headers].filter(([name]) => !/^(?:x-)?ratelimit|^content-length$/.test(name));
  expect(comparable(head)).toEqual(comparable(full));
}

/** Expects a documented 304 with the headers of the full response, as the fourth counted request. */
function expectNotModified(endpoint: Endpoint, response: TestResponse, full: TestResponse): void {
  expect(response.status).toBe(304);
  expect(response.bytes.byteLength).toBe(0);
  expect(response.headers.get('Content-Type')).toBeNull();
  for (const name of ['ETag', 'Cache-Control']) expect(response.headers.get(name)).toBe(full.headers.get(name));
  expectSurfaceHeaders(endpoint, response);
  expectCharged(endpoint, response, 4);
  expectDocumented(endpoint, response);
}
