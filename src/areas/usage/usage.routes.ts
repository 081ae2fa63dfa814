import type { z } from '@hono/zod-openapi';
import { adminAccess, anyTokenAccess, sessionAccess } from '../../platform/access/policy/policy.ts';
import { sessionOf } from '../../platform/access/sessions/session-admission.ts';
import type { TokenRateLimits } from '../../platform/access/tokens/token-rate-limits.ts';
import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import { TokenParams, UserParams } from '../../platform/access/tokens/token-view.schemas.ts';
import type { RequestFilter } from '../../platform/access/usage/token-history.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { cutPage, keyOfCursor } from '../../platform/http/replies/page.ts';
import { createRateLimitBody, toRateLimitBody } from '../../platform/http/replies/rate-limit-body.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { notFound, validationError } from '../../platform/kit/errors/api-error.ts';
import {
  ActivityBody,
  ActivityQuery,
  createTokenUsageBody,
  OwnRequestsBody,
  OwnRequestsOfTokenQuery,
  OwnRequestsQuery,
  ServiceActivityQuery,
  toActivityBody,
  toOwnRequestBody,
  toTrafficBody,
  toUsageByTokenBody,
  toUsageEventBody,
  toUsageSummaryBody,
  UsageByTokenBody,
  UsageEventsBody,
  UsageEventsQuery,
  UsageSummaryBody,
} from './usage.schemas.ts';
import type { UsageSelector, UsageStore } from './usage.store.ts';

const own = { tag: 'Tokens', surface: 'portal', hidden: true, access: sessionAccess(), method: 'get' } as const;
const shared = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess, method: 'get' } as const;

/** Retention of single requests, and how late they appear: part of descriptions. */
const REQUESTS_STORED =
  'Stored are the newest 10,000 requests of 30 days for each token, without query and body. Requests of the last 20 seconds may be missing; those of a server that stopped in between stay missing.';

/** `/tokens/requests`, `/tokens/activity`, `/tokens/{id}/activity`: the usage of the tokens of the signed-in account. */
export function createOwnUsageEndpoints(usage: UsageStore, tokens: Pick<TokenRegistry, 'find'>, rateLimits: TokenRateLimits): Endpoint[] {
  const ok = { description: 'Requests by day, hour and endpoint.', schema: UsageSummaryBody };
  return [
    defineRoute({
      ...own,
      path: '/tokens/activity',
      operationId: 'getTokensActivity',
      summary: 'Get total usage',
      description: 'Returns the requests of all tokens of the account in the window.',
      query: ActivityQuery,
      ok,
    }).handle(async ({ caller, query: { days }, now }) =>
      json(toUsageSummaryBody(days, await usage.summarize({ userId: sessionOf(caller).userId }, { days, now }))),
    ),

    defineRoute({
      ...own,
      path: '/tokens/activity/by-token',
      operationId: 'getTokensActivityByToken',
      summary: 'Get daily usage of each token',
      description: 'Returns the requests by day of each token of the account in the window, for at most 50 tokens.',
      query: ActivityQuery,
      ok: { description: 'Requests by day of each token.', schema: UsageByTokenBody },
    }).handle(async ({ caller, query: { days }, now }) =>
      json(toUsageByTokenBody(days, await usage.summarizeByToken(sessionOf(caller).userId, { days, now }))),
    ),

    defineRoute({
      ...own,
      path: '/tokens/requests',
      operationId: 'listTokensRequests',
      summary: 'List requests of your tokens',
      description: `Lists single requests of one token or of the 50 most recently used tokens of the account, newest first. ${REQUESTS_STORED}`,
      query: OwnRequestsOfTokenQuery,
      errors: ['bad_request'],
      ok: { description: 'A page of requests.', schema: OwnRequestsBody },
    }).handle(async ({ caller, query }) => {
      const { userId } = sessionOf(caller);
      const of = query.token_id === undefined ? { userId } : { userId, tokenId: query.token_id };
      return json(await pageOfRequests(query, (filter, limit) => usage.listEvents(of, filter, limit)));
    }),

    defineRoute({
      ...own,
      path: '/tokens/{id}/activity',
      operationId: 'getTokenActivity',
      summary: 'Get usage of a token',
      description:
        'Returns the requests of one token in the window and its remaining rate limits, which are empty for a token that no longer works.',
      params: TokenParams,
      query: ActivityQuery,
      errors: ['not_found'],
      ok: { ...ok, schema: createTokenUsageBody(createRateLimitBody(rateLimits.names)) },
    }).handle(async ({ caller, params, query: { days }, now, settings }) => {
      const token = await tokens.find(params.id);
      if (token?.userId !== sessionOf(caller).userId) throw notFound('token not found');
      const isUsable = !token.revoked && (token.expiresAt === null || now <= token.expiresAt);
      const [summary, remaining] = await Promise.all([
        usage.summarize({ tokenId: token.id }, { days, now }),
        isUsable ? rateLimits.listRemaining(token.id, settings, now) : [],
      ]);
      return json({ ...toUsageSummaryBody(days, summary), budgets: remaining.map(toRateLimitBody) });
    }),
  ];
}

