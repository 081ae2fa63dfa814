import { z } from '@hono/zod-openapi';
import type { CaptureConsumerName, RecomputeTask } from '../../game/board-captures.ts';
import { masterAccess } from '../../platform/access/policy/policy.ts';
import { integer, string } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { booleanWithDefault, integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';

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

const ClassBackfillQuery = z.object(backfillFields);
const BackfillQuery = z.object({
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
  message: string('Next step.', 'captures are computed in the background'),
};

const ClassBackfillBody = z.object(acceptedFields).openapi('ClassActivityBackfill', { description: 'A class activity backfill.' });
const BackfillBody = z
  .object({ ...acceptedFields, chunk_days: integer('Echoed from the request.', 14) })
  .openapi('ActivityBackfill', { description: 'An activity backfill.' });

interface BackfillDeps {
  /** Delete the stored figures of captures after an instant. */
  deleters: Readonly<Record<CaptureConsumerName, (instant: UnixSeconds) => Promise<void>>>;
  recompute(task: RecomputeTask): Promise<void>;
}

const shared = { method: 'post', tag: 'Activity', feature: 'featurePlayerActivityEnabled' } as const;
const DESCRIPTION =
  'Computes the figures of leaderboard captures in the background, oldest first: missing ones, or all with `force`. Each capture takes a few seconds.';

/** Endpoints that recompute stored figures. */
export function createBackfillEndpoints({ deleters, recompute }: BackfillDeps): Endpoint[] {
  async function start(consumer: CaptureConsumerName, query: { total_days: number; force: boolean; reset: boolean }, now: UnixSeconds) {
    const { total_days, reset } = query;
    const force = query.force || reset;
    const after = total_days === 0 ? 0 : now - total_days * SECONDS_PER_DAY;
    if (reset) await deleters[consumer](after);
    await recompute({ consumer, after, isForced: force });
    return { accepted: true, total_days, force, reset, message: 'captures are computed in the background' };
  }

  return [
    defineRoute({
      ...shared,
      path: '/v1/activity/backfill',
      operationId: 'backfillActivity',
      summary: 'Backfill activity',
      description: DESCRIPTION,
      access: masterAccess('activity-backfill'),
      query: BackfillQuery,
      ok: { status: 202, description: 'The backfill was queued.', schema: BackfillBody },
    }).handle(async ({ query, now }) => json({ ...(await start('activity', query, now)), chunk_days: query.chunk_days })),

    defineRoute({
      ...shared,
      path: '/v1/class-activity/backfill',
      operationId: 'backfillClassActivity',
      summary: 'Backfill class activity',
      description: DESCRIPTION,
      access: masterAccess('class-activity-backfill'),
      query: ClassBackfillQuery,
      ok: { status: 202, description: 'The backfill was queued.', schema: ClassBackfillBody },
    }).handle(async ({ query, now }) => json(await start('class-activity', query, now))),
  ];
}
