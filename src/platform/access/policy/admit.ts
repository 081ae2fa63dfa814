import { ApiError } from '../../kit/errors/api-error.ts';
import { SECONDS_PER_MINUTE, systemClock } from '../../kit/time/clock.ts';
import type { Settings } from '../../settings/settings.data.ts';
import type { BucketKey } from '../limits/rate-limiter.ts';
import { BlockedKeys, chargeOf, isRefused, type RateLimit } from '../limits/window.ts';
import { findPageSession, findSuperuser, requireSession } from '../sessions/session-admission.ts';
import type { TokenDemand } from '../tokens/token-decision.ts';
import type { TokenCaller } from '../tokens/token-gate.contract.ts';
import { addressBucket } from './addresses.ts';
import {
  type AccessContext,
  type AccessServices,
  type Admission,
  ANONYMOUS,
  type Caller,
  NOT_CHARGED,
  type Refusal,
  type Reserved,
  rateLimited,
  refusalOf,
} from './admission.ts';
import { missingToken, notAuthenticated, type PresentedToken, readCredential, tokenOf } from './credentials.ts';
import {
  type Access,
  type ChargeRule,
  type RateLimitGroup,
  type RuleCharge,
  STANDARD_GROUP,
  type StreamLimits,
  type TokenRequirement,
  type Way,
} from './policy.ts';
import { type RateLimits, rateLimitsFrom, reportedRateLimits } from './rate-limits.ts';
import type { SlotHolder } from './stream-slot.ts';

type Decision = Admission | Refusal;
/** An admitted token. */
type TokenAdmission = Admission & { caller: TokenCaller };

/** Maximum age of a cached refusal: a token that was revoked meanwhile must get 401 instead of 429. */
const TOKEN_BLOCK_MS = 1000;
/** Token lookups of an address that sent too many unknown tokens. */
const TOKEN_LOOKUPS: RateLimit = { name: 'token-lookup', limit: 1, windowSeconds: 1 };
const MASTER_ONLY = 'a superuser token is required';
const ADMIN_ONLY = 'a superuser token with every scope is required';

export interface AccessServicesDeps extends Omit<AccessServices, 'rateLimitsOf' | 'separateGroups' | 'blockedTokens'> {
  rateLimitGroups: readonly RateLimitGroup[];
  /** Multiplies every limit; 1 in production. */
  rateLimitScale: number;
}

export function createAccessServices({ rateLimitGroups, rateLimitScale, ...services }: AccessServicesDeps): AccessServices {
  let rateLimits: { settings: Settings; value: RateLimits } | null = null;
  return {
    ...services,
    rateLimitsOf(settings) {
      if (rateLimits?.settings !== settings) rateLimits = { settings, value: rateLimitsFrom(settings, rateLimitScale) };
      return rateLimits.value;
    },
    separateGroups: rateLimitGroups.filter((group) => group.isAlwaysSeparate),
    blockedTokens: new BlockedKeys(TOKEN_BLOCK_MS),
  };
}

/**
 * Decides on a request. The order of checks follows the specification. Throws the `ApiError` of a request that is refused before
 * anything was charged.
 */
export async function admit(access: Access, context: AccessContext): Promise<Decision> {
  const { ways } = access;
  const decision = await enter(ways, context);
  const hasLater = ways.some(({ later }) => later);
  if ('error' in decision || !(hasLater || context.streams)) return decision;
  return {
    ...decision,
    ...(hasLater && { chargeLater: () => enter(laterWays(ways), context) }),
    ...(context.streams && { slotHolder: slotHolderOf(ways, decision.caller, context.streams, context) }),
  };
}

/** The ways with a charge that the handler makes, with that charge alone. */
function laterWays(ways: readonly Way[]): Way[] {
  // The rows pair each credential with its kind of charge here too.
  return ways.flatMap(({ later, ...way }) => (later ? [{ ...way, charges: [later] } as Way] : []));
}

/** The decision of the first way whose credential the request has. The last way decides in every case. */
async function enter(ways: readonly Way[], context: AccessContext): Promise<Decision> {
  const open = ways.some(({ isOpen }) => isOpen) ? ways.filter(({ isOpen }) => isOpen?.(context) ?? true) : ways;
  const last = open.at(-1);
  for (const way of open) {
    const entered = enterBy(way, way === last, context);
    // Most requests have no token, and `await` costs more than reading that.
    const decision = entered && (await entered);
    if (decision) return decision;
  }
  throw new TypeError('the last way neither admitted nor refused the request');
}

