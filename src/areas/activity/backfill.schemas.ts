import { z } from '@hono/zod-openapi';
import { booleanWithDefault, integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { integer } from './activity.schemas.ts';

const flag = (description: string, example: boolean) => z.boolean().openapi({ description, example });

const backfillFields = {
  total_days: integerWithDefault({
    min: 0,
    max: 1000,
    default: 400,
    example: 30,
    description: 'Days back from now to compute; 0 = all.',
  }),
  force: booleanWithDefault({ default: false, example: false, description: 'Recompute captures that already have figures.' }),
  reset: booleanWithDefault({
    default: false,
    example: false,
    description: 'Delete the stored figures of these days first; implies `force`.',
  }),
};

export const ClassBackfillQuery = z.object(backfillFields);
export const BackfillQuery = z.object({
  ...backfillFields,
  chunk_days: integerWithDefault({
    min: 1,
    max: 60,
    default: 14,
    description: 'Echoed; captures are always computed one at a time.',
    example: 14,
  }),
});

const acceptedFields = {
  accepted: flag('Always true.', true),
  total_days: integer('Days back from now.', 30),
  force: flag('Whether captures that already have figures are recomputed.', false),
  reset: flag('Whether stored figures were deleted.', false),
  message: z.string().openapi({ description: 'Next step.', example: 'captures are computed in the background' }),
};

export const ClassBackfillBody = z.object(acceptedFields).openapi('ClassActivityBackfill', { description: 'A class activity backfill.' });
export const BackfillBody = z
  .object({ ...acceptedFields, chunk_days: integer('Echoed from the request.', 14) })
  .openapi('ActivityBackfill', { description: 'An activity backfill.' });
