import { expect } from 'vitest';
import type { Access } from '../../src/platform/access/policy/policy.ts';
import type { Scope } from '../../src/platform/access/policy/scopes.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { DEFAULT_SETTINGS } from '../support/declarations.ts';
import { ENDPOINTS } from '../support/endpoints.ts';
import { type Answer, call, HOME_ADDRESS } from '../support/requests.ts';
import { BUDGETS, type BudgetName, type EndpointClass, type Outcome } from './access-table.data.ts';
import { rateOf } from './answers.ts';
import type { Credential } from './credentials.ts';
import { plainRequest } from './inputs.ts';

/** The class of an endpoint; a new kind of access does not compile until it is given one. */
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
      return kind;
    case 'page':
      return 'open';
    case 'tokenless':
      return 'public';
    case 'any-token':
      return 'any_token';
  }
}

/** The scope a token needs for the endpoint; any will do where scopes are not looked at. */
export function scopeOf(access: Access): Scope {
  return 'scope' in access ? access.scope : 'rotations:read';
}

/** Whether requests of the endpoint are counted nowhere. */
export function isUncounted({ spec }: Endpoint): boolean {
  const endpointClass = classOf(spec.access);
  return endpointClass === 'open' || endpointClass === 'any_token';
}

/** A budget of the table by its name. */
function stated(name: string): BudgetName {
  if (!Object.hasOwn(BUDGETS, name)) throw new Error(`the table has no rate limit ${name}`);
  return name as BudgetName;
}

/** The bucket in which a request with this outcome is counted. */
export function bucketOf(access: Access, { charges, status }: Outcome): BudgetName | null {
  if (access.kind === 'session' && status === 'success') return stated(access.budget?.name ?? 'session');
  if (charges === null || charges === 'feedback') return charges;
  if (access.kind === 'address') return stated(access.budget.name);
  // Groups share the standard buckets while their multipliers are 1.
  const isApart = 'scope' in access && (access.budget.isAlwaysSeparate || access.budget.multiplierOf(DEFAULT_SETTINGS) !== 1);
  const group = isApart ? `-${access.budget.name}` : '';
  return stated(`${charges === 'anonymous' ? 'anon' : 'token'}${group}`);
}

/** First second after the window of the budget that holds `now`. */
export function resetAfter(budget: BudgetName, now: number): number {
  const { windowSeconds } = BUDGETS[budget];
  return Math.floor(now / windowSeconds) * windowSeconds + windowSeconds;
}

/** The headers tell that so many requests were counted in this bucket. */
export function expectBudgetHeaders(answer: Answer, bucket: BudgetName, used: number): void {
  const { limit, windowSeconds } = BUDGETS[bucket];
  expect(rateOf(answer)).toEqual({
    name: bucket,
    limit,
    remaining: Math.max(0, limit - used),
    reset: resetAfter(bucket, answer.now),
    windowSeconds,
  });
}

/** The endpoint that costs least to call many times, as far as that is known. */
export function cheapestOf(endpoints: readonly Endpoint[]): Endpoint | undefined {
  const reads = endpoints.filter(({ spec }) => spec.method === 'get' && spec.surface !== 'page');
  return endpoints.find(({ spec }) => spec.operationId === 'getServerTime') ?? reads.at(-1) ?? endpoints.at(-1);
}

/** Endpoints that show what is left of the anonymous buckets, at the price of one request. */
const GAUGES = (['anon', 'anon-codexes'] as const).flatMap((bucket) => {
  const candidates = ENDPOINTS.filter(({ spec }) => {
    const isSimple = spec.method === 'get' && spec.params === undefined && classOf(spec.access) === 'public';
    return isSimple && bucketOf(spec.access, { status: 'success', code: null, charges: 'anonymous' }) === bucket;
  });
  const gauge = cheapestOf(candidates);
  return gauge ? [{ bucket, gauge }] : [];
});

/** Requests counted so far, by bucket: of the address, and of the token when it is one that can be asked. */
export async function usedBudgets({ authorization, address, isValidToken }: Credential, now: number): Promise<Record<string, number>> {
  const used: Record<string, number> = {};
  for (const { bucket, gauge } of GAUGES) {
    const rate = rateOf(await call(plainRequest(gauge).path, { address, now }));
    used[bucket] = BUDGETS[bucket].limit - (rate?.remaining ?? Number.NaN) - 1;
  }
  if (isValidToken) {
    const { text } = await call('/v1/token', { authorization, address: HOME_ADDRESS, now });
    const { budgets } = JSON.parse(text) as { budgets: { name: 'token' | 'codexes'; limit: number; remaining: number }[] };
    for (const { name, limit, remaining } of budgets) used[name === 'token' ? 'token' : 'token-codexes'] = limit - remaining;
  }
  return used;
}

/** Nothing counted but so many requests in one bucket, in the form of `usedBudgets`. */
export function onlyUsed(bucket: BudgetName | null, count: number, { isValidToken }: Credential): Record<string, number> {
  const names: string[] = [...GAUGES.map((gauge) => gauge.bucket), ...(isValidToken ? ['token', 'token-codexes'] : [])];
  return Object.fromEntries(names.map((name) => [name, name === bucket ? count : 0]));
}