/** Null: the request has no credential for this way, and the next one decides. */
function enterBy(way: Way, isLast: boolean, context: AccessContext): Promise<Decision | null> | Decision | null {
  switch (way.credential) {
    case 'none':
      return chargeAll(way.charges, ANONYMOUS, context);
    case 'token': {
      const token = isLast ? requirePresentedToken(context) : tokenOf(context);
      return token && enterByToken(way, token, isLast, context);
    }
    case 'described token':
      return enterByDescribedToken(way, context);
    case 'ignored token':
      return refuseInvalidToken(context);
    case 'session':
      return enterBySession(way, isLast, context);
    case 'superuser session':
      return findSuperuser(context);
    case 'cookie':
      return findPageSession(context);
    case 'project key':
      return enterByProjectKey(way, context);
  }
}

/** Makes the charges in their order, up to the first refusal. */
function chargeAll(rules: readonly ChargeRule[], admission: Admission, context: AccessContext): Promise<Decision> | Decision {
  return rules.length === 0 ? admission : chargeInOrder(rules, admission, context);
}

async function chargeInOrder(rules: readonly ChargeRule[], admission: Admission, context: AccessContext): Promise<Decision> {
  const { services, settings, now } = context;
  let charged = admission;
  for (const rule of rules) {
    if ('group' in rule && settings.shedAnonymousRequests) return { ...NOT_CHARGED, error: anonymousShed() };
    const { key, rateLimit } = counterOf(rule, charged.caller, context);
    const { countsAccepted = false, shown = 'always' } = 'rule' in rule ? rule : {};
    if (countsAccepted) {
      charged = { ...charged, reserve: () => reserve(key, rateLimit, shown === 'always', context) };
      continue;
    }
    const charge = await services.limiter.charge(key, rateLimit, now);
    if (isRefused(charge) && shown === 'never') return { ...charged, error: rateLimited(charge, now) };
    const refusal = refusalOf(charge, now, charged);
    if (refusal) return refusal;
    if (shown === 'always') charged = { ...charged, charges: [...charged.charges, charge] };
  }
  return charged;
}

/** The counter of a charge, and its limit. */
function counterOf(rule: ChargeRule, caller: Caller, context: AccessContext): { key: BucketKey; rateLimit: RateLimit } {
  const rateLimits = context.services.rateLimitsOf(context.settings);
  if ('group' in rule) {
    const { rateLimit, bucketPrefix } = rateLimits.anonymous(rule.group);
    return { rateLimit, key: addressBucket(bucketPrefix, context) };
  }
  const { counter = rule.rule.name } = rule;
  const rateLimit = rateLimits.of(rule.rule);
  if (rule.of === 'all') return { rateLimit, key: counter };
  return { rateLimit, key: rule.of === 'address' ? addressBucket(`${counter}:`, context) : `${counter}:${idOf(rule.of, caller)}` };
}

/** Id of the token or the account of an admitted client. */
function idOf(of: RuleCharge['of'], caller: Caller): string {
  if (of === 'token' && caller.kind === 'token') return caller.tokenId;
  if (of === 'account' && caller.kind === 'session') return caller.userId;
  throw new TypeError(`a client without ${of} cannot be charged for it`);
}

/** Refused without a counter, so the time of the next window is not known. */
const anonymousShed = () =>
  new ApiError('rate_limited', 'requests without a token are refused while the service is under load', {
    hint: 'send an API token, or retry later',
    headers: { 'Retry-After': String(SECONDS_PER_MINUTE) },
  });

