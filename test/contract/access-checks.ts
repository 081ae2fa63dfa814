import { expect } from 'vitest';
import { type Access, type ChargeRule, type RateLimitGroup, STANDARD_GROUP, type Way } from '../../src/platform/access/policy/policy.ts';
import type { Scope } from '../../src/platform/access/policy/scopes.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import type { ErrorCode } from '../../src/platform/kit/errors/api-error.ts';
import { DEFAULT_SETTINGS } from '../support/declarations.ts';
import { ENDPOINTS } from '../support/endpoints.ts';
import { PIXEL_PNG } from '../support/pixel.data.ts';
import { call, HOME_ADDRESS, nextInstant, type TestResponse } from '../support/requests.ts';
import type { SampleRequest } from '../support/samples.ts';
import { CREDENTIALS, type CredentialName, DECISIONS, WAYS, type WayName } from './access-table.data.ts';
import type { Credential } from './credentials.ts';
import { OF_KINDS, RATE_LIMITS, type RateLimitName } from './declarations.data.ts';
import { plainRequest, validRequest } from './inputs.ts';
import { rateOf, ratesOf } from './responses.ts';

/** What a request with a credential gets. `charges`: all limits that count it. `shown`: those that the headers of the response have. */
export interface Outcome {
  status: 'success' | 401 | 403;
  code: ErrorCode | null;
  charges: readonly RateLimitName[];
  shown: readonly RateLimitName[];
}

/** The group of rate limits that the row of an endpoint takes as its argument. */
export function groupOf(access: Access): RateLimitGroup | null {
  return 'rateLimit' in access && access.rateLimit !== undefined && 'multiplierOf' in access.rateLimit ? access.rateLimit : null;
}

/** A row of access in the words of `ROWS`. */
export function textOf(access: Access): string {
  return access.ways.map((way) => wayText(way, access)).join(' | ');
}

function wayText(way: Way, access: Access): string {
  const charges = way.charges.map((charge) => chargeText(charge, access));
  if (way.later) charges.push(`later ${chargeText(way.later, access)}`);
  const isOptional = way.isOpen ? ' at times' : '';
  return `${requirementText(way, access)}${isOptional}${charges.length > 0 ? `: ${charges.join(', ')}` : ''}`;
}

function requirementText(way: Way, access: Access): string {
  if (way.credential === 'session') return `session ${way.requires}`;
  if (way.credential !== 'token') return way.credential;
  if (typeof way.requires === 'string') return `token ${way.requires}`;
  const scopes = way.requires(new URLSearchParams());
  return `token ${'scope' in access && String(scopes) === access.scope ? 'scope' : scopes.join(' ')}`;
}

function chargeText(charge: ChargeRule, access: Access): string {
  if ('group' in charge) {
    if (charge.group === groupOf(access)) return `${charge.of} group`;
    return `${charge.of} ${charge.group === STANDARD_GROUP ? 'standard' : 'own'}`;
  }
  const { of, rule, countsAccepted, shown } = charge;
  const name = OF_KINDS.includes(rule.name) ? rule.name : 'own';
  const shownText = shown === 'never' ? ' hidden' : shown === undefined ? '' : ` ${shown}`;
  return `${of} ${name}${countsAccepted ? ' if accepted' : ''}${shownText}`;
}

/** The row of `WAYS` of a way. */
function wayNameOf(way: Way, isLast: boolean): WayName {
  if (way.credential === 'session') return `session ${way.requires}`;
  if (way.credential !== 'token') return way.credential;
  if (typeof way.requires === 'string') return `token ${way.requires}`;
  return isLast ? 'token scope' : 'token scope, or none';
}

/** What a request with a credential gets at an endpoint: the decision of the first way whose credential the request has. */
export function outcomeFor({ ways }: Access, name: CredentialName): Outcome {
  const open = ways.filter(({ isOpen }) => isOpen?.({ settings: DEFAULT_SETTINGS, authorization: null }) ?? true);
  for (const way of open) {
    const decision = WAYS[wayNameOf(way, way === open.at(-1))][name];
    if (decision !== 'pass') return outcomeOf(way, DECISIONS[decision]);
  }
  return outcomeOf(undefined, DECISIONS.unauthenticated);
}

