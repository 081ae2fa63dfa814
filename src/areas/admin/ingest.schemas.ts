import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import { integerWithDefault, optionalBoolean } from '../../platform/http/pipeline/query-schemas.ts';
import { NextCursor } from '../../platform/http/replies/page.ts';
import type { IngestEntry } from '../../platform/ingest/ingest-log.ts';
import { toIso } from '../../platform/time/clock.ts';

export const IngestLogQuery = z.object({
  limit: integerWithDefault({ min: 1, max: 200, default: 20, description: 'Maximum number of items.', example: 20 }),
  endpoint: z.string().max(40).optional().openapi({ description: 'Only this insert endpoint.', example: 'challenge' }),
  success: optionalBoolean({ description: 'Only successful (`true`) or only failed (`false`) inserts.', example: true }),
  cursor: z.string().max(200).optional().openapi({ description: 'The `next_cursor` of the previous page.', example: 'WzFd' }),
});

export const IngestLogBody = z
  .object({
    items: z
      .array(
        z
          .object({
            endpoint: z.string().openapi({ description: 'Insert endpoint.', example: 'challenge' }),
            timestamp: z.string().openapi({ description: 'Time of the insert.', example: '2026-03-10T15:30:00.000Z' }),
            user_email: z
              .string()
              .nullable()
              .openapi({ description: 'Email address of the account; null if the account was deleted.', example: 'bot@example.com' }),
            success: z.boolean().openapi({ description: 'Whether the insert succeeded.', example: true }),
            summary: z.string().nullable().openapi({ description: 'Summary of the imported data, or null.', example: 'RAMPAGE ALERT!' }),
            error: z.string().nullable().openapi({ description: 'Reason of the failure, or null.', example: null }),
            auth_via: namedEnum('IngestAuthentication', 'Authentication method of an insert.', ['api_token', 'session', 'service']).openapi(
              {
                description: 'Authentication method.',
                example: 'api_token',
              },
            ),
            token_name: z.string().nullable().openapi({ description: 'Name of the token, or null.', example: 'bot' }),
          })
          .openapi('IngestEntry'),
      )
      .openapi({ description: 'Newest first.' }),
    count: z.number().int().openapi({ description: 'Number of items.', example: 1 }),
    next_cursor: NextCursor,
  })
  .openapi('IngestEntries');

export function toIngestBody(entry: IngestEntry): z.infer<typeof IngestLogBody>['items'][number] {
  return {
    endpoint: entry.endpoint,
    timestamp: toIso(entry.now),
    user_email: entry.userEmail,
    success: entry.error === null,
    summary: entry.summary,
    error: entry.error,
    auth_via: entry.tokenId !== null ? 'api_token' : entry.userId === null ? 'service' : 'session',
    token_name: entry.tokenName,
  };
}
