import { z } from '@hono/zod-openapi';
import { UsageEventBody } from '../../platform/access/usage/usage.schemas.ts';
import { integerWithDefault, optionalInteger } from '../../platform/http/pipeline/query-schemas.ts';
import { NextCursor } from '../../platform/http/replies/page.ts';

export const ServiceActivityQuery = z.object({
  days: integerWithDefault({ min: 1, max: 365, default: 7, description: 'Length of the window in days, ending now.', example: 7 }),
  top: integerWithDefault({ min: 1, max: 100, default: 10, description: 'Maximum number of accounts.', example: 10 }),
});

export const UsageEventsQuery = z.object({
  user_id: z.string().max(64).optional().openapi({
    description: 'Only requests of this account. Required without `token_id`.',
    example: '9d5c6f0e-1f7a-4c53-8d0b-6a1f6c2f9a11',
    'x-sample': true,
  }),
  token_id: z
    .string()
    .max(64)
    .optional()
    .openapi({ description: 'Only requests of this token.', example: '3f0c8a52-4cf1-4a55-9a10-6e2f0f2c7a11' }),
  status_code: optionalInteger({ min: 100, max: 599, description: 'Only requests with this status.', example: 429 }),
  cursor: z.string().max(200).optional().openapi({ description: 'The `next_cursor` of the previous page.', example: 'WzFd' }),
  limit: integerWithDefault({ min: 1, max: 200, default: 50, description: 'Maximum number of items on the page.', example: 50 }),
});

export const UsageEventsBody = z
  .object({
    items: z.array(UsageEventBody).openapi({ description: 'Newest first.' }),
    next_cursor: NextCursor,
    has_more: z.boolean().openapi({ description: 'Whether there is a next page.', example: false }),
  })
  .openapi('UsageEvents');
