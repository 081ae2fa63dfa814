import { z } from '@hono/zod-openapi';
import { integer, orNull } from '../../../platform/http/bodies/body-schemas.ts';
import { booleanWithDefault, historyPage } from '../../../platform/http/pipeline/query-schemas.ts';
import { jsonWithClock } from '../../../platform/http/replies/reply.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { isoInstant, toWindow } from '../computed/computed.schemas.ts';
import { historyBody } from '../reports/reports.schemas.ts';
import { type Luxion, type LuxionRules, type LuxionRun, type LuxionWindow, luxionEndsAt } from './luxion.domain.ts';
import type { LuxionReported } from './luxion.store.ts';

export const LuxionHistoryQuery = z.object(historyPage({ max: 200, default: 50 }));

export const LuxionInsertQuery = z.object({
  present: booleanWithDefault({
    default: true,
    description: 'Whether the merchant is present. `false` ends the current run.',
    example: true,
  }),
});

const LuxionWindowBody = z
  .object({
    starts_at: integer('Start of the window (unix seconds).', 1_784_685_600),
    ends_at: integer('End of the window, exclusive (unix seconds).', 1_784_696_400),
    state: z.string().openapi({ description: 'Position of the window in the run: `Day 1` to `Day 7`.', example: 'Day 1' }),
  })
  .openapi('LuxionWindow', { description: 'A window in which the merchant trades.' });

export const LuxionBody = z
  .object({
    active: z.boolean().openapi({ description: 'Whether a run of the merchant has begun and not ended.', example: true }),
    merchant_open: z.boolean().openapi({ description: 'Whether the merchant trades now.', example: true }),
    starts_at: integer(
      'Start of the newest run: its first sighting (unix seconds); null before the first report.',
      1_784_646_360,
    ).nullable(),
    ends_at: integer('End of the newest run (unix seconds); null before the first report.', 1_785_279_600).nullable(),
    seconds_remaining: z
      .number()
      .int()
      .openapi({ description: 'Seconds until the window closes or opens, otherwise until the run ends; 0 after the run.', example: 7200 }),
    current_window: orNull(LuxionWindowBody, 'Open window; null while closed.'),
    next_window: orNull(LuxionWindowBody, 'Next window of the run; null when there is none.'),
    schedule: z.array(LuxionWindowBody).openapi({ description: 'Windows of the newest run, earliest first, at most seven.' }),
    first_seen_at: isoInstant('First sighting of the newest run; null before the first report.').nullable(),
    last_seen_at: isoInstant('Last sighting of the newest run; null before the first report.').nullable(),
  })
  .openapi('Luxion', { description: 'The captured merchant Luxion: its newest reported run.' });

const toWindowBody = (window: LuxionWindow) => ({ ...toWindow(window), state: `Day ${window.position}` });

function toLuxionBody({ active, run, secondsRemaining, currentWindow, nextWindow, schedule }: Luxion): z.infer<typeof LuxionBody> {
  return {
    active,
    merchant_open: currentWindow !== null,
    starts_at: run?.startsAt ?? null,
    ends_at: run?.endsAt ?? null,
    seconds_remaining: secondsRemaining,
    current_window: currentWindow && toWindowBody(currentWindow),
    next_window: nextWindow && toWindowBody(nextWindow),
    schedule: schedule.map(toWindowBody),
    first_seen_at: run && toIso(run.firstSeenAt),
    last_seen_at: run && toIso(run.lastSeenAt),
  };
}

/** Serialized merchant of the endpoint, the snapshot and the event stream. */
export const luxionBody = (luxion: Luxion) => jsonWithClock(toLuxionBody(luxion), ['seconds_remaining']);

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
