import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { ALLOWED_REQUEST_HEADERS } from '../../src/platform/http/replies/request-headers.data.ts';
import { call, HOME_ADDRESS, type TestResponse } from '../support/requests.ts';
import { onlyUsed, usedRateLimits } from './access-checks.ts';
import { expectApiHeaders, isRead } from './conformance-checks.ts';
import { plainRequest } from './inputs.ts';
import { prepare } from './prepare.ts';
import { errorOf, rateOf } from './responses.ts';
import { IS_LONG_RUN, shareOf } from './share.ts';
import { TESTED } from './tested.ts';

await prepare();

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const NOBODY = { authorization: null, address: HOME_ADDRESS, isValidToken: false };

/** Every registered path template with an example path and its methods. */
const PATHS = [...Map.groupBy(TESTED, ({ spec }) => spec.path)].map(([template, endpoints]) => ({
  template,
  path: plainRequest(endpoints[0] as Endpoint).path,
  methods: METHODS.filter((method) => endpoints.some(({ spec }) => spec.method.toUpperCase() === method)),
  isPortal: endpoints.some(({ spec }) => spec.surface === 'portal'),
  hasHead: endpoints.some(({ spec }) => spec.method === 'get' && !spec.streams),
  isHeadTested: endpoints.some(isRead),
}));

/** Replaces `it` if a rule does not apply. */
const never = () => {};

/** One path in so many reads the counts after its requests, which takes two requests each; all in `npm run test:long`. */
const COUNTED_PATHS = 12;

/** Expects that the request was not counted: by its headers, and for some paths by the counts. */
async function expectNotCounted(response: TestResponse, place = 0): Promise<void> {
  expect(rateOf(response)).toBeNull();
  if (!IS_LONG_RUN && place % COUNTED_PATHS !== 0) return;
  expect(await usedRateLimits(NOBODY, response.now)).toEqual(onlyUsed([], 0, NOBODY));
}

function allowOf({ headers }: TestResponse): string[] {
  return (headers.get('Allow') ?? '').split(', ').sort();
}

describe.each(PATHS.map((at, place) => ({ ...at, place })))('$template', ({ path, methods, hasHead, isHeadTested, isPortal, place }) => {
  const allowed = [...methods, 'OPTIONS', ...(hasHead ? ['HEAD'] : [])].sort();

  const others = METHODS.filter((method) => !methods.includes(method));
  it.each(shareOf(place, others))('returns 405 with Allow for %s', async (method) => {
    const response = await call(path, { method });
    expect(response.status).toBe(405);
    expect(errorOf(response).code).toBe('method_not_allowed');
    expect(allowOf(response)).toEqual(allowed);
    expectApiHeaders(response);
    await expectNotCounted(response, place);
  });

  // The operations suite sends a valid HEAD to every other path.
  (isHeadTested ? never : it)('supports HEAD only with a GET that is not a stream', async () => {
    const response = await call(path, { method: 'HEAD' });
    expect(response.bytes.byteLength).toBe(0);
    expect(response.status === 405).toBe(!hasHead);
  });

  const preflight = { Origin: 'https://app.example', 'Access-Control-Request-Method': methods[0] ?? 'GET' };

  (isPortal ? it : never)('returns no CORS headers to a preflight', async () => {
    const response = await call(path, { method: 'OPTIONS', headers: preflight });
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    await expectNotCounted(response, place);
  });

  (isPortal ? never : it)('allows a CORS preflight without counting it', async () => {
    const response = await call(path, { method: 'OPTIONS', headers: preflight });
    expect(response.status).toBe(204);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const allowedMethods = response.headers.get('Access-Control-Allow-Methods')?.split(', ');
    expect(allowedMethods).toEqual(expect.arrayContaining(allowed));
    expect(response.headers.get('Access-Control-Allow-Headers')?.split(', ')).toEqual(ALLOWED_REQUEST_HEADERS);
    expect(Number(response.headers.get('Access-Control-Max-Age'))).toBeGreaterThan(0);
    await expectNotCounted(response, place);
  });

  it('returns Allow for OPTIONS without CORS headers', async () => {
    const response = await call(path, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(allowOf(response)).toEqual(allowed);
    await expectNotCounted(response, place);
  });
});

describe('an unknown path', () => {
  const paths = [
    '/v1',
    '/v1/',
    '/v2/rotations/server-time',
    '/v1/rotations/server-time/',
    '/V1/rotations/server-time',
    '/v1/%00',
    '/apple-touch-icon.png',
  ];

  it.each(paths.flatMap((path) => METHODS.map((method) => ({ path, method }))))(
    'returns 404 in the error envelope for $method $path',
    async (request) => {
      const response = await call(request.path, { method: request.method, authorization: 'Bearer broken' });
      expect(response.status).toBe(404);
      expect(errorOf(response).code).toBe('not_found');
      expectApiHeaders(response);
      expect(response.headers.get('Allow')).toBeNull();
      await expectNotCounted(response);
    },
  );
});
