import type { Settings } from '../../settings/settings.data.ts';
import type { Scope } from './scopes.ts';

/** Endpoints that multiply the anonymous and the token limit by a setting; multiplier 1 shares the standard buckets. */
export interface RateLimitGroup {
  /** Suffix of the names of its buckets. */
  name: string;
  multiplierOf(settings: Settings): number;
  /** True for separate buckets even when the multiplier is 1; `GET /v1/token` reports them. */
  isAlwaysSeparate?: boolean;
}

/** The group of all endpoints without a separate group. */
export const STANDARD_GROUP: RateLimitGroup = { name: 'standard', multiplierOf: () => 1 };

/**
 * A separate rate limit, declared beside the routes that charge it. Its name prefixes its buckets and appears in the
 * `RateLimit` headers.
 */
export interface RateLimitRule {
  name: string;
  limitOf(settings: Settings): { limit: number; windowSeconds: number };
}

/** A stricter limit per account. Counts every attempt by default. */
export interface SessionRateLimit extends RateLimitRule {
  /** Counts only accepted requests. */
  countsAccepted?: boolean;
}

/** Maximum number of open streams of an endpoint, per address and per token. */
export type StreamLimits = (settings: Settings) => { address: number; token: number };

/** Accounts that may use a portal endpoint: all, those with a verified email address, or superusers. */
export type SessionLevel = 'ordinary' | 'verified' | 'superuser';

/**
 * Access rules of an endpoint, declared beside the route. The middleware and the OpenAPI document use them.
 * - `open`: any client. Reads no credential, charges nothing.
 * - `public`: any client, on the anonymous rate limit of its address. A token with the scope uses the token's rate limit instead.
 *   `tokenless`: the same for a single endpoint of a scope that is otherwise not public. `workRateLimit`: a second group, which the
 *   handler charges (`Admission.chargeWork`) when it has to compute the response. `readsSession`: a page that shows more to the session
 *   of the cookie, whose requests count for the account.
 * - `optional-token`: any client, on the anonymous rate limit of its address. Any valid token uses the token's rate limit instead; its
 *   scopes decide what the response contains.
 * - `token`: a token with the scope. `extra`: an additional rate limit of the token, for CPU-intensive endpoints. `isPublic`: a setting
 *   with which the endpoint is `public`.
 * - `any-token`: any valid token. Not charged to the token, only to a limit of the address.
 * - `master`: a superuser's token; `cooldown` names the counter of accepted inserts; null for reads. Also a superuser's session, which
 *   charges nothing and has no cooldown.
 * - `admin`: a superuser's session, or a superuser's token with every scope (mask 0).
 * - `session`: a session of the portal (`Authorization: Bearer <session credential>`), never a token. Every request counts for the
 *   account; `rateLimit`: an additional rate limit.
 * - `project`: a project key, counted for the key, or a session of an account with a verified email address. The handler checks the
 *   membership of the project.
 * - `page`: a page of the portal. The client is the session of the cookie, counted for the account, or anonymous; the page decides
 *   what it renders.
 * - `address`: any client, on a rate limit per address for this endpoint. Reads no credential.
 * - `feedback`: any client, on a rate limit per address that counts accepted requests; all addresses share `allRateLimit`. A valid
 *   token changes nothing; an invalid token is refused.
 */
export type Access =
  | { kind: 'open' }
  | {
      kind: 'public' | 'tokenless';
      scope: Scope;
      rateLimit: RateLimitGroup;
      moreScopes?: (query: URLSearchParams) => Scope[];
      workRateLimit?: RateLimitGroup;
      readsSession?: boolean;
    }
  | { kind: 'optional-token'; rateLimit: RateLimitGroup }
  | { kind: 'token'; scope: Scope; rateLimit: RateLimitGroup; extra?: RateLimitRule; isPublic?(settings: Settings): boolean }
  | { kind: 'any-token' }
  | { kind: 'master'; cooldown: string | null }
  | { kind: 'admin' }
  | { kind: 'session'; level: SessionLevel; rateLimit?: SessionRateLimit }
  | { kind: 'project' }
  | { kind: 'page' }
  | { kind: 'address'; rateLimit: RateLimitRule; workRateLimit?: RateLimitRule }
  | { kind: 'feedback'; rateLimit: RateLimitRule; allRateLimit: RateLimitRule };

export const openAccess: Access = { kind: 'open' };
export const anyTokenAccess: Access = { kind: 'any-token' };
export const adminAccess: Access = { kind: 'admin' };
export const pageAccess: Access = { kind: 'page' };
export const projectAccess: Access = { kind: 'project' };

/** `moreScopes`: additional scopes that the query requires. A token without all of them is treated as anonymous. */
export function publicAccess(
  scope: Scope,
  rateLimit: RateLimitGroup = STANDARD_GROUP,
  moreScopes?: (query: URLSearchParams) => Scope[],
): Access {
  return moreScopes ? { kind: 'public', scope, rateLimit, moreScopes } : { kind: 'public', scope, rateLimit };
}

/** Public access to a cached computation: each response charges `rateLimit`, a cache miss also charges `workRateLimit`. */
export function computedAccess(scope: Scope, rateLimit: RateLimitGroup, workRateLimit: RateLimitGroup): Access {
  return { kind: 'public', scope, rateLimit, workRateLimit };
}

export function tokenlessAccess(scope: Scope, rateLimit: RateLimitGroup = STANDARD_GROUP): Access {
  return { kind: 'tokenless', scope, rateLimit };
}

/** A public page that shows more to a signed-in account. Without a session, and for a token, it is like `tokenlessAccess`. */
export function visitorAccess(scope: Scope, rateLimit: RateLimitGroup): Access {
  return { kind: 'tokenless', scope, rateLimit, readsSession: true };
}

/** True for a page that anybody may read and that depends on the session. */
export const readsSession = (access: Access): boolean => access.kind === 'tokenless' && access.readsSession === true;

export function optionalTokenAccess(rateLimit: RateLimitGroup = STANDARD_GROUP): Access {
  return { kind: 'optional-token', rateLimit };
}

export function tokenAccess(scope: Scope, rateLimit: RateLimitGroup = STANDARD_GROUP, extra?: RateLimitRule): Access {
  return extra ? { kind: 'token', scope, rateLimit, extra } : { kind: 'token', scope, rateLimit };
}

/** Requires a token with the scope unless a setting makes the endpoint public. */
export function tokenUnlessPublic(scope: Scope, isPublic: (settings: Settings) => boolean): Access {
  return { kind: 'token', scope, rateLimit: STANDARD_GROUP, isPublic };
}

export function masterAccess(cooldown: string): Access {
  return { kind: 'master', cooldown };
}

/** A read for clients that send inserts. */
export const masterReadAccess: Access = { kind: 'master', cooldown: null };

export function sessionAccess(level: SessionLevel = 'ordinary', rateLimit?: SessionRateLimit): Access {
  return rateLimit ? { kind: 'session', level, rateLimit } : { kind: 'session', level };
}

/** `workRateLimit`: a second rate limit, which the handler charges (`Admission.chargeWork`) when it has to compute the response. */
export function addressAccess(rateLimit: RateLimitRule, workRateLimit?: RateLimitRule): Access {
  return { kind: 'address', rateLimit, ...(workRateLimit ? { workRateLimit } : {}) };
}

export function feedbackAccess(rateLimit: RateLimitRule, allRateLimit: RateLimitRule): Access {
  return { kind: 'feedback', rateLimit, allRateLimit };
}
