import { ApiError } from '../../errors/api-error.ts';
import { BlockedKeys } from '../../rate-limits/blocked-keys.ts';
import type { BucketKey, RateLimiter, Settle } from '../../rate-limits/rate-limiter.ts';
import { type Budget, type Charge, isRefused } from '../../rate-limits/window.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { SECONDS_PER_MINUTE, systemClock } from '../../time/clock.ts';
import { createSessionAdmission } from '../sessions/session-admission.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { TokenDemand } from '../tokens/token-decision.ts';
import type { TokenCaller } from '../tokens/token-gate.contract.ts';
import type { TokenGate } from '../tokens/token-gate.ts';
import type { PresentedToken, TokenReader } from '../tokens/token-keys.ts';
import {
  type AccessRequest,
  type Admission,
  ANONYMOUS,
  addressBucket,
  addressOf,
  type Caller,
  chargeOf,
  rateLimited,
  requireBudget,
} from './admission.ts';
import { type Budgets, budgetsFrom, reportedBudgets, sessionBudgetKey } from './budgets.ts';
import { readCredential } from './credentials.ts';
import { type Access, type BudgetGroup, type BudgetRule, STANDARD_GROUP, type StreamLimits } from './policy.ts';
import type { Scope, ScopeRegistry } from './scopes.ts';
import type { SlotHolder } from './stream-slot.ts';
import { malformedToken, missingToken, notAuthenticated } from './unauthenticated.ts';

export type { Admission, Caller } from './admission.ts';

export interface AccessControlDeps {
  gate: TokenGate;
  limiter: RateLimiter;
  sessions: Sessions;
  scopes: ScopeRegistry;
  budgetGroups: readonly BudgetGroup[];
  readToken: TokenReader;
  tokenPrefix: string;
  /** Multiplies every limit; 1 in production. */
  rateLimitScale: number;
}

export interface AccessControl {
  /** Admits the request, or throws an `ApiError`. The order of checks follows the specification. */
  admit(access: Access, request: AccessRequest): Promise<Admission> | Admission;
}

/** Maximum age of a cached refusal: a token that was revoked meanwhile must get 401 instead of 429. */
const TOKEN_BLOCK_MS = 1000;
/** Token lookups of an address that sent too many unknown tokens. */
const TOKEN_LOOKUPS: Budget = { name: 'token-lookup', limit: 1, windowSeconds: 1 };
/** `GET /v1/token` is free for a token, so its requests are limited by address. */
const TOKEN_INFO: BudgetRule = { name: 'token-info', limitOf: () => ({ limit: 120, windowSeconds: SECONDS_PER_MINUTE }) };
const MASTER_ONLY = 'a superuser token is required';
const ADMIN_ONLY = 'a superuser token with every scope is required';

