import { z } from '@hono/zod-openapi';
import { booleanWithDefault, requiredInteger } from '../../../platform/http/pipeline/query-schemas.ts';
import { flag, integer, string } from '../boards/boards.schemas.ts';

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
