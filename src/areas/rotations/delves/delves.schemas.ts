import { z } from '@hono/zod-openapi';
import { optionalInteger } from '../../../platform/http/pipeline/query-schemas.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { isoInstant } from '../rotations.schemas.ts';
import type { DelveWeekSummary } from './delves.store.ts';

export const DelvesQuery = z.object({
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

export const DelvesBody = z
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
