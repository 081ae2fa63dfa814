import { z } from '@hono/zod-openapi';
import { modelImageUrl } from '../../../game/model-image.ts';
import { defineResource } from '../../../platform/area/resource.ts';
import { integer, orNull, string } from '../../../platform/http/bodies/body-schemas.ts';
import { jsonWithClock } from '../../../platform/http/replies/reply.ts';
import { SECONDS_PER_DAY, toIso } from '../../../platform/kit/time/clock.ts';
import { isoInstant, rotation, windowAround } from '../computed/computed.schemas.ts';
import { chaosChestWeekAt } from '../schedules/reports.domain.ts';
import { chaosChestWeek } from '../schedules/schedules.data.ts';
import type { ReportsService } from './reports.service.ts';

declare module '../../../platform/events/event-declaration.ts' {
  interface EventBodies {
    chaos: z.infer<typeof ChaosChestBody>;
  }
}

export const imageUrl = z.string().nullable().openapi({
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

const ChaosChestBody = z
  .object({
    active: z.boolean().openapi({ description: 'Whether the window is open.', example: true }),
    starts_at: integer('Start of the week, Tuesday 11:00 UTC (unix seconds).', 1_773_140_400),
    ends_at: integer('End of the week (unix seconds).', 1_773_745_200),
    seconds_remaining: z.number().int().openapi({ description: 'Seconds until the end of the window.', example: 588_600 }),
    item: orNull(ChaosChestItemBody, 'Featured item; null until known.'),
    fetched_at: isoInstant('Time when the item was reported or fetched; null without an item.').nullable(),
  })
  .openapi('ChaosChest', { description: 'The chaos chest of the week.' });

export const chaosChest = defineResource(ChaosChestBody)({
  ...rotation,
  path: '/v1/rotations/chaos-chest',
  operationId: 'getChaosChest',
  summary: 'Get the chaos chest',
  description:
    'Returns the featured item of the week: the one reported for this week, otherwise one relayed from a community source, otherwise null.',
  ok: 'The chaos chest.',
  async read({ now, baseUrl }, service: ReportsService) {
    const { item, fetched_at, ...window } = await service.chaosChest(now);
    return { ...window, item: item && { ...item, image_url: modelImageUrl(baseUrl, item.blueprint) }, fetched_at };
  },
  represent: (body) => jsonWithClock(body, ['seconds_remaining']),
  event: {
    type: 'chaos',
    row: 2,
    label: 'Chaos chest',
    summary: 'The item of the chaos chest is known',
    hint: 'the item of the week, when it is known',
    sample: (now) => ({
      active: true,
      ...windowAround(now, 7 * SECONDS_PER_DAY),
      seconds_remaining: SECONDS_PER_DAY,
      item: { name: 'Emberforged Dragon Egg', identifier: null, blueprint: null, image_url: null },
      fetched_at: toIso(now),
    }),
    chat: {
      text: { title: 'Chaos chest: {item}', color: '#F2A33C', fields: [['Until', '{ends_at:f}']] },
      keyOf: ({ starts_at: startsAt, item }) => `chaos:${startsAt}:${item?.name}`,
      variablesOf: ({ item, starts_at: startsAt, ends_at: endsAt }) =>
        item && { item: item.name, image_url: item.image_url, starts_at: startsAt, ends_at: endsAt },
    },
    // Start of the next week. A relayed item may end earlier; the periodic check of the event stream detects that.
    changesAt: (now) => chaosChestWeekAt(now, chaosChestWeek).ends_at,
    refresh: (service) => service.invalidateReads(),
    signature: ({ starts_at, item }) => `${starts_at}:${item?.name ?? ''}`,
  },
});
