import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { type BodySource, defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { optionalInteger } from '../../../platform/http/pipeline/query-schemas.ts';
import { json, type Representation } from '../../../platform/http/replies/reply.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { isoInstant } from '../computed/computed.schemas.ts';
import { delveWeekAt } from '../schedules/delves.domain.ts';
import { delveRules } from '../schedules/schedules.data.ts';
import type { DelvesStore, DelveWeek, DelveWeekSummary } from './delves.store.ts';

const DelvesQuery = z.object({
  week: optionalInteger({
    min: 0,
    max: 1_000_000,
    description: 'Id of the week; defaults to the current week. Week 1 began on Monday 2025-11-03 11:00 UTC.',
    example: 19,
  }),
});

const week = z.number().int().openapi({ description: 'Id of the week.', example: 19 });
const counts = {
  total: z.number().int().openapi({ description: 'Total number of floors according to the source.', example: 120 }),
  count: z.number().int().openapi({ description: 'Number of stored floors.', example: 120 }),
};
const FetchedAt = isoInstant('Time when the week was last fetched; null if nothing is stored.');

const DelveFloorBody = z.looseObject({}).openapi('DelveFloor', {
  description: 'A floor as received from the community source: all keys are optional, unknown keys may occur.',
  example: { depth: 110 },
});

const DelvesBody = z
  .object({
    week,
    is_current: z.boolean().openapi({ description: 'Whether this is the current week.', example: true }),
    ...counts,
    fetched_at: FetchedAt.nullable(),
    depths: z.array(DelveFloorBody).openapi({ description: 'Floors, relayed unchanged.' }),
  })
  .openapi('Delves', { description: 'The floors of a delve week.' });

const DelveWeekBody = z
  .object({ week, ...counts, fetched_at: FetchedAt })
  .openapi('DelveWeek', { description: 'A stored delve week, without its floors.' });

export const DelveWeeksBody = z
  .object({
    current_week: week,
    items: z.array(DelveWeekBody).openapi({ description: 'All stored weeks, newest first.' }),
    count: z.number().int().openapi({ description: 'Number of stored weeks.', example: 1 }),
  })
  .openapi('DelveWeeks', { description: 'The stored delve weeks.' });

export function toDelveWeeksBody(currentWeek: number, weeks: readonly DelveWeekSummary[]): z.infer<typeof DelveWeeksBody> {
  const items = weeks.map(({ week, total, count, fetchedAt }) => ({ week, total, count, fetched_at: toIso(fetchedAt) }));
  return { current_week: currentWeek, items, count: items.length };
}

const shared = {
  method: 'get',
  tag: 'Rotations',
  access: publicAccess('rotations:read'),
  feature: 'featureDelvesEnabled',
} as const;

/** Endpoints of delve floors; 404 while the feature is disabled. */
export function createDelveEndpoints(delves: DelvesStore, weeks: BodySource<z.output<typeof DelveWeeksBody>>): Endpoint[] {
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