/** Charges and checks a token in one call of its gate. Null: the request continues as if it had no token. */
async function askGate(
  token: PresentedToken,
  demand: TokenDemand,
  group: RateLimitGroup,
  context: AccessContext,
): Promise<TokenAdmission | Refusal | null> {
  const { services, settings, now } = context;
  const { rateLimit, counter } = services.rateLimitsOf(settings).token(group);
  const ofToken = { charges: [], tokenId: token.id };
  const blockKey = `${token.hash}:${counter}:${demand.kind}:${'scopes' in demand ? demand.scopes : ''}:${context.callerAddress}`;
  const cachedRefusal = services.blockedTokens.find(blockKey, rateLimit, now);
  if (cachedRefusal) return refusalOf(cachedRefusal, now, ofToken);
  const { limit, windowSeconds } = rateLimit;
  const { callerAddress } = context;
  const result = await services.gate.admit(token, { demand, callerAddress, now, counter, limit, windowSeconds });
  if (result.outcome === 'anonymous') return null;
  if (!('used' in result)) return refusalWithoutCharge(result.outcome, token, context);
  const charge = chargeOf(rateLimit, result.used, now);
  if (isRefused(charge)) services.blockedTokens.add(blockKey, charge);
  const charged = { charges: [charge], tokenId: token.id };
  if (isRefused(charge)) return { ...charged, error: rateLimited(charge, now) };
  if (result.outcome === 'insufficient_scope') return { ...charged, error: insufficientScope(demand, context) };
  if (result.outcome === 'forbidden') {
    return { ...charged, error: new ApiError('forbidden', demand.kind === 'admin' ? ADMIN_ONLY : MASTER_ONLY) };
  }
  return { ...charged, caller: result.caller };
}

type WayBy<Credential extends Way['credential']> = Extract<Way, { credential: Credential }>;

async function enterByToken(
  { requires, charges }: WayBy<'token'>,
  token: PresentedToken,
  isLast: boolean,
  context: AccessContext,
): Promise<Decision | null> {
  const [{ group }, ...more] = charges;
  const decision = await askGate(token, demandOf(requires, isLast, context), group, context);
  if (decision) return 'error' in decision ? decision : chargeAll(more, decision, context);
  if (isLast) throw notAuthenticated('unknown');
  return null;
}

/** What the gate checks. A token without the scopes is refused by the last way only. */
function demandOf(requires: TokenRequirement, isLast: boolean, { services, query }: AccessContext): TokenDemand {
  if (requires === 'superuser') return { kind: 'master' };
  if (requires === 'superuser with every scope') return { kind: 'admin' };
  return { kind: isLast ? 'token' : 'public', scopes: requires === 'nothing' ? 0 : services.scopes.maskOf(requires(query)) };
}

async function enterByDescribedToken({ charges }: WayBy<'described token'>, context: AccessContext): Promise<Decision> {
  const { services, settings, now } = context;
  const token = requirePresentedToken(context);
  const { key, rateLimit } = counterOf(charges[0], ANONYMOUS.caller, context);
  const cached = services.limiter.cachedRefusal(key, rateLimit, now);
  const cachedRefusal = cached && refusalOf(cached, now);
  if (cachedRefusal) return cachedRefusal;
  const reported = reportedRateLimits(services.rateLimitsOf(settings), services.separateGroups);
  const windows = Object.fromEntries(reported.map(({ counter, rateLimit: { windowSeconds } }) => [counter, windowSeconds]));
  // Both at once: the address must not add a hop to the gate. A refused address is refused from memory from the next request on.
  const [decision, result] = await Promise.all([
    chargeAll(charges, ANONYMOUS, context),
    services.gate.inspect(token, context.callerAddress, now, windows),
  ]);
  if ('error' in decision) return decision;
  if (!('self' in result)) return refusalWithoutCharge(result.outcome, token, context);
  const { used } = result.self;
  const remaining = reported.map(({ name, counter, rateLimit: limit }) => ({ name, charge: chargeOf(limit, used[counter] ?? 0, now) }));
  return { ...decision, tokenId: token.id, self: { ...result.self, rateLimits: remaining } };
}

/** Does not read allowlist and scopes of the token. */
async function refuseInvalidToken(context: AccessContext): Promise<Refusal | null> {
  const token = tokenOf(context);
  if (token === null) return null;
  const { outcome } = await context.services.gate.inspect(token, context.callerAddress, context.now, {});
  return outcome === 'admitted' || outcome === 'ip_not_allowed' ? null : refusalWithoutCharge(outcome, token, context);
}

async function enterBySession({ requires, charges }: WayBy<'session'>, isLast: boolean, context: AccessContext): Promise<Decision | null> {
  if (!isLast && readCredential(context.authorization).kind !== 'session') return null;
  const decision = await requireSession(requires, context);
  const [, ...more] = charges;
  return 'error' in decision ? decision : chargeAll(more, decision, context);
}