function outcomeOf(way: Way | undefined, { status, code, charged }: (typeof DECISIONS)[keyof typeof DECISIONS]): Outcome {
  const charges = charged === 'none' ? [] : (way?.charges.slice(0, charged === 'first' ? 1 : undefined) ?? []);
  const shown = charges.filter(isShown);
  return { status, code, charges: charges.map(nameOfCharge), shown: shown.map(nameOfCharge) };
}

const isShown = (charge: ChargeRule) => 'group' in charge || charge.shown === undefined;

/** The name of the limit of a charge in the headers. */
function nameOfCharge(charge: ChargeRule): RateLimitName {
  if ('rule' in charge) return rateLimitNamed(charge.rule.name);
  // Groups use the standard rate limits while their multipliers are 1.
  const { name, isAlwaysSeparate, multiplierOf } = charge.group;
  const isApart = isAlwaysSeparate || multiplierOf(DEFAULT_SETTINGS) !== 1;
  return rateLimitNamed(`${charge.of === 'address' ? 'anon' : 'token'}${isApart ? `-${name}` : ''}`);
}

/** The limits of the headers that a handler may charge for the work of a request. */
export function laterLimitsOf({ ways }: Access): RateLimitName[] {
  return ways.flatMap(({ later }) => (later && isShown(later) ? [nameOfCharge(later)] : []));
}

/** Operations that recognise the text of an image, which takes longer than many requests. */
const RECOGNITIONS: readonly string[] = ['readCharacterSheet', 'readSheetOfAccount', 'readSheetOfVisitor'];

/** A valid request of an endpoint, whose image has no text. */
export async function requestWithoutText(endpoint: Endpoint, now = nextInstant()): Promise<SampleRequest> {
  if (!RECOGNITIONS.includes(endpoint.spec.operationId)) return validRequest(endpoint, [], now);
  const body = new FormData();
  body.append('file', new File([Buffer.from(PIXEL_PNG, 'base64')], 'pixel.png', { type: 'image/png' }));
  return { ...plainRequest(endpoint), options: { method: 'POST', body } };
}

