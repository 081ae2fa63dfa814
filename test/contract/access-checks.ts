import { expect } from 'vitest';
import type { Access } from '../../src/platform/access/policy/policy.ts';
import type { Scope } from '../../src/platform/access/policy/scopes.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { DEFAULT_SETTINGS } from '../support/declarations.ts';
import { ENDPOINTS } from '../support/endpoints.ts';
import { call, HOME_ADDRESS, type TestResponse } from '../support/requests.ts';
import { type EndpointClass, type Outcome, RATE_LIMITS, type RateLimitName } from './access-table.data.ts';
import type { Credential } from './credentials.ts';
import { plainRequest } from './inputs.ts';
import { rateOf, ratesOf } from './responses.ts';

/** The class of an endpoint. A new kind of access does not compile without a class. */
export function classOf({ kind }: Access): EndpointClass {
  switch (kind) {
    case 'open':
    case 'token':
    case 'master':
    case 'admin':
    case 'public':
    case 'feedback':
    case 'session':
    case 'address':
    case 'project':
      return kind;
    case 'page':
      return 'open';
    case 'tokenless':
      return 'public';
    case 'any-token':
      return 'any_token';
    case 'optional-token':
      return 'optional_token';
  }
}

/** The scope a token needs for the endpoint; an arbitrary one if scopes are not checked. */
export function scopeOf(access: Access): Scope {
  return 'scope' in access ? access.scope : 'rotations:read';
}

/** Whether requests of the endpoint are not counted. */
export function isUncounted({ spec }: Endpoint): boolean {
  const endpointClass = classOf(spec.access);
  return endpointClass === 'open' || endpointClass === 'any_token';
}

/** A rate limit of the table by name. */
export function rateLimitNamed(name: string): RateLimitName {
  if (!Object.hasOwn(RATE_LIMITS, name)) throw new Error(`rate limit not found in the table: ${name}`);
  return name as RateLimitName;
}

/** The rate limit in which a request with this outcome is counted. */
export function bucketOf(access: Access, { charges, status }: Outcome): RateLimitName | null {
  if (access.kind === 'session' && status === 'success') return rateLimitNamed(access.rateLimit?.name ?? 'session');
  if (charges === null) return null;
  if (access.kind === 'feedback') return rateLimitNamed(access.rateLimit.name);
  if (charges === 'project-key' || charges === 'session') return charges;
  if (access.kind === 'address') return rateLimitNamed(access.rateLimit.name);
  // Groups use the standard rate limits while their multipliers are 1.
  const hasGroup = 'scope' in access || access.kind === 'optional-token';
  const isApart = hasGroup && (access.rateLimit.isAlwaysSeparate || access.rateLimit.multiplierOf(DEFAULT_SETTINGS) !== 1);
  const group = isApart ? `-${access.rateLimit.name}` : '';
  return rateLimitNamed(`${charges === 'anonymous' ? 'anon' : 'token'}${group}`);
}

/** End of the rate limit window that contains `now`. */
export function resetAfter(rateLimit: RateLimitName, now: number): number {
  const { windowSeconds } = RATE_LIMITS[rateLimit];
  return Math.floor(now / windowSeconds) * windowSeconds + windowSeconds;
}

/** Expects headers that report `used` requests in the bucket. `limit`: that of other settings. */
export function expectRateLimitHeaders(
  response: TestResponse,
  bucket: RateLimitName,
  used: number,
  limit: number = RATE_LIMITS[bucket].limit,
): void {
  const { windowSeconds } = RATE_LIMITS[bucket];
  expect(ratesOf(response)).toContainEqual({
    name: bucket,
    limit,
    remaining: Math.max(0, limit - used),
    reset: resetAfter(bucket, response.now),
    windowSeconds,
  });
}

/** The cheapest endpoint to call many times: a GET if possible. */
export function cheapestOf(endpoints: readonly Endpoint[]): Endpoint | undefined {
  const reads = endpoints.filter(({ spec }) => spec.method === 'get' && spec.surface !== 'page');
  return endpoints.find(({ spec }) => spec.operationId === 'getServerTime') ?? reads.at(-1) ?? endpoints.at(-1);
}

/** Endpoints whose responses report the anonymous rate limits; each read counts as one request. */
const GAUGES = (['anon', 'anon-codexes'] as const).flatMap((bucket) => {
  const candidates = ENDPOINTS.filter(({ spec }) => {
    const isSimple = spec.method === 'get' && spec.params === undefined && classOf(spec.access) === 'public';
    return isSimple && bucketOf(spec.access, { status: 'success', code: null, charges: 'anonymous' }) === bucket;
  });
  const gauge = cheapestOf(candidates);
  return gauge ? [{ bucket, gauge }] : [];
});

/** Counted requests by bucket: of the address, and of the token if it is valid. */
export async function usedRateLimits({ authorization, address, isValidToken }: Credential, now: number): Promise<Record<string, number>> {
  const used: Record<string, number> = {};
  for (const { bucket, gauge } of GAUGES) {
    const rate = rateOf(await call(plainRequest(gauge).path, { address, now }));
    used[bucket] = RATE_LIMITS[bucket].limit - (rate?.remaining ?? Number.NaN) - 1;
  }
  if (isValidToken) {
    const { text } = await call('/v1/token', { authorization, address: HOME_ADDRESS, now });
    const { budgets } = JSON.parse(text) as { budgets: { name: 'token' | 'codexes'; limit: number; remaining: number }[] };
    for (const { name, limit, remaining } of budgets) used[name === 'token' ? 'token' : 'token-codexes'] = limit - remaining;
  }
  return used;
}

/** Result of `usedRateLimits` with `count` requests in one bucket and none in the others. */
export function onlyUsed(bucket: RateLimitName | null, count: number, { isValidToken }: Credential): Record<string, number> {
  const names: string[] = [...GAUGES.map((gauge) => gauge.bucket), ...(isValidToken ? ['token', 'token-codexes'] : [])];
  return Object.fromEntries(names.map((name) => [name, name === bucket ? count : 0]));
}