export function createAccessControl(deps: AccessControlDeps): AccessControl {
  const blockedTokens = new BlockedKeys(TOKEN_BLOCK_MS);
  const separateGroups = deps.budgetGroups.filter((group) => group.isAlwaysSeparate);
  let budgets: { settings: Settings; value: Budgets } | null = null;

  function budgetsOf(settings: Settings): Budgets {
    if (budgets?.settings !== settings) budgets = { settings, value: budgetsFrom(settings, deps.rateLimitScale) };
    return budgets.value;
  }

  const sessions = createSessionAdmission({ ...deps, budgetOf: (settings) => budgetsOf(settings).session });

  async function admitAnonymous(group: BudgetGroup, request: AccessRequest): Promise<Admission> {
    const { budget, bucketPrefix } = budgetsOf(request.settings).anonymous(group);
    const key = addressBucket(bucketPrefix, request);
    requireBudget(await deps.limiter.charge(key, budget, request.now), request);
    return ANONYMOUS;
  }

  async function admitToken(
    token: PresentedToken,
    demand: TokenDemand,
    group: BudgetGroup,
    request: AccessRequest,
  ): Promise<TokenCaller | null> {
    const { budget, counter } = budgetsOf(request.settings).token(group);
    const blockKey = `${token.hash}:${counter}:${demand.kind}:${'scopes' in demand ? demand.scopes : ''}:${request.callerAddress}`;
    const cachedRefusal = blockedTokens.find(blockKey, budget, request.now);
    if (cachedRefusal) {
      request.onToken(token.id);
      requireBudget(cachedRefusal, request);
    }
    const { limit, windowSeconds } = budget;
    const callerAddress = addressOf(request);
    const result = await deps.gate.admit(token, { demand, callerAddress, now: request.now, counter, limit, windowSeconds });
    if (result.outcome === 'anonymous') return null;
    if (result.outcome === 'lookups_exhausted') throw lookupsExhausted(request);
    if (result.outcome !== 'unauthenticated' && result.outcome !== 'expired') request.onToken(token.id);
    if (!('used' in result)) {
      throw refusalError(result.outcome);
    }
    const charge = chargeOf(budget, result.used, request.now);
    if (isRefused(charge)) blockedTokens.add(blockKey, charge);
    requireBudget(charge, request);
    if (result.outcome === 'insufficient_scope') throw insufficientScope(deps.scopes, demand);
    if (result.outcome === 'forbidden') throw new ApiError('forbidden', demand.kind === 'admin' ? ADMIN_ONLY : MASTER_ONLY);
    return result.caller;
  }

  /** Charges an additional rate limit of a token, which the headers show beside that of the token. */
  async function chargeExtra(rule: BudgetRule, { tokenId }: TokenCaller, request: AccessRequest): Promise<void> {
    const charge = await deps.limiter.charge(`${rule.name}:${tokenId}`, budgetsOf(request.settings).of(rule), request.now);
    requireBudget(charge, request);
  }

  async function admitMaster(token: PresentedToken, cooldown: string | null, request: AccessRequest): Promise<Admission> {
    const caller = await admitToken(token, { kind: 'master' }, STANDARD_GROUP, request);
    if (!caller) throw notAuthenticated('unknown');
    if (cooldown === null) return { caller };
    const { ingest } = budgetsOf(request.settings);
    const key = `ingest:${cooldown}:${caller.tokenId}`;
    const reserve = async () => {
      const { charge, settle } = await deps.limiter.reserve(key, ingest, request.now);
      if (isRefused(charge)) requireBudget(charge, request);
      return settle;
    };
    return { caller, reserve };
  }

  /** Ignores the token of the request with its allowlist and scopes, but refuses an invalid token. */
  async function admitFeedback({ budget, allBudget }: Extract<Access, { kind: 'feedback' }>, request: AccessRequest): Promise<Admission> {
    const token = tokenOf(request);
    if (token !== null) {
      const { outcome } = await deps.gate.inspect(token, addressOf(request), request.now, {});
      if (outcome === 'lookups_exhausted') throw lookupsExhausted(request);
      if (outcome === 'unauthenticated' || outcome === 'expired') throw refusalError(outcome);
    }
    const budgets = budgetsOf(request.settings);
    const key = addressBucket(`${budget.name}:`, request);
    const reserve = () => reserveAndReport(key, budgets.of(budget), request);
    const countGlobally = async () => !isRefused(await deps.limiter.charge(allBudget.name, budgets.of(allBudget), request.now));
    return { ...ANONYMOUS, reserve, countGlobally };
  }

  async function admitAnyToken(token: PresentedToken, request: AccessRequest): Promise<Admission> {
    const rule = budgetsOf(request.settings).of(TOKEN_INFO);
    const cached = deps.limiter.cachedRefusal(addressBucket(`${TOKEN_INFO.name}:`, request), rule, request.now);
    if (cached) requireBudget(cached, request);
    const reported = reportedBudgets(budgetsOf(request.settings), separateGroups);
    const windows = Object.fromEntries(reported.map(({ counter, budget }) => [counter, budget.windowSeconds]));
    // Both at once: the address must not add a hop to the gate. A refused address is refused from memory from the next request on.
    const [charge, result] = await Promise.all([
      chargeAddress(TOKEN_INFO, request),
      deps.gate.inspect(token, addressOf(request), request.now, windows),
    ]);
    if (isRefused(charge)) requireBudget(charge, request);
    if (result.outcome === 'lookups_exhausted') throw lookupsExhausted(request);
    if (result.outcome !== 'unauthenticated' && result.outcome !== 'expired') request.onToken(token.id);
    if (!('self' in result)) throw refusalError(result.outcome);
    const { used } = result.self;
    const budgets = reported.map(({ name, counter, budget }) => ({ name, charge: chargeOf(budget, used[counter] ?? 0, request.now) }));
    return { caller: { kind: 'anonymous' }, self: { ...result.self, budgets } };
  }

  /** Reserves from a rate limit that the headers of every response show. Throws 429. */
  async function reserveAndReport(key: BucketKey, budget: Budget, request: AccessRequest): Promise<Settle> {
    const { charge, settle } = await deps.limiter.reserve(key, budget, request.now);
    requireBudget(charge, request);
    return async (counts) => {
      await settle(counts);
      if (!counts) request.onCharge({ ...charge, used: charge.used - 1 });
    };
  }

  async function admitSession({ level, budget }: Extract<Access, { kind: 'session' }>, request: AccessRequest): Promise<Admission> {
    const found = await sessions.require(level, request);
    if (!budget) return found;
    const { caller } = found;
    const key = sessionBudgetKey(budget, caller.userId);
    const scaledBudget = budgetsOf(request.settings).of(budget);
    if (budget.countsAccepted) return { caller, reserve: () => reserveAndReport(key, scaledBudget, request) };
    requireBudget(await deps.limiter.charge(key, scaledBudget, request.now), request);
    return { caller };
  }

  async function admitAddress({ budget, workBudget }: Extract<Access, { kind: 'address' }>, request: AccessRequest): Promise<Admission> {
    requireBudget(await chargeAddress(budget, request), request);
    if (!workBudget) return ANONYMOUS;
    // The headers always show the rate limit of the endpoint, never that of the work.
    const chargeWork = async () => {
      const charge = await chargeAddress(workBudget, request);
      if (isRefused(charge)) throw rateLimited(charge, request.now);
    };
    return { ...ANONYMOUS, chargeWork };
  }

  function chargeAddress(rule: BudgetRule, request: AccessRequest): Promise<Charge> {
    const key = addressBucket(`${rule.name}:`, request);
    return deps.limiter.charge(key, budgetsOf(request.settings).of(rule), request.now);
  }

  /** The object that counts the open streams of a client: the gate of the token, or the object of the address. */
  function slotHolderOf(access: Access, caller: Caller, limitsOf: StreamLimits, request: AccessRequest): SlotHolder {
    const { anonymous, scaled } = budgetsOf(request.settings);
    const limits = limitsOf(request.settings);
    if (caller.kind !== 'token') {
      const { bucketPrefix } = anonymous(access.kind === 'public' || access.kind === 'tokenless' ? access.budget : STANDARD_GROUP);
      const limit = scaled(limits.address);
      const key = addressBucket(bucketPrefix, request);
      return { kind: 'address', key, limit };
    }
    const clockOffset = request.now - systemClock();
    return { kind: 'token', tokenId: caller.tokenId, limit: scaled(limits.token), clockOffset };
  }

  /** The token of a request; null without one. Throws 401 for a malformed or forged token. */
  function tokenOf(request: AccessRequest): PresentedToken | null {
    const credential = readCredential(request.authorization);
    if (credential.kind === 'none') return null;
    const token = credential.kind === 'session' ? 'malformed' : deps.readToken(credential.value);
    if (token === 'malformed') throw malformedToken(credential, deps.tokenPrefix);
    if (token === 'forged') throw notAuthenticated('unknown');
    return token;
  }

  type PublicAccess = Extract<Access, { kind: 'public' | 'tokenless' }>;

  async function admitPublic(access: PublicAccess, request: AccessRequest): Promise<Admission> {
    const { workBudget } = access;
    const scopes: Scope[] = [access.scope, ...(access.moreScopes?.(request.query) ?? [])];
    const admission = await admitToGroup(scopes, access.budget, request);
    return workBudget ? { ...admission, chargeWork: async () => void (await admitToGroup(scopes, workBudget, request)) } : admission;
  }

  async function admitToGroup(scopes: readonly Scope[], group: BudgetGroup, request: AccessRequest): Promise<Admission> {
    const token = request.authorization === null ? null : tokenOf(request);
    if (token === null) return admitAnonymous(group, request);
    const caller = await admitToken(token, { kind: 'public', scopes: deps.scopes.maskOf(scopes) }, group, request);
    return caller ? { caller } : admitAnonymous(group, request);
  }

  async function decide(access: Access, request: AccessRequest): Promise<Admission> {
    if (access.kind === 'open') return ANONYMOUS;
    if (access.kind === 'public' || access.kind === 'tokenless') return admitPublic(access, request);
    if (access.kind === 'optional-token') return admitToGroup([], access.budget, request);
    if (access.kind === 'feedback') return admitFeedback(access, request);
    if (access.kind === 'session') return admitSession(access, request);
    if (access.kind === 'page') return sessions.page(request);
    if (access.kind === 'address') return admitAddress(access, request);
    if (access.kind === 'master' || access.kind === 'admin') {
      const caller = await sessions.superuser(request);
      if (caller) return { caller };
    }
    const token = tokenOf(request);
    if (token === null) throw missingToken(request.authorization, request.query, deps.tokenPrefix);
    if (access.kind === 'master') return admitMaster(token, access.cooldown, request);
    if (access.kind === 'any-token') return admitAnyToken(token, request);
    const demand: TokenDemand = access.kind === 'admin' ? access : { kind: 'token', scopes: deps.scopes.bitOf(access.scope) };
    const caller = await admitToken(token, demand, access.kind === 'admin' ? STANDARD_GROUP : access.budget, request);
    if (!caller) throw notAuthenticated('unknown');
    if (access.kind === 'token' && access.extra) await chargeExtra(access.extra, caller, request);
    return { caller };
  }

  async function admitStream(access: Access, limitsOf: StreamLimits, request: AccessRequest): Promise<Admission> {
    const admission = await decide(access, request);
    return { ...admission, slotHolder: slotHolderOf(access, admission.caller, limitsOf, request) };
  }

  return { admit: (access, request) => (request.streams ? admitStream(access, request.streams, request) : decide(access, request)) };
}

/** 429 for a token that may be valid but cannot be looked up before the next second: see `createTokenGate`. */
function lookupsExhausted(request: AccessRequest): ApiError {
  const charge = chargeOf(TOKEN_LOOKUPS, TOKEN_LOOKUPS.limit + 1, request.now);
  request.onCharge(charge);
  return rateLimited(charge, request.now, 'too many unknown tokens from this IP address');
}

/** The error for a token that its gate refused. */
function refusalError(outcome: 'unauthenticated' | 'expired' | 'ip_not_allowed'): ApiError {
  if (outcome === 'ip_not_allowed') return new ApiError('ip_not_allowed', 'the IP address is not on the allowlist of the token');
  return notAuthenticated(outcome === 'expired' ? 'expired' : 'unknown');
}

function insufficientScope(scopes: ScopeRegistry, demand: TokenDemand): ApiError {
  const [scope] = demand.kind === 'token' ? scopes.namesOf(demand.scopes) : [];
  return new ApiError('insufficient_scope', `the token lacks the scope ${scope}`, { details: { scope } });
}
