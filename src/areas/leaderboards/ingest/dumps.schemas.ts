import { z } from '@hono/zod-openapi';
import { integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { NextCursor } from '../../../platform/http/replies/page.ts';
import type { StoredDump } from './raw-dumps.repository.ts';

const DUMP_EXAMPLE = '001773154800/1773140400-6f1c6a3e-0d8e-4a59-8c7b-3f6f4f1f0a11';
const ANCHOR_EXAMPLE = 1_773_140_400;
const MAX_DUMP_KEY_LENGTH = 200;

const dump = z.string().max(MAX_DUMP_KEY_LENGTH).openapi({ description: 'Key of the dump.', example: DUMP_EXAMPLE });
const anchor = z.number().int().openapi({ description: 'Anchor of the capture (unix seconds).', example: ANCHOR_EXAMPLE });

export const DumpsQuery = z.object({
  limit: integerWithDefault({ min: 1, max: 200, default: 50, description: 'Maximum number of items on the page, 1 to 200.', example: 50 }),
  cursor: z
    .string()
    .max(MAX_DUMP_KEY_LENGTH * 2)
    .optional()
    .openapi({ description: 'The `next_cursor` of the previous page.', example: 'WyIwMDE3NzMxNTQ4MDAvMTc3MzE0MDQwMC1hIl0' }),
});

const DumpBody = z
  .object({
    dump,
    anchor,
    received_at: z.number().int().openapi({ description: 'Time when the dump was received (unix seconds).', example: 1_773_154_800 }),
    size: z.number().int().openapi({ description: 'Compressed size in bytes.', example: 7_500_000 }),
  })
  .openapi('LeaderboardDump', { description: 'A stored raw dump.' });

export const DumpsBody = z
  .object({
    items: z.array(DumpBody).openapi({ description: 'Newest first.' }),
    count: z.number().int().openapi({ description: 'Number of items in this response.', example: 1 }),
    total: z.number().int().openapi({ description: 'Total number of stored dumps.', example: 1 }),
    next_cursor: NextCursor,
  })
  .openapi('LeaderboardDumps', { description: 'A page of stored dumps.' });

export const ReplayBody = z.object({ dump: dump.min(1) }).openapi('LeaderboardReplay', { description: 'A dump to replay.' });

export const ReplayAccepted = z
  .object({
    accepted: z.literal(true).openapi({ description: 'Always true.', example: true }),
    dump,
    anchor,
  })
  .openapi('LeaderboardReplayAccepted', { description: 'The dump was queued.' });

export function toDumpBody({ dump, anchor, receivedAt, size }: StoredDump): z.infer<typeof DumpBody> {
  return { dump, anchor, received_at: receivedAt, size };
}
