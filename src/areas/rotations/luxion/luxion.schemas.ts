import { z } from '@hono/zod-openapi';
import { integer } from '../../../platform/http/bodies/body-schemas.ts';
import { booleanWithDefault, historyPage } from '../../../platform/http/pipeline/query-schemas.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { isoInstant } from '../computed/computed.schemas.ts';
import { historyBody } from '../reports/reports.schemas.ts';
import { type LuxionRules, type LuxionRun, luxionEndsAt } from '../schedules/luxion.domain.ts';
import type { LuxionReported } from './luxion.store.ts';

export const LuxionHistoryQuery = z.object(historyPage({ max: 200, default: 50 }));

export const LuxionInsertQuery = z.object({
  present: booleanWithDefault({
    default: true,
    description: 'Whether the merchant is present. `false` ends the current run.',
    example: true,
  }),
});

const LuxionHistoryItem = z
  .object({
    started_at: integer('Start of the run: its first sighting (unix seconds).', 1_784_646_360),
    ends_at: integer('End of the run (unix seconds).', 1_785_279_600),
    first_seen_at: isoInstant('First sighting.'),
    last_seen_at: isoInstant('Last sighting.'),
  })
  .openapi('LuxionHistoryItem', { description: 'A reported run.' });

export const LuxionHistoryBody = historyBody(LuxionHistoryItem).openapi('LuxionHistory', { description: 'A page of runs.' });

export function toLuxionHistoryBody(
  { rows, total, nextCursor }: { rows: LuxionRun[]; total: number; nextCursor: string | null },
  rules: LuxionRules,
): z.infer<typeof LuxionHistoryBody> {
  const items = rows.map((run) => ({
    started_at: run.firstSeenAt,
    ends_at: luxionEndsAt(run, rules),
    first_seen_at: toIso(run.firstSeenAt),
    last_seen_at: toIso(run.lastSeenAt),
  }));
  return { items, count: items.length, total, next_cursor: nextCursor };
}

export const LuxionInserted = z
  .object({
    anchor: integer('Start of the game day of the first sighting of the run (unix seconds).', 1_784_631_600),
    name: z.literal('luxion').openapi({ description: 'Name of the merchant.', example: 'luxion' }),
    refreshed: z
      .boolean()
      .openapi({ description: '`true` when the report changed a stored run, `false` when it began one.', example: false }),
  })
  .openapi('LuxionInserted', { description: 'Result of the report.' });

export function toLuxionInserted({ anchor, refreshed }: LuxionReported): z.infer<typeof LuxionInserted> {
  return { anchor, name: 'luxion', refreshed };
}