/** The rate limits that the document states for an endpoint: those of a token, a project key, and clients without a credential. */
export function rateLimitsOfPrograms({ ways }: Access): Record<string, unknown> | undefined {
  const stated = (charge: ChargeRule) => {
    const name = nameOfCharge(charge);
    const { limit, windowSeconds } = RATE_LIMITS[name];
    const key = 'rule' in charge ? name : charge.of === 'token' ? 'token' : 'anonymous';
    return [key, { limit, window_seconds: windowSeconds }] as const;
  };
  const always = ways.filter(({ credential, isOpen }) => ['token', 'project key', 'none'].includes(credential) && !isOpen);
  const limits: Record<string, unknown> = Object.fromEntries(always.flatMap(({ charges }) => charges.map(stated)));
  const computed = always.flatMap(({ later }) => (later && 'group' in later ? [stated(later)] : []));
  if (computed.length > 0) limits.computed = Object.fromEntries(computed);
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** The scope a token needs for the endpoint; an arbitrary one if scopes are not checked. */
export function scopeOf(access: Access): Scope {
  return 'scope' in access ? access.scope : 'rotations:read';
}

/** Credentials in the order in which the suites prefer them. */
const PREFERRED: readonly CredentialName[] = [
  'scope_ip_ok',
  'superuser_ip_ok',
  'session_of_ordinary_user',
  'session_of_superuser',
  'project_key',
];

/** A kind of credential that an endpoint accepts. */
export function admittedName(access: Access): CredentialName {
  const found = PREFERRED.find((name) => outcomeFor(access, name).status === 'success');
  if (!found) throw new Error(`no credential is admitted by: ${textOf(access)}`);
  return found;
}

/** Whether credentials are ignored. */
export function ignoresCredentials(access: Access): boolean {
  return CREDENTIALS.every((name) => outcomeFor(access, name).status === 'success');
}

/** Whether accepted requests of the endpoint are in no rate limit of the headers. */
export function isUncounted({ spec: { access } }: Endpoint): boolean {
  return outcomeFor(access, admittedName(access)).shown.length === 0;
}

/** A rate limit of the table by name. */
export function rateLimitNamed(name: string): RateLimitName {
  if (!Object.hasOwn(RATE_LIMITS, name)) throw new Error(`rate limit not found in the table: ${name}`);
  return name as RateLimitName;
}

/** The longest window of some limits, in seconds; 0 without limits. */
export function longestWindowOf(limits: readonly RateLimitName[]): number {
  return Math.max(0, ...limits.map((name) => RATE_LIMITS[name].windowSeconds));
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

/** Expects headers that report `used` requests in each of the limits of an outcome, and in no other but those of work. */
export function expectShown(response: TestResponse, { shown }: Outcome, used: number, access: Access): void {
  for (const bucket of shown) expectRateLimitHeaders(response, bucket, used);
  const later: readonly string[] = laterLimitsOf(access);
  const names = ratesOf(response).map(({ name }) => name);
  expect(names.filter((name) => !later.includes(name))).toEqual(shown);
}

/** The cheapest endpoint to call many times: a GET if possible. */
export function cheapestOf(endpoints: readonly Endpoint[]): Endpoint | undefined {
  const reads = endpoints.filter(({ spec }) => spec.method === 'get' && spec.surface !== 'page');
  return endpoints.find(({ spec }) => spec.operationId === 'getServerTime') ?? reads.at(-1) ?? endpoints.at(-1);
}

/** Whether an endpoint admits any client, and a token on its own limit. */
export const isPublic = (access: Access) => outcomeFor(access, 'none').charges.some((name) => name.startsWith('anon'));

/** Endpoints whose responses report the anonymous rate limits; each read counts as one request. */
const GAUGES = (['anon', 'anon-codexes'] as const).flatMap((bucket) => {
  const candidates = ENDPOINTS.filter(({ spec }) => {
    const isSimple = spec.method === 'get' && spec.params === undefined && isPublic(spec.access);
    return isSimple && outcomeFor(spec.access, 'none').charges[0] === bucket;
  });
  const gauge = cheapestOf(candidates);
  return gauge ? [{ bucket, gauge }] : [];
});

/** Requests of an address by bucket. Counts each read as well. */
async function usedOfAddress(address: string, now: number): Promise<Record<string, number>> {
  const used: Record<string, number> = {};
  for (const { bucket, gauge } of GAUGES) {
    const rate = rateOf(await call(plainRequest(gauge).path, { address, now }));
    used[bucket] = RATE_LIMITS[bucket].limit - (rate?.remaining ?? Number.NaN) - 1;
  }
  return used;
}

/** Requests of a valid token by bucket. */
async function usedOfToken(authorization: string | null, now: number): Promise<Record<string, number>> {
  const { text } = await call('/v1/token', { authorization, address: HOME_ADDRESS, now });
  const { budgets } = JSON.parse(text) as { budgets: { name: 'token' | 'codexes'; limit: number; remaining: number }[] };
  return Object.fromEntries(budgets.map(({ name, limit, remaining }) => [name === 'token' ? 'token' : 'token-codexes', limit - remaining]));
}

/** Counted requests by bucket: of the address, and of the token if it is valid. */
export async function usedRateLimits({ authorization, address, isValidToken }: Credential, now: number): Promise<Record<string, number>> {
  const used = await usedOfAddress(address, now);
  return isValidToken ? { ...used, ...(await usedOfToken(authorization, now)) } : used;
}

/** Expects that no request of the credentials was counted at an instant, by `usedRateLimits` of all of them. */
export async function expectUncounted(credentials: readonly Credential[], now: number): Promise<void> {
  for (const { authorization } of credentials.filter(({ isValidToken }) => isValidToken))
    expect(await usedOfToken(authorization, now)).toEqual({ token: 0, 'token-codexes': 0 });
  for (const address of new Set(credentials.map((credential) => credential.address)))
    expect(await usedOfAddress(address, now)).toEqual(onlyUsed([], 0, { isValidToken: false }));
}

/** Result of `usedRateLimits` with `count` requests in each of the limits and none in the others. */
export function onlyUsed(
  limits: readonly RateLimitName[],
  count: number,
  { isValidToken }: Pick<Credential, 'isValidToken'>,
): Record<string, number> {
  const names = [...GAUGES.map((gauge) => gauge.bucket), ...(isValidToken ? (['token', 'token-codexes'] as const) : [])];
  return Object.fromEntries(names.map((name) => [name, limits.includes(name) ? count : 0]));
}
