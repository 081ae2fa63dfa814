import { describe, expect, it } from 'vitest';
import { BROWSER_FOLDERS } from '../../src/platform/http/pages/browser-folders.data.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { operationOf } from '../support/documents.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { freshInstant, type TestResponse } from '../support/requests.ts';
import { admittedName, expectShown, outcomeFor } from './access-checks.ts';
import { callValid, expectDeclaredBody, expectDocumented, expectSurfaceHeaders } from './conformance-checks.ts';
import { prepare } from './prepare.ts';
import { shareOf } from './share.ts';
import { TESTED } from './tested.ts';

await prepare();

const named = (endpoints: readonly Endpoint[]) => endpoints.map((endpoint) => ({ title: titleOf(endpoint), endpoint }));
/** Pages with a nonce differ in each response, so they have no ETag. */
const hasNonce = ({ spec }: Endpoint) => spec.access.kind === 'page';
/** Preconditions apply to responses that would be 2xx. */
const isRedirect = ({ spec }: Endpoint) => (spec.ok.status ?? 200) >= 300;
const isRead = (endpoint: Endpoint) =>
  endpoint.spec.method === 'get' && !endpoint.spec.streams && !hasNonce(endpoint) && !isRedirect(endpoint);
const READS = TESTED.filter(isRead);

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

describe.each(named(TESTED))('$title', ({ endpoint }) => {
  it('returns a documented response for valid input, with a valid X-Request-ID unchanged and an invalid one replaced', async () => {
    for (const { id, isWellFormed } of shareOf(ENDPOINTS.indexOf(endpoint), REQUEST_IDS)) {
      const response = await callValid(endpoint, { headers: { 'X-Request-ID': id } });
      expectSuccess(endpoint, response, 1);
      const echoed = response.headers.get('X-Request-ID');
      if (isWellFormed) expect(echoed).toBe(id);
      else expect(echoed).toMatch(NEW_ID);
    }
  });

  // The conditional requests below send If-None-Match.
  const optional = operationOf(endpoint).parameters.filter(
    ({ required, name }) => !required && !(isRead(endpoint) && name === 'If-None-Match'),
  );
  (optional.length > 0 ? it : never)('accepts the documented example of each optional parameter', async () => {
    for (const { name } of optional) expectSuccess(endpoint, await callValid(endpoint, {}, [name]), 1, name);
  });
});

describe.each(named(READS))('conditional request: $title', ({ endpoint }) => {
  const place = ENDPOINTS.indexOf(endpoint);

  it('returns 304 for a current ETag and charges one request', async () => {
    for (const form of shareOf(place, MATCHING_FORMS)) {
      // Each in new rate limit windows, because an account has five exports an hour.
      const now = freshInstant();
      const full = await callValid(endpoint, { now });
      const header = form(full.headers.get('ETag') ?? '');
      const response = await callValid(endpoint, { now, headers: { 'If-None-Match': header } });
      expect(response.status, header).toBe(304);
      expect(response.bytes.byteLength).toBe(0);
      expect(response.headers.get('Content-Type')).toBeNull();
      for (const name of ['ETag', 'Cache-Control']) expect(response.headers.get(name)).toBe(full.headers.get(name));
      expectSurfaceHeaders(endpoint, response);
      expectCharged(endpoint, response, 2);
      expectDocumented(endpoint, response);
    }
  });

  it('returns the same headers without a body for HEAD, and 200 with the body for another ETag', async () => {
    const now = freshInstant();
    const headers = { 'X-Request-ID': 'same' };
    const full = await callValid(endpoint, { now, headers });
    const head = await callValid(endpoint, { now, headers, method: 'HEAD' });
    expect(head.bytes.byteLength).toBe(0);
    expect(head.status).toBe(full.status);
    expectCharged(endpoint, head, 2);
    const comparable = (response: TestResponse) =>
      [...response.headers].filter(([name]) => !/^(?:x-)?ratelimit|^content-length$/.test(name));
    expect(comparable(head)).toEqual(comparable(full));
    const opaque = opaqueOf(full.headers.get('ETag') ?? '');
    for (const form of shareOf(place, OTHER_FORMS)) {
      const header = form(opaque);
      const response = await callValid(endpoint, { now, headers: { 'If-None-Match': header } });
      expect(response.status, header).toBe(full.status);
      expect(response.text).toBe(full.text);
    }
  });
});
