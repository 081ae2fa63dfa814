import { ApiError } from '../../kit/errors/api-error.ts';
import { SECONDS_PER_MINUTE, systemClock } from '../../kit/time/clock.ts';
import type { Settings } from '../../settings/settings.data.ts';
import type { BucketKey } from '../limits/rate-limiter.ts';
import { BlockedKeys, type Charge, chargeOf, isRefused, type RateLimit } from '../limits/window.ts';
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
import { type Access, type RateLimitGroup, type RateLimitRule, STANDARD_GROUP, type StreamLimits } from './policy.ts';
import { projectKeyRateLimit, type RateLimits, rateLimitsFrom, reportedRateLimits, sessionRateLimitKey } from './rate-limits.ts';
import type { Scope } from './scopes.ts';
import type { SlotHolder } from './stream-slot.ts';

type Decision = Admission | Refusal;
type AccessOf<Kind extends Access['kind']> = Extract<Access, { kind: Kind }>;
/** An admitted token. */
type TokenAdmission = Admission & { caller: TokenCaller };

/** Maximum age of a cached refusal: a token that was revoked meanwhile must get 401 instead of 429. */
const TOKEN_BLOCK_MS = 1000;
/** Token lookups of an address that sent too many unknown tokens. */
const TOKEN_LOOKUPS: RateLimit = { name: 'token-lookup', limit: 1, windowSeconds: 1 };
/** `GET /v1/token` is free for a token, so its requests are limited by address. */
const TOKEN_INFO: RateLimitRule = { name: 'token-info', limitOf: () => ({ limit: 120, windowSeconds: SECONDS_PER_MINUTE }) };
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
  const decision = await admitKind(access, context);
  if (!context.streams || 'error' in decision) return decision;
  return { ...decision, slotHolder: slotHolderOf(access, decision.caller, context.streams, context) };
}

function admitKind(access: Access, context: AccessContext): Promise<Decision> | Decision {
  switch (access.kind) {
    case 'open':
      return ANONYMOUS;
    case 'public':
    case 'tokenless':
      return admitPublic(access, context);
    case 'optional-token':
      return admitToGroup([], access.rateLimit, context);
    case 'token':
      return admitToken(access, context);
    case 'any-token':
      return admitAnyToken(context);
    case 'master':
      return admitMaster(access, context);
    case 'admin':
      return admitAdmin(access, context);
    case 'session':
      return admitSession(access, context);
    case 'project':
      return admitProject(context);
    case 'page':
      return admitPage(context);
    case 'address':
      return admitAddress(access, context);
    case 'feedback':
      return admitFeedback(access, context);
  }
}

export async function admitPublic(access: AccessOf<'public' | 'tokenless'>, context: AccessContext): Promise<Decision> {
  const { workRateLimit } = access;
  const session = access.readsSession && context.authorization === null ? await findPageSession(context) : null;
  if (session) return session;
  const scopes: Scope[] = [access.scope, ...(access.moreScopes?.(context.query) ?? [])];
  const decision = await admitToGroup(scopes, access.rateLimit, context);
  if (!workRateLimit || 'error' in decision) return decision;
  return { ...decision, chargeWork: (current) => admitToGroup(scopes, workRateLimit, { ...context, ...current }) };
}