/** A genuine key that has ended gets 403, like one from an address off its allowlist; every other credential gets 401. */
async function enterByProjectKey({ charges: [{ rule }] }: WayBy<'project key'>, context: AccessContext): Promise<Decision> {
  const { services, settings, now, callerAddress } = context;
  const key = tokenOf(context, 'project key');
  if (key === null) throw missingToken(context);
  // By id and before the lookup: a client with a wrong secret costs at most this many reads.
  const charge = await services.limiter.charge(`${rule.name}:${key.id}`, services.rateLimitsOf(settings).of(rule), now);
  const refusal = refusalOf(charge, now);
  if (refusal) return refusal;
  const charged = { charges: [charge], tokenId: null };
  const found = await services.projectKeys.find(key, callerAddress, now);
  if (typeof found !== 'string') return { ...charged, caller: found };
  if (found === 'unknown') return { ...NOT_CHARGED, error: notAuthenticated('unknown') };
  const hint = 'create another key on the page of the project in the developer portal';
  if (found === 'ended') return { ...charged, error: new ApiError('forbidden', 'the project key has ended', { hint }) };
  return { ...charged, error: new ApiError('ip_not_allowed', 'the IP address is not on the allowlist of the project key') };
}

/** Reserves one request of a rate limit that counts accepted requests. `isShown`: whether the headers of every response show it. */
async function reserve(
  key: BucketKey,
  rateLimit: RateLimit,
  isShown: boolean,
  { services, now }: AccessContext,
): Promise<Reserved | Refusal> {
  const { charge, settle } = await services.limiter.reserve(key, rateLimit, now);
  const charged = isShown ? { charges: [charge], tokenId: null } : NOT_CHARGED;
  const end = async (counts: boolean) => {
    await settle(counts);
    return counts || !isShown ? charged : { ...charged, charges: [{ ...charge, used: charge.used - 1 }] };
  };
  return refusalOf(charge, now) ?? { ...charged, settle: end };
}

function requirePresentedToken(context: AccessContext): PresentedToken {
  const token = tokenOf(context);
  if (token === null) throw missingToken(context);
  return token;
}

/** The object that counts the open streams of a client: the gate of the token, or the object of the address. */
function slotHolderOf(ways: readonly Way[], caller: Caller, limitsOf: StreamLimits, context: AccessContext): SlotHolder {
  const { services, settings, now } = context;
  const { anonymous, scaled } = services.rateLimitsOf(settings);
  const limits = limitsOf(settings);
  if (caller.kind === 'token') {
    return { kind: 'token', tokenId: caller.tokenId, limit: scaled(limits.token), clockOffset: now - systemClock() };
  }
  const [charge] = ways.at(-1)?.charges ?? [];
  const { bucketPrefix } = anonymous(charge && 'group' in charge ? charge.group : STANDARD_GROUP);
  return { kind: 'address', key: addressBucket(bucketPrefix, context), limit: scaled(limits.address) };
}

/** The refusal of a token by its gate before it was charged. Only a genuine token is named in the usage statistics. */
function refusalWithoutCharge(
  outcome: 'unauthenticated' | 'expired' | 'ip_not_allowed' | 'lookups_exhausted',
  token: PresentedToken,
  { now }: AccessContext,
): Refusal {
  if (outcome === 'lookups_exhausted') {
    // The token may be valid but cannot be looked up before the next second: see `createTokenGate`.
    const charge = chargeOf(TOKEN_LOOKUPS, TOKEN_LOOKUPS.limit + 1, now);
    return { charges: [charge], tokenId: null, error: rateLimited(charge, now, 'too many unknown tokens from this IP address') };
  }
  if (outcome === 'ip_not_allowed') {
    const error = new ApiError('ip_not_allowed', 'the IP address is not on the allowlist of the token');
    return { charges: [], tokenId: token.id, error };
  }
  return { ...NOT_CHARGED, error: notAuthenticated(outcome === 'expired' ? 'expired' : 'unknown') };
}

function insufficientScope(demand: TokenDemand, { services }: AccessContext): ApiError {
  const [scope] = demand.kind === 'token' ? services.scopes.namesOf(demand.scopes) : [];
  return new ApiError('insufficient_scope', `the token lacks the scope ${scope}`, { details: { scope } });
}
