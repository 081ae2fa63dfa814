import { masterAccess, masterReadAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import { ApiError } from '../../../platform/kit/errors/api-error.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { leaderboardsRead } from '../boards/boards.routes.ts';
import { PlayerPath } from '../boards/boards.schemas.ts';
import type { IngestClient } from '../ingest/ingest-client.ts';
import { type BackfillStatus, isRunning } from './backfill-status.ts';
import {
  RenameChainBody,
  RenamesBackfillBody,
  RenamesBackfillQuery,
  RenamesBody,
  RenamesQuery,
  RenamesStatusBody,
  toRenameChainBody,
  toRenamesBody,
  toRenamesStatusBody,
} from './renames.schemas.ts';
import type { RenamesStore } from './renames.store.ts';

export interface RenameRoutesDeps {
  renames: Pick<RenamesStore, 'list' | 'chainOf'>;
  status: BackfillStatus;
  ingest: Pick<IngestClient, 'enqueue'>;
  /** Number of stored renames. */
  count(): Promise<number>;
}

/** Cache lifetime; captures are an hour apart. */
const MAX_AGE_SECONDS = 300;

const master = { tag: 'Leaderboards', feature: 'featureLeaderboardsEnabled' } as const;

/** Throws 404 while renames are switched off. */
function requireRenames({ leaderboardRenamesEnabled }: Settings): void {
  if (leaderboardRenamesEnabled) return;
  const details = { feature_disabled: true };
  throw new ApiError('not_found', 'renames are switched off', { details, hint: 'this endpoint is switched off' });
}

/** Endpoints of renames: list, chain of a name, backfill. */
export function createRenameEndpoints({ renames, status, ingest, count }: RenameRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/renames',
      operationId: 'listPlayerRenames',
      summary: 'List renames',
      description:
        'Lists names that probably replaced another, newest first: between two captures a name left every board, and a new one appeared with nearly the same scores on boards that never reset. A rename has other possible causes.',
      query: RenamesQuery,
      errors: ['not_found'],
      ok: { description: 'A page of renames.', schema: RenamesBody },
      table: listTable(RenamesBody, 'renames'),
    }).handle(async ({ query, settings }) => {
      requireRenames(settings);
      return json(toRenamesBody(await renames.list(query.limit, query.offset), query), { maxAge: MAX_AGE_SECONDS });
    }),

    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/renames/{name}',
      operationId: 'getPlayerRenames',
      summary: 'Get the renames of a player',
      description: 'Returns the renames before and after a name, at most 40 names. Empty for a name without renames.',
      params: PlayerPath,
      errors: ['not_found'],
      ok: { description: 'The renames.', schema: RenameChainBody },
    }).handle(async ({ params, settings }) => {
      requireRenames(settings);
      const name = params.name.trim();
      return json(toRenameChainBody(name, await renames.chainOf(name)), { maxAge: MAX_AGE_SECONDS });
    }),

    defineRoute({
      ...master,
      method: 'post',
      path: '/v1/leaderboards/renames-backfill',
      operationId: 'backfillPlayerRenames',
      summary: 'Backfill renames',
      description: 'Compares all neighbouring captures in the background, oldest first. Returns 409 while a backfill is running.',
      access: masterAccess('leaderboards-renames-backfill'),
      query: RenamesBackfillQuery,
      errors: ['conflict', 'not_found'],
      ok: { status: 202, description: 'The backfill was queued.', schema: RenamesBackfillBody },
    }).handle(async ({ query: { clear_first: clearFirst }, settings, now }) => {
      requireRenames(settings);
      if (isRunning(await status.get(now), now)) throw new ApiError('conflict', 'a backfill of renames is running');
      const task = {
        after: 0,
        startedAt: now,
        isBegun: false,
        clearFirst,
        cleared: null,
        total: 0,
        done: 0,
        detected: 0,
        skippedGap: 0,
        lifetimeBoards: 0,
      };
      await status.put({ task, finishedAt: null, heartbeatAt: now });
      await ingest.enqueue([{ kind: 'renames', task }]);
      return json({ started: true, clear_first: clearFirst } as const);
    }),

    defineRoute({
      ...master,
      method: 'get',
      path: '/v1/leaderboards/renames-backfill-status',
      operationId: 'getRenamesBackfill',
      summary: 'Get the backfill of renames',
      description: 'Returns the progress of the running or last backfill; a finished one is reported for a day.',
      access: masterReadAccess,
      errors: ['not_found'],
      ok: { description: 'The progress.', schema: RenamesStatusBody },
    }).handle(async ({ settings, now }) => {
      requireRenames(settings);
      const [stored, recorded] = await Promise.all([status.get(now), count()]);
      return json(toRenamesStatusBody(stored, recorded, now));
    }),
  ];
}
