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
        'When the boards were captured (unix seconds), cut to the minute; midnight UTC means 11:00 of the date once that has come. Absent: the start of the game day. At most 5 minutes ahead, and 14 days back unless `backfill`.',
      example: 1_773_140_400,
    }),
  backfill: toggle('Takes captures of any age, complete or not.'),
  sync: toggle('Answers only once the capture can be read.'),
});

export const DeleteQuery = z.object({
  anchor: requiredInteger({
    min: 1,
    max: 999_999_999_999,
    description: 'Anchor of the capture (unix seconds), exactly.',
    example: 1_773_136_800,
  }),
  recompute: booleanWithDefault({
    default: true,
    example: true,
    description: 'Computes again what was computed from the capture and from the one after it.',
  }),
});

export const DeletedBody = z
  .object({
    deleted: flag('False: there was no such capture.', true),
    anchor: integer('The anchor asked for (unix seconds).', 1_773_136_800),
    entries_deleted: integer('Rows of the capture.', 598_211),
    recompute: flag('Whether activity is computed again.', true),
  })
  .openapi('LeaderboardCaptureDeleted', { description: 'Result of a deletion.' });

/** The parts of the form, for the document: the form itself is read piece by piece. */
export const DumpForm = z
  .object({
    file: z.any().openapi({ type: 'string', format: 'binary', description: 'The text file, 20 MiB at most with the form.', example: '' }),
  })
  .openapi('LeaderboardDumpForm', { description: 'A dump of the leaderboards.' });

export const InsertedBody = z
  .object({
    accepted: flag('False: nothing was stored; `message` tells why.', true),
    bytes: integer('Length of the dump.', 17_204_331),
    message: string('What became of the dump.', 'received'),
  })
  .openapi('LeaderboardInserted', { description: 'What became of a dump.' });