/** Admits a token that has the scopes, and every other client on the anonymous rate limit of its address. */
export async function admitToGroup(scopes: readonly Scope[], group: RateLimitGroup, context: AccessContext): Promise<Decision> {
  const token = context.authorization === null ? null : tokenOf(context);
  const { services, settings, now } = context;
  if (token) {
    const decision = await askGate(token, { kind: 'public', scopes: services.scopes.maskOf(scopes) }, group, context);
    if (decision) return decision;
  }
  if (settings.shedAnonymousRequests) return { ...NOT_CHARGED, error: anonymousShed() };
  const { rateLimit, bucketPrefix } = services.rateLimitsOf(settings).anonymous(group);
  const charge = await services.limiter.charge(addressBucket(bucketPrefix, context), rateLimit, now);
  return refusalOf(charge, now) ?? { ...ANONYMOUS, charges: [charge] };
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

/** Like `askGate`, for an endpoint that requires a token. */
async function requireToken(demand: TokenDemand, group: RateLimitGroup, context: AccessContext): Promise<TokenAdmission | Refusal> {
  const decision = await askGate(requirePresentedToken(context), demand, group, context);
  if (!decision) throw notAuthenticated('unknown');
  return decision;
}

export async function admitToken({ scope, rateLimit, extra, isPublic }: AccessOf<'token'>, context: AccessContext): Promise<Decision> {
  const { services, settings, now } = context;
  if (isPublic?.(settings)) return admitToGroup([scope], rateLimit, context);
  const decision = await requireToken({ kind: 'token', scopes: services.scopes.bitOf(scope) }, rateLimit, context);
  if (!extra || 'error' in decision) return decision;
  const charge = await services.limiter.charge(`${extra.name}:${decision.caller.tokenId}`, services.rateLimitsOf(settings).of(extra), now);
  return refusalOf(charge, now, decision) ?? { ...decision, charges: [...decision.charges, charge] };
}

export async function admitAnyToken(context: AccessContext): Promise<Decision> {
  const { services, settings, now } = context;
  const token = requirePresentedToken(context);
  const rateLimits = services.rateLimitsOf(settings);
  const cached = services.limiter.cachedRefusal(addressBucket(`${TOKEN_INFO.name}:`, context), rateLimits.of(TOKEN_INFO), now);
  const cachedRefusal = cached && refusalOf(cached, now);
  if (cachedRefusal) return cachedRefusal;
  const reported = reportedRateLimits(rateLimits, services.separateGroups);
  const windows = Object.fromEntries(reported.map(({ counter, rateLimit }) => [counter, rateLimit.windowSeconds]));
  // Both at once: the address must not add a hop to the gate. A refused address is refused from memory from the next request on.
  const [charge, result] = await Promise.all([
    chargeAddress(TOKEN_INFO, context),
    services.gate.inspect(token, context.callerAddress, now, windows),
  ]);
  const refusal = refusalOf(charge, now);
  if (refusal) return refusal;
  if (!('self' in result)) return refusalWithoutCharge(result.outcome, token, context);
  const { used } = result.self;
  const remaining = reported.map(({ name, counter, rateLimit }) => ({ name, charge: chargeOf(rateLimit, used[counter] ?? 0, now) }));
  return { ...ANONYMOUS, tokenId: token.id, self: { ...result.self, rateLimits: remaining } };
}

export async function admitMaster({ cooldown }: AccessOf<'master'>, context: AccessContext): Promise<Decision> {
  const superuser = await findSuperuser(context);
  if (superuser) return superuser;
  const decision = await requireToken({ kind: 'master' }, STANDARD_GROUP, context);
  if (cooldown === null || 'error' in decision) return decision;
  const { services, settings } = context;
  const key = `ingest:${cooldown}:${decision.caller.tokenId}`;
  // The headers show the rate limit of the token, and that of the inserts only when it is used up.
  const reserve = async (): Promise<Reserved | Refusal> => {
    const { charge, settle } = await services.limiter.reserve(key, services.rateLimitsOf(settings).ingest, context.now);
    const end = async (counts: boolean) => {
      await settle(counts);
      return NOT_CHARGED;
    };
    return refusalOf(charge, context.now) ?? { ...NOT_CHARGED, settle: end };
  };
  return { ...decision, reserve };
}

export async function admitAdmin(access: AccessOf<'admin'>, context: AccessContext): Promise<Decision> {
  return (await findSuperuser(context)) ?? requireToken(access, STANDARD_GROUP, context);
}

export async function admitSession({ level, rateLimit }: AccessOf<'session'>, context: AccessContext): Promise<Decision> {
  const decision = await requireSession(level, context);
  if (!rateLimit || 'error' in decision) return decision;
  const { services, settings, now } = context;
  const key = sessionRateLimitKey(rateLimit, decision.caller.userId);
  const scaledRateLimit = services.rateLimitsOf(settings).of(rateLimit);
  if (rateLimit.countsAccepted) return { ...decision, reserve: () => reserveAndReport(key, scaledRateLimit, context) };
  const charge = await services.limiter.charge(key, scaledRateLimit, now);
  return refusalOf(charge, now, decision) ?? { ...decision, charges: [...decision.charges, charge] };
}

/**
 * Admits a project key or a session. A genuine key that has ended gets 403, like one from an address off its allowlist; every other
 * credential gets 401.
 */
export async function admitProject(context: AccessContext): Promise<Decision> {
  const { services, settings, now, callerAddress } = context;
  if (readCredential(context.authorization).kind === 'session') return admitSession({ kind: 'session', level: 'verified' }, context);
  const key = tokenOf(context, 'project key');
  if (key === null) throw missingToken(context);
  // By id and before the lookup: a client with a wrong secret costs at most this many reads.
  const charge = await services.limiter.charge(
    `${projectKeyRateLimit.name}:${key.id}`,
    services.rateLimitsOf(settings).of(projectKeyRateLimit),
    now,
  );
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

async function admitPage(context: AccessContext): Promise<Decision> {
  return (await findPageSession(context)) ?? ANONYMOUS;
}

export async function admitAddress({ rateLimit, workRateLimit }: AccessOf<'address'>, context: AccessContext): Promise<Decision> {
  const charge = await chargeAddress(rateLimit, context);
  const refusal = refusalOf(charge, context.now);
  if (refusal) return refusal;
  const admission: Admission = { ...ANONYMOUS, charges: [charge] };
  if (!workRateLimit) return admission;
  // The headers always show the rate limit of the endpoint, never that of the work.
  const chargeWork: Admission['chargeWork'] = async (current) => {
    const work = await chargeAddress(workRateLimit, { ...context, ...current });
    return isRefused(work) ? { ...NOT_CHARGED, error: rateLimited(work, context.now) } : ANONYMOUS;
  };
  return { ...admission, chargeWork };
}

/** Ignores the token of the request with its allowlist and scopes, but refuses an invalid token. */
export async function admitFeedback({ rateLimit, allRateLimit }: AccessOf<'feedback'>, context: AccessContext): Promise<Decision> {
  const { services, settings, now } = context;
  const token = tokenOf(context);
  if (token !== null) {
    const { outcome } = await services.gate.inspect(token, context.callerAddress, now, {});
    if (outcome !== 'admitted' && outcome !== 'ip_not_allowed') return refusalWithoutCharge(outcome, token, context);
  }
  const rateLimits = services.rateLimitsOf(settings);
  const key = addressBucket(`${rateLimit.name}:`, context);
  return {
    ...ANONYMOUS,
    reserve: () => reserveAndReport(key, rateLimits.of(rateLimit), context),
    countGlobally: async () => !isRefused(await services.limiter.charge(allRateLimit.name, rateLimits.of(allRateLimit), now)),
  };
}

/** Reserves from a rate limit that the headers of every response show. */
async function reserveAndReport(key: BucketKey, rateLimit: RateLimit, { services, now }: AccessContext): Promise<Reserved | Refusal> {
  const { charge, settle } = await services.limiter.reserve(key, rateLimit, now);
  const charged = { charges: [charge], tokenId: null };
  const end = async (counts: boolean) => {
    await settle(counts);
    return counts ? charged : { ...charged, charges: [{ ...charge, used: charge.used - 1 }] };
  };
  return refusalOf(charge, now) ?? { ...charged, settle: end };
}

function chargeAddress(rule: RateLimitRule, context: AccessContext): Promise<Charge> {
  const { services, settings, now } = context;
  return services.limiter.charge(addressBucket(`${rule.name}:`, context), services.rateLimitsOf(settings).of(rule), now);
}

function requirePresentedToken(context: AccessContext): PresentedToken {
  const token = tokenOf(context);
  if (token === null) throw missingToken(context);
  return token;
}

/** The object that counts the open streams of a client: the gate of the token, or the object of the address. */
function slotHolderOf(access: Access, caller: Caller, limitsOf: StreamLimits, context: AccessContext): SlotHolder {
  const { services, settings, now } = context;
  const { anonymous, scaled } = services.rateLimitsOf(settings);
  const limits = limitsOf(settings);
  if (caller.kind === 'token') {
    return { kind: 'token', tokenId: caller.tokenId, limit: scaled(limits.token), clockOffset: now - systemClock() };
  }
  const { bucketPrefix } = anonymous(access.kind === 'public' || access.kind === 'tokenless' ? access.rateLimit : STANDARD_GROUP);
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
