import type { Settings } from '../../settings/settings.data.ts';
import type { Scope } from './scopes.ts';

/** Endpoints that multiply the anonymous and the token limit by a setting; 1 shares the buckets of all other endpoints. */
export interface BudgetGroup {
  /** Ends the names of its buckets. */
  name: string;
  multiplierOf(settings: Settings): number;
  /** Has buckets of its own even when the multiplier is 1; `GET /v1/token` reports them. */
  isAlwaysApart?: boolean;
}

/** The endpoints of no other group. */
export const STANDARD_GROUP: BudgetGroup = { name: 'standard', multiplierOf: () => 1 };

/**
 * A separate rate limit, declared beside the routes that charge it. Its name prefixes its buckets and appears in the
 * `RateLimit` headers.
 */
export interface BudgetRule {
  name: string;
  limitOf(settings: Settings): { limit: number; windowSeconds: number };
}

/** A stricter limit per account; every attempt is counted. */
export interface SessionBudget extends BudgetRule {
  /** Only what was accepted is counted. */
  countsAccepted?: boolean;
}

/** Maximum number of open streams of an endpoint, per address and per token. */
export type StreamLimits = (settings: Settings) => { address: number; token: number };

/** Whom a portal endpoint is for: everyone signed in, those with a verified e-mail address, or superusers. */
export type SessionLevel = 'ordinary' | 'verified' | 'superuser';

/**
 * Who may call an endpoint, declared beside the route. The middleware and the OpenAPI document both read it.
 * - `open`: anyone, nothing is looked at or charged.
 * - `public`: anyone on the anonymous budget of their address; a token with the scope lifts it. `tokenless` is the
 *   same check for a single endpoint of a scope that is otherwise not public. `workBudget`: a second group, which the handler
 *   charges (`Admission.chargeWork`) for a response that has to be computed first.
 * - `token`: a token with the scope; `extra`: a further budget of the token, for endpoints that take much processor time. `any-token`: any valid token, free of charge.
 * - `master`: the token of a superuser; `cooldown` names the counter of accepted inserts. Or the session of one, which
 *   charges nothing and has no cooldown.
 * - `admin`: a superuser's session, or a superuser's token that carries every scope (mask 0).
 * - `session`: somebody who is signed in to the portal (`Authorization: Bearer <session credential>`); no token will do.
 *   Every call is counted for the account; `budget`: in a second bucket as well.
 * - `page`: a page of the portal. The caller is the session of its cookie, counted for the account, or anonymous: the page
 *   decides what to show.
 * - `address`: anyone, on a budget of the address for this one thing. No credential is looked at.
 * - `feedback`: anyone, on a budget of the address that counts what was accepted; `allBudget` is that of all addresses together.
 *   A token lifts nothing, but a broken one is refused as everywhere.
 */
export type Access =
  | { kind: 'open' }
  | {
      kind: 'public' | 'tokenless';
      scope: Scope;
      budget: BudgetGroup;
      moreScopes?: (query: URLSearchParams) => Scope[];
      workBudget?: BudgetGroup;
    }
  | { kind: 'token'; scope: Scope; budget: BudgetGroup; extra?: BudgetRule }
  | { kind: 'any-token' }
  | { kind: 'master'; cooldown: string }
  | { kind: 'admin' }
  | { kind: 'session'; level: SessionLevel; budget?: SessionBudget }
  | { kind: 'page' }
  | { kind: 'address'; budget: BudgetRule; workBudget?: BudgetRule }
  | { kind: 'feedback'; budget: BudgetRule; allBudget: BudgetRule };

export const openAccess: Access = { kind: 'open' };
export const anyTokenAccess: Access = { kind: 'any-token' };
export const adminAccess: Access = { kind: 'admin' };
export const pageAccess: Access = { kind: 'page' };

/** `moreScopes`: additional scopes that the query requires; a token needs all of them to count as one. */
export function publicAccess(scope: Scope, budget: BudgetGroup = STANDARD_GROUP, moreScopes?: (query: URLSearchParams) => Scope[]): Access {
  return moreScopes ? { kind: 'public', scope, budget, moreScopes } : { kind: 'public', scope, budget };
}

/** Public access to a cached computation: each response charges `budget`, a computed one also `workBudget`. */
export function computedAccess(scope: Scope, budget: BudgetGroup, workBudget: BudgetGroup): Access {
  return { kind: 'public', scope, budget, workBudget };
}

export function tokenlessAccess(scope: Scope, budget: BudgetGroup = STANDARD_GROUP): Access {
  return { kind: 'tokenless', scope, budget };
}

export function tokenAccess(scope: Scope, budget: BudgetGroup = STANDARD_GROUP, extra?: BudgetRule): Access {
  return extra ? { kind: 'token', scope, budget, extra } : { kind: 'token', scope, budget };
}

export function masterAccess(cooldown: string): Access {
  return { kind: 'master', cooldown };
}

export function sessionAccess(level: SessionLevel = 'ordinary', budget?: SessionBudget): Access {
  return budget ? { kind: 'session', level, budget } : { kind: 'session', level };
}

/**
 * `workBudget`: a second rate limit, which the handler charges (`Admission.chargeWork`) for a response that must be computed
 * first.
 */
export function addressAccess(budget: BudgetRule, workBudget?: BudgetRule): Access {
  return { kind: 'address', budget, ...(workBudget ? { workBudget } : {}) };
}

export function feedbackAccess(budget: BudgetRule, allBudget: BudgetRule): Access {
  return { kind: 'feedback', budget, allBudget };
}
