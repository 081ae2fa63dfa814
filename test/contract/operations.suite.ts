import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { operationOf } from '../support/documents.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { type Answer, freshInstant } from '../support/requests.ts';
import { bucketOf, classOf, expectBudgetHeaders } from './access-checks.ts';
import { outcomeFor } from './access-table.data.ts';
import { rateOf } from './answers.ts';
import { admittedKind, callValid, expectDeclaredBody, expectDocumented, expectSurfaceHeaders } from './conformance-checks.ts';
import { shareOf } from './share.ts';
import './prepare.ts';

const named = (endpoints: readonly Endpoint[]) => endpoints.map((endpoint) => ({ title: titleOf(endpoint), endpoint }));
/** Pages with a nonce are made anew for each answer: an old body under a new policy would not run. */
const isMadeAnew = ({ spec }: Endpoint) => spec.access.kind === 'page';
const READS = ENDPOINTS.filter((endpoint) => endpoint.spec.method === 'get' && !endpoint.spec.streams && !isMadeAnew(endpoint));

/** The text of a version between its quotes, which are kept. */
const opaqueOf = (etag: string) => etag.replace(/^W\//, '');

const REQUEST_IDS = [
  ...['a', 'A-z_0.9'.padEnd(64, 'x')].map((id) => ({ id, isWellFormed: true })),
  ...['', 'two words', 'x'.repeat(65), 'a/b', '{}'].map((id) => ({ id, isWellFormed: false })),
];
const NEW_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4/;

/** Forms of If-None-Match that name the version with this ETag. */
const MATCHING_FORMS = [
  (etag: string) => etag,
  (etag: string) => `W/${opaqueOf(etag)}`,
  opaqueOf,
  () => '*',
  (etag: string) => `"other", ${etag}`,
  (etag: string) => `W/"other",${opaqueOf(etag)} , "more"`,
];

/** Forms of If-None-Match that do not name the version whose ETag has this text between quotes. */
const OTHER_FORMS = [
  () => '"other"',
  (opaque: string) => opaque.slice(1, -1),
  (opaque: string) => opaque.toUpperCase().replace(/.$/, 'x"'),
  () => '',
];

/** The headers of a success, and that it was counted as so many requests. */
function expectSuccess(endpoint: Endpoint, answer: Answer, used: number): void {
  const { spec } = endpoint;
  expect(answer.status, answer.text.slice(0, 500)).toBe(spec.ok.status ?? 200);
  expectDocumented(endpoint, answer);
  expectDeclaredBody(endpoint, answer);
  expectSurfaceHeaders(endpoint, answer);
  expectCharged(endpoint, answer, used);
  expectCacheable(endpoint, answer);
}

function expectCharged(endpoint: Endpoint, answer: Answer, used: number): void {
  const { access } = endpoint.spec;
  const bucket = bucketOf(access, outcomeFor(classOf(access), admittedKind(endpoint)));
  if (bucket === null) expect(rateOf(answer)).toBeNull();
  else expectBudgetHeaders(answer, bucket, used);
}

/** A read has a version and says who may keep it; a write and a stream are not kept. */
function expectCacheable(endpoint: Endpoint, { headers }: Answer): void {
  const { method, access, streams } = endpoint.spec;
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
  if (isMadeAnew(endpoint)) {
    expect(headers.get('Cache-Control')).toContain('no-store');
    expect(headers.get('ETag')).toBeNull();
    return;
  }
  const audience = ['open', 'public', 'address'].includes(classOf(access)) ? 'public' : 'private';
  expect(headers.get('Cache-Control')).toMatch(new RegExp(`^${audience}, (?:no-cache|max-age=[1-9]\\d*)(?:, |$)`));
  expect(headers.get('ETag')).toMatch(/^(?:W\/)?"[!#-~]+"$/);
}

describe.each(named(ENDPOINTS))('$title', ({ endpoint }) => {
  it('returns a documented response for valid input', async () => {
    expectSuccess(endpoint, await callValid(endpoint), 1);
  });

  const optional = operationOf(endpoint).parameters.filter(({ required }) => !required);
  it.each(optional)('accepts the documented example of $name', async ({ name }) => {
    expectSuccess(endpoint, await callValid(endpoint, {}, [name]), 1);
  });

  it('echoes a well-formed request id and replaces any other', async () => {
    for (const { id, isWellFormed } of shareOf(ENDPOINTS.indexOf(endpoint), REQUEST_IDS)) {
      const echoed = (await callValid(endpoint, { headers: { 'X-Request-ID': id } })).headers.get('X-Request-ID');
      if (isWellFormed) expect(echoed).toBe(id);
      else expect(echoed).toMatch(NEW_ID);
    }
  });
});

describe.each(named(READS))('conditional request: $title', ({ endpoint }) => {
  it('returns 304 for a current ETag and charges one request', async () => {
    for (const form of shareOf(ENDPOINTS.indexOf(endpoint), MATCHING_FORMS)) {
      // Each in windows of its own: an account has five exports an hour.
      const now = freshInstant();
      const full = await callValid(endpoint, { now });
      const header = form(full.headers.get('ETag') ?? '');
      const answer = await callValid(endpoint, { now, headers: { 'If-None-Match': header } });
      expect(answer.status, header).toBe(304);
      expect(answer.bytes.byteLength).toBe(0);
      expect(answer.headers.get('Content-Type')).toBeNull();
      for (const name of ['ETag', 'Cache-Control']) expect(answer.headers.get(name)).toBe(full.headers.get(name));
      expectSurfaceHeaders(endpoint, answer);
      expectCharged(endpoint, answer, 2);
      expectDocumented(endpoint, answer);
    }
  });

  it('returns 200 with the body for another ETag', async () => {
    const now = freshInstant();
    const full = await callValid(endpoint, { now });
    const opaque = opaqueOf(full.headers.get('ETag') ?? '');
    for (const form of shareOf(ENDPOINTS.indexOf(endpoint), OTHER_FORMS)) {
      const header = form(opaque);
      const answer = await callValid(endpoint, { now, headers: { 'If-None-Match': header } });
      expect(answer.status, header).toBe(full.status);
      expect(answer.text).toBe(full.text);
    }
  });

  it('returns the same headers without a body for HEAD', async () => {
    const now = freshInstant();
    const headers = { 'X-Request-ID': 'same' };
    const full = await callValid(endpoint, { now, headers });
    const head = await callValid(endpoint, { now, headers, method: 'HEAD' });
    expect(head.bytes.byteLength).toBe(0);
    expect(head.status).toBe(full.status);
    expectCharged(endpoint, head, 2);
    const comparable = (answer: Answer) => [...answer.headers].filter(([name]) => !/^(?:x-)?ratelimit|^content-length$/.test(name));
    expect(comparable(head)).toEqual(comparable(full));
  });
});
