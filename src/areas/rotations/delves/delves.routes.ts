import type { z } from '@hono/zod-openapi';
import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { type BodySource, defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json, type Representation } from '../../../platform/http/replies/reply.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { delveRules } from '../schedules.data.ts';
import { delveWeekAt } from './delves.domain.ts';
import { DelvesBody, DelvesQuery, DelveWeeksBody } from './delves.schemas.ts';
import type { DelvesRepository, DelveWeek } from './delves.store.ts';

const shared = {
  method: 'get',
  tag: 'Rotations',
  access: publicAccess('rotations:read'),
  feature: 'featureDelvesEnabled',
} as const;

/** Endpoints of delve floors; 404 while the feature is disabled. */
export function createDelveEndpoints(delves: DelvesRepository, weeks: BodySource<z.output<typeof DelveWeeksBody>>): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/v1/rotations/delves',
      operationId: 'getDelves',
      summary: 'List delve floors',
      description:
        'Lists the floors of the current or a stored week. Empty for the current week until floors are known; returns 404 for other weeks that are not stored.',
      query: DelvesQuery,
      errors: ['not_found'],
      ok: { description: 'The floors.', schema: DelvesBody },
    }).handle(async ({ query, now }) => {
      const current = delveWeekAt(now, delveRules);
      const week = query.week ?? current;
      const stored = await delves.find(week);
      if (!stored && query.week !== undefined) throw notFound(`no floors found for week ${week}`);
      return delvesReply(week, week === current, stored);
    }),

    defineRoute({
      ...shared,
      path: '/v1/rotations/delves/weeks',
      operationId: 'listDelveWeeks',
      summary: 'List delve weeks',
      description: 'Lists the weeks with stored floors, newest first.',
      ok: { description: 'The weeks.', schema: DelveWeeksBody },
    }).handle(({ now, settings, baseUrl }) => weeks(now, settings, baseUrl)),
  ];
}

/** Inserts the stored JSON text of the floors unparsed. */
function delvesReply(week: number, isCurrent: boolean, stored: DelveWeek | null): Representation<z.output<typeof DelvesBody>> {
  if (!stored) return json({ week, is_current: isCurrent, total: 0, count: 0, fetched_at: null, depths: [] });
  const { total, count, fetchedAt, floorsText } = stored;
  const head = JSON.stringify({ week, is_current: isCurrent, total, count, fetched_at: toIso(fetchedAt) });
  return { kind: 'json', text: `${head.slice(0, -1)},"depths":${floorsText}}` };
}
