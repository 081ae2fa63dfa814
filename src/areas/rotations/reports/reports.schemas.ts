import { z } from '@hono/zod-openapi';
import { modelImageUrl } from '../../../game/model-image.ts';
import { enumOf, integer, orNull, string } from '../../../platform/http/bodies/body-schemas.ts';
import { severalLines } from '../../../platform/http/bodies/typed-texts.ts';
import { historyPage } from '../../../platform/http/pipeline/query-schemas.ts';
import { NextCursor } from '../../../platform/http/replies/page.ts';
import { jsonWithClock } from '../../../platform/http/replies/reply.ts';
import { toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { isoInstant, toWindow } from '../computed/computed.schemas.ts';
import type { Cycle } from '../computed/cycle.domain.ts';
import {
  CHALLENGE_TYPES,
  type Challenge,
  type ChallengeRules,
  type ChaosChest,
  type ChaosChestCapture,
  challengeEndsAt,
  challengeTypeOf,
  chaosChestWeekEndsAt,
} from './reports.domain.ts';
import type { ChallengeCaptureRow } from './reports.store.ts';

export const ChaosChestHistoryQuery = z.object(historyPage({ max: 200, default: 50 }));
export const ChallengeHistoryQuery = z.object(historyPage({ max: 500, default: 50 }));

const isoOrNull = (value: UnixSeconds | null) => (value === null ? null : toIso(value));

const imageUrl = z.string().nullable().openapi({
  description: 'URL of an image of the item, 256 x 256 pixels; null if its model is unknown.',
  example: null,
});

const ChaosChestItemBody = z
  .object({
    name: string('Name of the featured item.', 'Emberforged Dragon Egg'),
    identifier: z.string().nullable().openapi({ description: 'Path of the item in the game files, or null when unknown.', example: null }),
    blueprint: z.string().nullable().openapi({ description: 'Blueprint of the item, or null when unknown.', example: null }),
    image_url: imageUrl,
  })
  .openapi('ChaosChestItem', { description: 'The item featured in a chaos chest.' });

export const ChaosChestBody = z
  .object({
    active: z.boolean().openapi({ description: 'Whether the window is open.', example: true }),
    starts_at: integer('Start of the week, Tuesday 11:00 UTC (unix seconds).', 1_773_140_400),
    ends_at: integer('End of the week (unix seconds).', 1_773_745_200),
    seconds_remaining: z.number().int().openapi({ description: 'Seconds until the end of the window.', example: 588_600 }),
    item: orNull(ChaosChestItemBody, 'Featured item; null until known.'),
    fetched_at: isoInstant('Time when the item was reported or fetched; null without an item.').nullable(),
  })
  .openapi('ChaosChest', { description: 'The chaos chest of the week.' });

function toChaosChestBody(chest: ChaosChest, baseUrl: string): z.infer<typeof ChaosChestBody> {
  const { item } = chest;
  return {
    active: chest.active,
    ...toWindow(chest),
    seconds_remaining: chest.secondsRemaining,
    item: item && {
      name: item.name,
      identifier: item.identifier,
      blueprint: item.blueprint,
      image_url: modelImageUrl(baseUrl, item.blueprint),
    },
    fetched_at: isoOrNull(chest.fetchedAt),
  };
}

const ChaosChestHistoryItem = z
  .object({
    week_anchor: integer('Start of the week (unix seconds).', 1_773_140_400),
    week_ends_at: integer('End of the week (unix seconds).', 1_773_745_200),
    name: string('Name of the featured item.', 'Emberforged Dragon Egg'),
    image_url: imageUrl,
    captured_at: isoInstant('Time when the report was received.'),
  })
  .openapi('ChaosChestHistoryItem', { description: 'The featured item of one week.' });

const ChallengeType = enumOf(CHALLENGE_TYPES).openapi({
  description: 'Type derived from the name; unknown names are dungeons.',
  example: 'rampage',
});

export const ChallengeBody = z
  .object({
    starts_at: integer('Start of the window (unix seconds).', 1_773_154_800),
    ends_at: integer('End of the window, 20 minutes later (unix seconds).', 1_773_156_000),
    active: z.boolean().openapi({ description: '`false` in the gap after the window.', example: false }),
    is_friday_window: z
      .boolean()
      .openapi({ description: 'Whether the window is on Friday 11:00 to Saturday 11:00 UTC, with two windows per hour.', example: false }),
    seconds_remaining: z.number().int().openapi({ description: 'Seconds until the end of the window; 0 in the gap.', example: 0 }),
    name: z.string().nullable().openapi({ description: 'Name of the challenge; null until reported.', example: 'RAMPAGE ALERT!' }),
    type: ChallengeType.nullable(),
    captured_at: isoInstant('Time when the challenge was reported; null until then.').nullable(),
  })
  .openapi('Challenge', { description: 'The current or last challenge window.' });

function toChallengeBody(challenge: Challenge): z.infer<typeof ChallengeBody> {
  return {
    ...toWindow(challenge),
    active: challenge.active,
    is_friday_window: challenge.isFridayWindow,
    seconds_remaining: challenge.secondsRemaining,
    name: challenge.name,
    type: challenge.type,
    captured_at: isoOrNull(challenge.capturedAt),
  };
}

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

/** Serialized challenge of the endpoint, the snapshot and the event stream. */
export const challengeBody = (challenge: Challenge) => jsonWithClock(toChallengeBody(challenge), ['seconds_remaining']);

/** Serialized chaos chest of the endpoint, the snapshot and the event stream. */
export const chaosChestBody = (chest: ChaosChest, baseUrl: string) =>
  jsonWithClock(toChaosChestBody(chest, baseUrl), ['seconds_remaining']);
