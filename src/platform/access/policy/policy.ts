import { SECONDS_PER_MINUTE } from '../../kit/time/clock.ts';
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

/** Requests of one account. */
export const accountRateLimit: RateLimitRule = {
  name: 'session',
  limitOf: ({ sessionRateLimitMax: limit, sessionRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};

/** Accepted inserts of one token at one endpoint. */
export const ingestRateLimit: RateLimitRule = {
  name: 'ingest',
  limitOf: ({ ingestCooldownMax: limit, ingestCooldownWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};

/** Requests of one project key. */
const projectKeyRateLimit: RateLimitRule = {
  name: 'project-key',
  limitOf: () => ({ limit: 120, windowSeconds: SECONDS_PER_MINUTE }),
};

/** `GET /v1/token` is free for a token, so its requests are limited by address. */
const tokenInfoRateLimit: RateLimitRule = {
  name: 'token-info',
  limitOf: () => ({ limit: 120, windowSeconds: SECONDS_PER_MINUTE }),
};

/** One request, charged to the anonymous or the token limit of a group. */
export interface GroupCharge {
  of: 'address' | 'token';
  group: RateLimitGroup;
}

/** One request, charged to a separate rate limit. `of`: who is counted; `all`: one count for everybody. */
export interface RuleCharge {
  of: 'address' | 'token' | 'account' | 'project key' | 'all';
  rule: RateLimitRule;
  /** Prefix of the names of its counters; default: the name of the rule. */
  counter?: string;
  /** Counts only if the handler accepts the request. */
  countsAccepted?: boolean | undefined;
  /** When the headers show it; default: always. */
  shown?: 'when refused' | 'never';
}

export type ChargeRule = GroupCharge | RuleCharge;

/**
 * What a token must have: all of these scopes, which change its rate limit only; nothing, and its scopes decide what the response
 * contains; or an owner who is a superuser.
 */
export type TokenRequirement = ((query: URLSearchParams) => readonly Scope[]) | 'nothing' | 'superuser' | 'superuser with every scope';

/**
 * One way into an endpoint: the credential that it reads, what this must have, and the charges in their order. A credential whose check
 * also counts makes the first charge.
 * - `token`: checked and counted in one call of its gate.
 * - `described token`: a valid token. It is not counted; the response describes it.
 * - `ignored token`: an invalid token is refused; with a valid one, the next way decides.
 * - `session`: the session of the `Authorization` header. `superuser session`: the same in place of a token, not counted.
 * - `cookie`: the session of the cookie.
 */
export type Way = (
  | { credential: 'none'; charges: readonly ChargeRule[] }
  | { credential: 'token'; requires: TokenRequirement; charges: readonly [GroupCharge, ...RuleCharge[]] }
  | { credential: 'described token'; charges: readonly [RuleCharge] }
  | { credential: 'ignored token'; charges: readonly [] }
  | { credential: 'session'; requires: SessionLevel; charges: readonly [RuleCharge, ...RuleCharge[]] }
  | { credential: 'superuser session'; charges: readonly [] }
  | { credential: 'cookie'; charges: readonly [RuleCharge] }
  | { credential: 'project key'; charges: readonly [RuleCharge] }
) & {
  /** A charge that the handler makes (`chargeLater`), for work that only some requests need. */
  later?: ChargeRule | undefined;
  /** Whether a request may take this way; default: always. */
  isOpen?: (request: { settings: Settings; authorization: string | null }) => boolean;
};

/** The kinds of access, from the least to the most restrictive: a later kind refuses clients that an earlier one admits. */
export const ACCESS_KINDS = [
  'open',
  'page',
  'address',
  'public',
  'tokenless',
  'feedback',
  'optional-token',
  'any-token',
  'token',
  'project',
  'session',
  'master',
  'admin',
] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** `sentence`: what the document says about the access. */
type Row<Kind extends AccessKind, Facts = unknown> = { kind: Kind; sentence: string; ways: readonly Way[] } & Facts;

/**
 * Access of an endpoint, declared beside its route with one of the rows below. The first way whose credential the request has decides. A
 * token without the required scopes counts as none if another way follows. The last way refuses requests without its credential.
 * `kind` and the other facts name the row in documents and tests; `test/contract/declarations.data.ts` repeats the ways of each row.
 */
export type Access =
  | Row<'open' | 'page' | 'any-token' | 'admin' | 'project'>
  | Row<'public' | 'tokenless', { scope: Scope; rateLimit: RateLimitGroup }>
  | Row<'optional-token', { rateLimit: RateLimitGroup }>
  | Row<'token', { scope: Scope; rateLimit: RateLimitGroup }>
  | Row<'master', { cooldown: string | null }>
  | Row<'session', { level: SessionLevel; rateLimit?: SessionRateLimit | undefined }>
  | Row<'address' | 'feedback', { rateLimit: RateLimitRule }>;

const byAccount: RuleCharge = { of: 'account', rule: accountRateLimit };
const withCookie: Way = { credential: 'cookie', charges: [byAccount] };
const withSuperuserSession: Way = { credential: 'superuser session', charges: [] };
const withToken = (requires: TokenRequirement, group: RateLimitGroup, ...more: RuleCharge[]): Way => ({
  credential: 'token',
  requires,
  charges: [{ of: 'token', group }, ...more],
});
const withoutToken = (group: RateLimitGroup): Way => ({ credential: 'none', charges: [{ of: 'address', group }] });
const publicSentence = (scope: Scope) => `Access: public. A token with the scope \`${scope}\` has a higher rate limit.`;

/** Any client. */
export const openAccess: Access = {
  kind: 'open',
  sentence: 'Access: open; no token, no limit.',
  ways: [{ credential: 'none', charges: [] }],
};

/** A page of the portal, which decides what it renders for a session and without one. */
export const pageAccess: Access = {
  kind: 'page',
  sentence: 'Access: a page of the developer portal.',
  ways: [withCookie, { credential: 'none', charges: [] }],
};

/** Any valid token. Not charged to the token, so its requests are limited by address. */
export const anyTokenAccess: Access = {
  kind: 'any-token',
  sentence: 'Access: any valid token, without a rate limit.',
  ways: [{ credential: 'described token', charges: [{ of: 'address', rule: tokenInfoRateLimit, shown: 'when refused' }] }],
};

/** A superuser's session, or a superuser's token with every scope (mask 0). */
export const adminAccess: Access = {
  kind: 'admin',
  sentence: 'Access: a superuser token with every scope.',
  ways: [withSuperuserSession, withToken('superuser with every scope', STANDARD_GROUP)],
};

/** A project key, or a session of an account with a verified email address. The handler checks the membership of the project. */
export const projectAccess: Access = {
  kind: 'project',
  sentence: 'Access: a project key of the project, or a developer portal session of a member.',
  ways: [
    { credential: 'session', requires: 'verified', charges: [byAccount] },
    { credential: 'project key', charges: [{ of: 'project key', rule: projectKeyRateLimit }] },
  ],
};

/**
 * Any client, on the anonymous limit of its address, or with a token that has the scope, on that of the token. `moreScopes`: additional
 * scopes that the query requires.
 */
export function publicAccess(
  scope: Scope,
  rateLimit: RateLimitGroup = STANDARD_GROUP,
  moreScopes: (query: URLSearchParams) => readonly Scope[] = () => [],
): Access {
  const ways = [withToken((query) => [scope, ...moreScopes(query)], rateLimit), withoutToken(rateLimit)];
  return { kind: 'public', sentence: publicSentence(scope), scope, rateLimit, ways };
}

/** Public access to a cached computation: each response charges `rateLimit`, a cache miss also charges `work`. */
export function computedAccess(scope: Scope, rateLimit: RateLimitGroup, work: RateLimitGroup): Access {
  const ways = [
    { ...withToken(() => [scope], rateLimit), later: { of: 'token', group: work } as const },
    { ...withoutToken(rateLimit), later: { of: 'address', group: work } as const },
  ];
  return { kind: 'public', sentence: publicSentence(scope), scope, rateLimit, ways };
}

/** Like `publicAccess`, for a single endpoint of a scope that is otherwise not public. */
export function tokenlessAccess(scope: Scope, rateLimit: RateLimitGroup = STANDARD_GROUP): Access {
  const ways = [withToken(() => [scope], rateLimit), withoutToken(rateLimit)];
  return { kind: 'tokenless', sentence: publicSentence(scope), scope, rateLimit, ways };
}

/** Like `tokenlessAccess`, for a page that shows more to the session of the cookie. A header `Authorization` comes before the cookie. */
export function visitorAccess(scope: Scope, rateLimit: RateLimitGroup): Access {
  const access = tokenlessAccess(scope, rateLimit);
  return { ...access, ways: [{ ...withCookie, isOpen: ({ authorization }) => authorization === null }, ...access.ways] };
}

/** Any client. A token uses its own limit, and its scopes decide what the response contains. */
export function optionalTokenAccess(rateLimit: RateLimitGroup = STANDARD_GROUP): Access {
  const sentence = 'Access: public. A token has a higher rate limit, and its scopes add contents.';
  return { kind: 'optional-token', sentence, rateLimit, ways: [withToken('nothing', rateLimit), withoutToken(rateLimit)] };
}

/** A token with the scope. `extra`: an additional limit of the token, for costly endpoints. */
export function tokenAccess(scope: Scope, rateLimit: RateLimitGroup = STANDARD_GROUP, ...extra: RateLimitRule[]): Access {
  const ways = [withToken(() => [scope], rateLimit, ...extra.map((rule) => ({ of: 'token', rule }) as const))];
  return { kind: 'token', sentence: `Access: a token with the scope \`${scope}\`.`, scope, rateLimit, ways };
}

/** A token with the scope, or with a setting any client, as in `publicAccess`. */
export function tokenUnlessPublic(scope: Scope, isPublic: (settings: Settings) => boolean): Access {
  const access = tokenAccess(scope);
  return { ...access, ways: [...access.ways, { ...withoutToken(STANDARD_GROUP), isOpen: ({ settings }) => isPublic(settings) }] };
}

/** A superuser's token, or a superuser's session, which charges nothing. `cooldown`: name of the counter of the accepted inserts of a token. */
export function masterAccess(cooldown: string): Access {
  const accepted: RuleCharge = {
    of: 'token',
    rule: ingestRateLimit,
    counter: `${ingestRateLimit.name}:${cooldown}`,
    countsAccepted: true,
    // The headers show the rate limit of the token, and that of the inserts only when it is used up.
    shown: 'when refused',
  };
  const sentence = 'Access: a superuser token; accepted inserts start a cooldown.';
  return { kind: 'master', sentence, cooldown, ways: [withSuperuserSession, withToken('superuser', STANDARD_GROUP, accepted)] };
}

/** A read for clients that send inserts. */
export const masterReadAccess: Access = {
  kind: 'master',
  sentence: 'Access: a superuser token.',
  cooldown: null,
  ways: [withSuperuserSession, withToken('superuser', STANDARD_GROUP)],
};

/** A session of the portal, never a token. Every request counts for the account; `rateLimit`: an additional limit. */
export function sessionAccess(level: SessionLevel = 'ordinary', rateLimit?: SessionRateLimit): Access {
  const more = rateLimit ? [{ of: 'account', rule: rateLimit, countsAccepted: rateLimit.countsAccepted } as const] : [];
  const sentence = 'Access: a developer portal session; rate limited per account.';
  return { kind: 'session', sentence, level, rateLimit, ways: [{ credential: 'session', requires: level, charges: [byAccount, ...more] }] };
}

/** Any client, on a limit of its address for this endpoint. `work`: a second one, for requests whose response must be computed. */
export function addressAccess(rateLimit: RateLimitRule, work?: RateLimitRule): Access {
  const later = work && ({ of: 'address', rule: work, shown: 'never' } as const);
  const sentence = 'Access: open; rate limited per IP address.';
  return { kind: 'address', sentence, rateLimit, ways: [{ credential: 'none', charges: [{ of: 'address', rule: rateLimit }], later }] };
}

/** Any client, on a limit of its address that counts accepted requests. `all`: the limit of all addresses, which the handler charges. */
export function feedbackAccess(rateLimit: RateLimitRule, all: RateLimitRule): Access {
  const accepted: RuleCharge = { of: 'address', rule: rateLimit, countsAccepted: true };
  const ways: Way[] = [
    { credential: 'ignored token', charges: [] },
    { credential: 'none', charges: [accepted], later: { of: 'all', rule: all, shown: 'never' } },
  ];
  const sentence = 'Access: open; accepted submissions are rate limited per IP address.';
  return { kind: 'feedback', sentence, rateLimit, ways };
}

/** True for a page that anybody may read and that depends on the session. */
export const readsSession = ({ kind, ways }: Access): boolean => kind === 'tokenless' && ways[0]?.credential === 'cookie';

/** The way that decides when no earlier one does. */
export const lastWayOf = (access: Access): Way => access.ways.at(-1) as Way;

/** Whether requests without a credential are refused, unless a setting admits them. */
export function requiresCredential(access: Access): boolean {
  const { credential, isOpen } = lastWayOf(access);
  return credential !== 'none' || isOpen !== undefined;
}

/** Whether an endpoint reads tokens and serves requests without one. */
export function isTokenOptional(access: Access): boolean {
  return !requiresCredential(access) && access.ways.some(({ credential }) => credential === 'token' || credential === 'ignored token');
}

/** Whether responses do not depend on the client: only its rate limit does, or its session if `readsSession`. */
export function isShared(access: Access): boolean {
  const isForAll = (way: Way) =>
    way.credential === 'none' ||
    (way.credential === 'token' && typeof way.requires === 'function') ||
    (way.credential === 'cookie' && readsSession(access));
  return !requiresCredential(access) && access.ways.every(isForAll);
}

/** The ways of programs that have limits of their own, the last way first, as most clients take it. */
export function waysOfPrograms(access: Access): Way[] {
  return access.ways.filter(({ credential }) => PROGRAMS.includes(credential)).toReversed();
}

const PROGRAMS: readonly Way['credential'][] = ['none', 'token', 'project key'];
