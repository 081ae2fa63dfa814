import { z } from '@hono/zod-openapi';
import { nameList } from '../../platform/http/pipeline/query-schemas.ts';

export const HealthBody = z
  .object({
    status: z.literal('ok').openapi({ description: 'The service answers.', example: 'ok' }),
    problems: z
      .array(z.string().openapi({ example: 'BASE_URL is empty: mails with links are not sent' }))
      .optional()
      .openapi({ description: 'Mistakes in the configuration that switch a part of the service off; absent when there are none.' }),
  })
  .openapi('Health', { description: 'State of the service.' });

/** Names come from the areas, so the schema is made for them. */
export function snapshotQuery(names: readonly string[]) {
  return z.object({
    include: nameList(names, {
      description: `Comma-separated parts in the order wanted; all rotations when absent. Parts: ${names.join(', ')}.`,
      example: 'server-time,corruxion',
    }).optional(),
  });
}

export const SnapshotParts = z
  .object({
    parts: z.record(z.string(), z.unknown()).openapi({
      description: 'Each part is exactly the body of its own route; null for one that is switched off.',
      example: { 'server-time': {} },
    }),
  })
  .openapi('Snapshot', { description: 'Several bodies of one instant.' });
