import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { ENDPOINTS } from '../support/endpoints.ts';
import { type Answer, call, HOME_ADDRESS } from '../support/requests.ts';
import { onlyUsed, usedBudgets } from './access-checks.ts';
import { errorOf, rateOf } from './answers.ts';
import { expectApiHeaders } from './conformance-checks.ts';
import { plainRequest } from './inputs.ts';
import { shareOf } from './share.ts';
import './prepare.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const NOBODY = { authorization: null, address: HOME_ADDRESS, isValidToken: false };

/** Every registered path with a concrete address and its methods. */
const PATHS = [...Map.groupBy(ENDPOINTS, ({ spec }) => spec.path)].map(([template, endpoints]) => ({
  template,
  path: plainRequest(endpoints[0] as Endpoint).path,
  methods: METHODS.filter((method) => endpoints.some(({ spec }) => spec.method.toUpperCase() === method)),
  isPortal: endpoints.some(({ spec }) => spec.surface === 'portal'),
  hasHead: endpoints.some(({ spec }) => spec.method === 'get' && !spec.streams),
}));

/** Stands in for `it` where a rule does not apply. */
const never = () => {};

/** An answer for which no bucket was charged. */
async function expectFree(answer: Answer): Promise<void> {
  expect(rateOf(answer)).toBeNull();
  expect(await usedBudgets(NOBODY, answer.now)).toEqual(onlyUsed(null, 0, NOBODY));
}

function allowOf({ headers }: Answer): string[] {
  return (headers.get('Allow') ?? '').split(', ').sort();
}

describe.each(PATHS.map((at, place) => ({ ...at, place })))('$template', ({ path, methods, hasHead, isPortal, place }) => {
  const allowed = [...methods, 'OPTIONS', ...(hasHead ? ['HEAD'] : [])].sort();

  const others = METHODS.filter((method) => !methods.includes(method));
  it.each(shareOf(place, others))('returns 405 with Allow for %s', async (method) => {
    const answer = await call(path, { method });
    expect(answer.status).toBe(405);
    expect(errorOf(answer).code).toBe('method_not_allowed');
    expect(allowOf(answer)).toEqual(allowed);
    expectApiHeaders(answer);
    await expectFree(answer);
  });

  it('supports HEAD only with a GET that is not a stream', async () => {
    const answer = await call(path, { method: 'HEAD' });
    expect(answer.bytes.byteLength).toBe(0);
    expect(answer.status === 405).toBe(!hasHead);
  });

  const preflight = { Origin: 'https://app.example', 'Access-Control-Request-Method': methods[0] ?? 'GET' };

  (isPortal ? it : never)('grants nothing to a preflight, as it is not for other origins', async () => {
    const answer = await call(path, { method: 'OPTIONS', headers: preflight });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    await expectFree(answer);
  });

  (isPortal ? never : it)('does not charge a CORS preflight', async () => {
    const answer = await call(path, { method: 'OPTIONS', headers: preflight });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const allowedMethods = answer.headers.get('Access-Control-Allow-Methods')?.split(', ');
    expect(allowedMethods).toEqual(expect.arrayContaining(allowed));
    expect(answer.headers.get('Access-Control-Allow-Headers')?.toLowerCase().split(', ').sort()).toEqual([
      'authorization',
      'content-type',
      'idempotency-key',
      'if-modified-since',
      'if-none-match',
      'last-event-id',
      'range',
      'x-request-id',
    ]);
    expect(Number(answer.headers.get('Access-Control-Max-Age'))).toBeGreaterThan(0);
    await expectFree(answer);
  });

  it('returns Allow for OPTIONS without CORS headers', async () => {
    const answer = await call(path, { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(allowOf(answer)).toEqual(allowed);
    await expectFree(answer);
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
      const answer = await call(request.path, { method: request.method, authorization: 'Bearer broken' });
      expect(answer.status).toBe(404);
      expect(errorOf(answer).code).toBe('not_found');
      expectApiHeaders(answer);
      expect(answer.headers.get('Allow')).toBeNull();
      await expectFree(answer);
    },
  );
});
