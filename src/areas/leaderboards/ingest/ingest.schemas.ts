import { z } from '@hono/zod-openapi';
import { booleanWithDefault, integerWithDefault, requiredInteger } from '../../../platform/http/pipeline/query-schemas.ts';
import { NextCursor } from '../../../platform/http/replies/page.ts';
import { flag, integer, string } from '../boards/boards.schemas.ts';
import type { StoredDump } from './raw-dumps.store.ts';

const toggle = (description: string) => booleanWithDefault({ default: false, example: false, description });

export const InsertQuery = z.object({
  timestamp: z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be an integer (unix seconds)')
    .transform(Number)
    .optional()
    .openapi({
      type: 'integer',
      description:
        'Time when the boards were captured (unix seconds), truncated to the minute; midnight UTC means 11:00 of the date once that time has passed. Defaults to the start of the game day. At most 5 minutes in the future, and at most 14 days old unless `backfill`.',
      example: 1_773_140_400,
    }),
  backfill: toggle('Accepts captures of any age, complete or not.'),
  sync: toggle('Responds only after the capture is readable.'),
});

export const DeleteQuery = z.object({
  anchor: requiredInteger({
    min: 1,
    max: 999_999_999_999,
    description: 'Anchor of the capture (unix seconds, exact match).',
    example: 1_773_136_800,
  }),
  recompute: booleanWithDefault({
    default: true,
    example: true,
    description: 'Recomputes figures derived from this capture and the next one.',
  }),
});

export const DeletedBody = z
  .object({
    deleted: flag('`false`: capture not found.', true),
    anchor: integer('Requested anchor (unix seconds).', 1_773_136_800),
    entries_deleted: integer('Number of rows of the capture.', 598_211),
    recompute: flag('Whether activity is recomputed.', true),
  })
  .openapi('LeaderboardCaptureDeleted', { description: 'Result of a deletion.' });

/** Form parts for the OpenAPI document; `readForm` streams the form. */
export const DumpForm = z
  .object({
    file: z.any().openapi({ type: 'string', format: 'binary', description: 'Text file; the form has at most 20 MiB.', example: '' }),
  })
  .openapi('LeaderboardDumpForm', { description: 'A leaderboard dump.' });

export const InsertedBody = z
  .object({
    accepted: flag('`false`: nothing was stored; see `message`.', true),
    bytes: integer('Size of the dump.', 17_204_331),
    message: string('Result of the insert.', 'received'),
  })
  .openapi('LeaderboardInserted', { description: 'Result of a dump insert.' });

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
