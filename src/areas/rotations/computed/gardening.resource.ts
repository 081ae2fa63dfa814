import { z } from '@hono/zod-openapi';
import { defineResource } from '../../../platform/area/resource.ts';
import { gardeningAt, gardeningNextChangeAt } from '../schedules/computed.domain.ts';
import { gardeningRules } from '../schedules/schedules.data.ts';
import { Active, constantUntil, rotation, windowFields } from './computed.schemas.ts';

const GardeningWindowBody = z
  .object({
    name: z.string().openapi({ description: 'Type of plants.', example: '2-day plants' }),
    active: Active,
    ...windowFields,
  })
  .openapi('GardeningWindow', { description: 'A harvest day of one type of plants.' });

const GardeningBody = z
  .object({
    two_day: GardeningWindowBody,
    three_day: GardeningWindowBody,
    upcoming: z.array(GardeningWindowBody).openapi({ description: 'Next ten harvest days of both types, earliest first.' }),
  })
  .openapi('Gardening', { description: 'Harvest days of both types of plants.' });

export const gardening = defineResource(GardeningBody)({
  ...rotation,
  path: '/v1/rotations/gardening',
  operationId: 'getGardening',
  summary: 'Get gardening windows',
  description: 'Returns the harvest days of two-day and three-day plants.',
  ...constantUntil(
    (now) => gardeningNextChangeAt(now, gardeningRules),
    (now) => gardeningAt(now, gardeningRules),
  ),
});
