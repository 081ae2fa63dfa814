import { adminAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { cutPage, keyIn } from '../../platform/http/replies/page.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { UsageRepository } from '../../platform/usage/usage.repository.ts';
import {
  ActivityBody,
  ActivityQuery,
  toActivityBody,
  toUsageEventBody,
  toUsageSummaryBody,
  UsageSummaryBody,
} from '../../platform/usage/usage.schemas.ts';
import { UserParams } from './tokens.schemas.ts';
import { ServiceActivityQuery, UsageEventsBody, UsageEventsQuery } from './usage.schemas.ts';

const shared = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess, method: 'get' } as const;

/** What the service is used for, and by whom. */
export function createUsageAdminEndpoints(usage: UsageRepository): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/admin/users/{id}/activity',
      operationId: 'getActivityOfUser',
      summary: 'Use of the tokens of an account',
      description: 'Requests of all tokens of an account in the last days.',
      params: UserParams,
      query: ActivityQuery,
      ok: { description: 'Requests by day and by endpoint.', schema: UsageSummaryBody },
    }).handle(async ({ params, query: { days }, now }) =>
      json(toUsageSummaryBody(days, await usage.summary({ userId: params.id }, { days, now }))),
    ),

    defineRoute({
      ...shared,
      path: '/admin/activity',
      operationId: 'getServiceActivity',
      summary: 'Use of the service',
      description: 'Requests of all tokens in the last days, and the accounts with most of them.',
      query: ServiceActivityQuery,
      ok: { description: 'Requests, and who made them.', schema: ActivityBody },
    }).handle(async ({ query: { days, top }, now }) => json(toActivityBody(days, await usage.everybody({ days, now }, top)))),

    defineRoute({
      ...shared,
      path: '/admin/events',
      operationId: 'listUsageEvents',
      summary: 'Requests of tokens',
      description: 'Single requests of the last 30 days, about 10,000 of each account, newest first.',
      query: UsageEventsQuery,
      errors: ['bad_request'],
      ok: { description: 'A page of requests.', schema: UsageEventsBody },
    }).handle(async ({ query }) => {
      const belowId = keyIn(query.cursor) ?? null;
      const read = await usage.events({ userId: query.user_id, statusCode: query.status_code, belowId }, query.limit + 1);
      const { rows, nextCursor } = cutPage(read, query.limit, ({ id }) => id);
      return json({ items: rows.map(toUsageEventBody), next_cursor: nextCursor, has_more: nextCursor !== null });
    }),
  ];
}