/** `/v1/token/requests`: the requests of the token of the request. Free for the token, so its owner can read them after a 429. */
export const createTokenRequestsEndpoint = (usage: Pick<UsageStore, 'listTokenRequests'>): Endpoint =>
  defineRoute({
    method: 'get',
    path: '/v1/token/requests',
    operationId: 'listTokenRequests',
    tag: 'Service',
    summary: 'List requests of the token',
    description: `Lists the requests with the token sent with this one, newest first. \`refused_by\` says which rate limit refused a request and when its window ended. Requests for this list are not in it. ${REQUESTS_STORED}`,
    access: anyTokenAccess,
    query: OwnRequestsQuery,
    errors: ['bad_request'],
    ok: { description: 'A page of requests.', schema: OwnRequestsBody },
  }).handle(async ({ admission: { tokenId }, query }) => {
    if (tokenId === null) throw notFound('token required');
    return json(await pageOfRequests(query, (filter, limit) => usage.listTokenRequests(tokenId, filter, limit)));
  });

/** A page of requests. `list`: reads requests with a filter, newest first. */
async function pageOfRequests(
  query: z.infer<typeof OwnRequestsQuery>,
  list: (filter: RequestFilter, limit: number) => Promise<Parameters<typeof toOwnRequestBody>[0][]>,
): Promise<z.infer<typeof OwnRequestsBody>> {
  const filter = { statusCode: query.status_code, minStatusCode: query.min_status_code, belowId: keyOfCursor(query.cursor) ?? null };
  const { rows, nextCursor } = cutPage(await list(filter, query.limit + 1), query.limit, ({ id }) => id);
  return { items: rows.map(toOwnRequestBody), next_cursor: nextCursor, has_more: nextCursor !== null };
}

/**
 * Token or account of the query; one is required. Requests are stored in one object per token, so a global list would query every object.
 */
function ownerOf({ user_id: userId, token_id: tokenId }: z.infer<typeof UsageEventsQuery>): UsageSelector {
  if (tokenId !== undefined) return { tokenId, userId };
  if (userId !== undefined) return { userId };
  throw validationError([{ loc: ['query', 'user_id'], msg: 'user_id or token_id is required', type: 'required' }]);
}

/** Usage endpoints for administrators. */
export function createUsageAdminEndpoints(usage: UsageStore): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/admin/users/{id}/activity',
      operationId: 'getActivityOfUser',
      summary: 'Get usage of an account',
      description: 'Returns the requests of all tokens of an account in the window.',
      params: UserParams,
      query: ActivityQuery,
      ok: { description: 'Requests by day and by endpoint.', schema: UsageSummaryBody },
    }).handle(async ({ params, query: { days }, now }) =>
      json(toUsageSummaryBody(days, await usage.summarize({ userId: params.id }, { days, now }))),
    ),

    defineRoute({
      ...shared,
      path: '/admin/activity',
      operationId: 'getServiceActivity',
      summary: 'Get service usage',
      description:
        'Returns the requests of all tokens in the window, and the accounts with the most requests; tokens report every 6 hours. `traffic` has the requests of the whole service, within two minutes.',
      query: ServiceActivityQuery,
      ok: { description: 'Requests and top accounts.', schema: ActivityBody },
    }).handle(async ({ query: { days, top }, now }) => {
      const [sums, { rows, periodSeconds }] = await Promise.all([
        usage.summarizeAllAccounts({ days, now }, top),
        usage.listTraffic({ days, now }),
      ]);
      return json(toActivityBody(days, sums, toTrafficBody(rows, periodSeconds), now));
    }),

    defineRoute({
      ...shared,
      path: '/admin/events',
      operationId: 'listUsageEvents',
      summary: 'List requests of tokens',
      description:
        'Lists single requests of a token, or of the 50 most recently used tokens of an account, newest first: 30 days, 10,000 per token.',
      query: UsageEventsQuery,
      errors: ['bad_request'],
      ok: { description: 'A page of requests.', schema: UsageEventsBody },
    }).handle(async ({ query }) => {
      const belowId = keyOfCursor(query.cursor) ?? null;
      const events = await usage.listEvents(ownerOf(query), { statusCode: query.status_code, belowId }, query.limit + 1);
      const { rows, nextCursor } = cutPage(events, query.limit, ({ id }) => id);
      return json({ items: rows.map(toUsageEventBody), next_cursor: nextCursor, has_more: nextCursor !== null });
    }),
  ];
}
