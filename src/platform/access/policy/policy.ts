import type { Scope } from './scopes.ts';

/** Which budget an endpoint charges; each group has a multiplier among the settings. */
export type BudgetGroup = 'standard' | 'codexes' | 'updates-file' | 'mods-catalog' | 'videos-b-image';

/** Things that anyone may do a few times in an hour or so, each counted by itself for the address. */
export type AddressBudget = 'signup' | 'login' | 'mail-link' | 'forgot-password' | 'resend-verification';

/** A further budget of a token for endpoints that take much processor time; the token's own budget is charged as well. */
export type TokenExtraBudget = 'ocr';

/**
 * What an account may do less often than other calls. Minting counts the tokens made; the others count every try: images
 * drawn, exports, and changes of password or address, which hash two passwords each.
 */
export type SessionBudget = 'minting' | 'drawing' | 'export' | 'credential-change';

/** Whom a portal endpoint is for: everyone signed in, those with a verified e-mail address, or superusers. */
export type SessionLevel = 'ordinary' | 'verified' | 'superuser';

/**
 * Who may call an endpoint, declared beside the route. The middleware and the OpenAPI document both read it.
 * - `open`: anyone, nothing is looked at or charged.
 * - `public`: anyone on the anonymous budget of their address; a token with the scope lifts it. `tokenless` is the
 *   same check for a single endpoint of a scope that is otherwise not public.
 * - `token`: a token with the scope; `extra` names a further budget of the token. `any-token`: any valid token, free of charge.
 * - `master`: the token of a superuser; `cooldown` names the counter of accepted inserts. Or the session of one, which
 *   charges nothing and has no cooldown.
 * - `admin`: a superuser's session, or a superuser's token that carries every scope (mask 0).
 * - `session`: somebody who is signed in to the portal (`Authorization: Bearer <session credential>`); no token will do.
 *   Every call is counted for the account; `budget`: in a second bucket as well.
 * - `page`: a page of the portal. The caller is the session of its cookie, counted for the account, or anonymous: the page
 *   decides what to show.
 * - `address`: anyone, on a budget of the address for this one thing. No credential is looked at.
 * - `feedback`: anyone, on a budget of the address that counts what was accepted. A token lifts nothing, but a broken one
 *   is refused as everywhere.
 */
export type Access =
  | { kind: 'open' }
  | { kind: 'public' | 'tokenless'; scope: Scope; budget: BudgetGroup; moreScopes?: (query: URLSearchParams) => Scope[] }
  | { kind: 'token'; scope: Scope; budget: BudgetGroup; extra?: TokenExtraBudget }
  | { kind: 'any-token' }
  | { kind: 'master'; cooldown: string }
  | { kind: 'admin' }
  | { kind: 'session'; level: SessionLevel; budget?: SessionBudget }
  | { kind: 'page' }
  | { kind: 'address'; budget: AddressBudget }
  | { kind: 'feedback' };

export const openAccess: Access = { kind: 'open' };
export const anyTokenAccess: Access = { kind: 'any-token' };
export const adminAccess: Access = { kind: 'admin' };
export const pageAccess: Access = { kind: 'page' };
export const feedbackAccess: Access = { kind: 'feedback' };

/** `moreScopes`: further scopes that the given query asks for; a token must carry them all to count as one. */
export function publicAccess(scope: Scope, budget: BudgetGroup = 'standard', moreScopes?: (query: URLSearchParams) => Scope[]): Access {
  return moreScopes ? { kind: 'public', scope, budget, moreScopes } : { kind: 'public', scope, budget };
}

export function tokenlessAccess(scope: Scope, budget: BudgetGroup = 'standard'): Access {
  return { kind: 'tokenless', scope, budget };
}

export function tokenAccess(scope: Scope, budget: BudgetGroup = 'standard', extra?: TokenExtraBudget): Access {
  return extra ? { kind: 'token', scope, budget, extra } : { kind: 'token', scope, budget };
}

export function masterAccess(cooldown: string): Access {
  return { kind: 'master', cooldown };
}

export function sessionAccess(level: SessionLevel = 'ordinary', budget?: SessionBudget): Access {
  return budget ? { kind: 'session', level, budget } : { kind: 'session', level };
}

export function addressAccess(budget: AddressBudget): Access {
  return { kind: 'address', budget };
}
