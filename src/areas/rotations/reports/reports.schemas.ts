import { z } from '@hono/zod-openapi';
import { modelImageUrl } from '../../../game/model-image.ts';
import { integer, string } from '../../../platform/http/bodies/body-schemas.ts';
import { severalLines } from '../../../platform/http/bodies/typed-texts.ts';
import { historyPage } from '../../../platform/http/pipeline/query-schemas.ts';
import { NextCursor } from '../../../platform/http/replies/page.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { isoInstant } from '../computed/computed.schemas.ts';
import type { Cycle } from '../schedules/cycle.domain.ts';
import {
  type ChallengeRules,
  type ChaosChestCapture,
  challengeEndsAt,
  challengeTypeOf,
  chaosChestWeekEndsAt,
} from '../schedules/reports.domain.ts';
import { ChallengeType } from './challenge.resource.ts';
import { imageUrl } from './chaos-chest.resource.ts';
import type { ChallengeCaptureRow } from './reports.store.ts';

export const ChaosChestHistoryQuery = z.object(historyPage({ max: 200, default: 50 }));
export const ChallengeHistoryQuery = z.object(historyPage({ max: 500, default: 50 }));

const ChaosChestHistoryItem = z
  .object({
    week_anchor: integer('Start of the week (unix seconds).', 1_773_140_400),
    week_ends_at: integer('End of the week (unix seconds).', 1_773_745_200),
    name: string('Name of the featured item.', 'Emberforged Dragon Egg'),
    image_url: imageUrl,
    captured_at: isoInstant('Time when the report was received.'),
  })
  .openapi('ChaosChestHistoryItem', { description: 'The featured item of one week.' });

const ChallengeHistoryItem = z
  .object({
    window_anchor: integer('Start of the window (unix seconds).', 1_773_154_800),
    window_ends_at: integer('End of the window (unix seconds).', 1_773_156_000),
    name: string('Name as reported.', 'RAMPAGE ALERT!'),
    type: ChallengeType,
    is_friday_window: z.boolean().openapi({ description: 'Whether the window is on Friday 11:00 to Saturday 11:00 UTC.', example: false }),
    captured_at: isoInstant('Time when the report was received.'),
  })
  .openapi('ChallengeHistoryItem', { description: 'The challenge of one window.' });

interface Page<Row> {
  rows: Row[];
  total: number;
  nextCursor: string | null;
}

/** Body of a page of a history. */
export function historyBody<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).openapi({ description: 'Newest first.' }),
    count: z.number().int().openapi({ description: 'Number of items on this page.', example: 1 }),
    total: z.number().int().openapi({ description: 'Total number of items.', example: 1 }),
    next_cursor: NextCursor,
  });
}

export const ChaosChestHistoryBody = historyBody(ChaosChestHistoryItem).openapi('ChaosChestHistory', {
  description: 'A page of featured items.',
});
export const ChallengeHistoryBody = historyBody(ChallengeHistoryItem).openapi('ChallengeHistory', { description: 'A page of challenges.' });

export function toChaosChestHistoryBody(
  { rows, total, nextCursor }: Page<ChaosChestCapture>,
  { week, blueprints, baseUrl }: { week: Cycle; blueprints: ReadonlyMap<string, string>; baseUrl: string },
): z.infer<typeof ChaosChestHistoryBody> {
  const items = rows.map(({ weekAnchorAt, name, capturedAt }) => ({
    week_anchor: weekAnchorAt,
    week_ends_at: chaosChestWeekEndsAt(weekAnchorAt, week),
    name,
    image_url: modelImageUrl(baseUrl, blueprints.get(name) ?? null),
    captured_at: toIso(capturedAt),
  }));
  return { items, count: items.length, total, next_cursor: nextCursor };
}

export function toChallengeHistoryBody(
  { rows, total, nextCursor }: Page<ChallengeCaptureRow>,
  rules: ChallengeRules,
): z.infer<typeof ChallengeHistoryBody> {
  const items = rows.map(({ windowAnchorAt, name, isFridayWindow, capturedAt }) => ({
    window_anchor: windowAnchorAt,
    window_ends_at: challengeEndsAt(windowAnchorAt, rules),
    name,
    type: challengeTypeOf(name, rules),
    is_friday_window: isFridayWindow,
    captured_at: toIso(capturedAt),
  }));
  return { items, count: items.length, total, next_cursor: nextCursor };
}

export const CaptureInsert = z
  .object({
    name: severalLines(string('Name displayed in the game; 1 to 200 characters after trimming, no control characters.', 'RAMPAGE ALERT!')),
  })
  .openapi('CaptureInsert', { description: 'A reported name.' });

export const CaptureInserted = z
  .object({
    anchor: integer('Start of the week or window of the report (unix seconds).', 1_773_154_800),
    name: string('Stored name.', 'RAMPAGE ALERT!'),
    refreshed: z.boolean().openapi({ description: '`false` for the first report of this week or window.', example: false }),
  })
  .openapi('CaptureInserted', { description: 'Result of the report.' });
