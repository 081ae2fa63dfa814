import { masterAccess, masterReadAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint, type PartSwitch } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import { leaderboardsMaster, leaderboardsRead, NAMES_MAX_AGE_SECONDS } from '../boards/boards.routes.ts';
import { type BackfillStatus, newProgress } from '../captures/backfill.store.ts';
import type { IngestClient } from '../ingest/ingest-queue.service.ts';
import {
  BackfillBody,
  BackfillQuery,
  RenameChainBody,
  RenamedPath,
  RenamesBody,
  RenamesQuery,
  RenamesStatusBody,
  toRenameChainBody,
  toRenamesBody,
  toRenamesStatusBody,
} from './renames.schemas.ts';
import type { RenamesTask } from './renames.service.ts';
import type { RenamesStore } from './renames.store.ts';

interface RenameRoutesDeps {
  renames: Pick<RenamesStore, 'list' | 'chainOf'>;
  status: BackfillStatus<RenamesTask>;
  ingest: Pick<IngestClient, 'enqueue'>;
  /** Number of stored renames. */
  count(): Promise<number>;
}

const part: PartSwitch = { name: 'renames', isOn: ({ leaderboardRenamesEnabled }) => leaderboardRenamesEnabled };

/** Endpoints of renames: list, chain of a name, backfill. */
export function createRenameEndpoints({ renames, status, ingest, count }: RenameRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...leaderboardsRead,
      part,
      path: '/v1/leaderboards/renames',
      operationId: 'listPlayerRenames',
      summary: 'List renames',
      description:
        'Lists names that probably replaced another, newest first: between two captures a name left every board, and a new one appeared with nearly the same scores on boards that never reset. A rename has other possible causes.',
      query: RenamesQuery,
      ok: { description: 'A page of renames.', schema: RenamesBody },
      table: listTable(RenamesBody, 'renames'),
    }).handle(async ({ query }) => {
      return json(toRenamesBody(await renames.list(query.limit, query.offset), query), { maxAge: NAMES_MAX_AGE_SECONDS });
    }),

    defineRoute({
      ...leaderboardsRead,
      part,
      path: '/v1/leaderboards/renames/{name}',
      operationId: 'getPlayerRenames',
      summary: 'Get the renames of a player',
      description: 'Returns the renames before and after a name, at most 40 names. Empty for a name without renames.',
      params: RenamedPath,
      ok: { description: 'The renames.', schema: RenameChainBody },
    }).handle(async ({ params }) => {
      const name = params.name.trim();
      return json(toRenameChainBody(name, await renames.chainOf(name)), { maxAge: NAMES_MAX_AGE_SECONDS });
    }),

    defineRoute({
      ...leaderboardsMaster,
      part,
      method: 'post',
      path: '/v1/leaderboards/renames-backfill',
      operationId: 'backfillPlayerRenames',
      summary: 'Backfill renames',
      description: 'Compares all neighbouring captures in the background, oldest first. Returns 409 while a backfill is running.',
      access: masterAccess('leaderboards-renames-backfill'),
      query: BackfillQuery,
      errors: ['conflict'],
      ok: { status: 202, description: 'The backfill was queued.', schema: BackfillBody },
    }).handle(async ({ query: { clear_first: clearFirst }, now }) => {
      const task: RenamesTask = { ...newProgress(now, clearFirst), after: 0, skippedGap: 0, lifetimeBoards: 0 };
      await status.begin(task, now);
      await ingest.enqueue([{ kind: 'renames', task }]);
      return json({ started: true, clear_first: clearFirst } as const);
    }),

    defineRoute({
      ...leaderboardsMaster,
      part,
      method: 'get',
      path: '/v1/leaderboards/renames-backfill-status',
      operationId: 'getRenamesBackfill',
      summary: 'Get the backfill of renames',
      description: 'Returns the progress of the running or last backfill; a finished one is reported for a day.',
      access: masterReadAccess,
      ok: { description: 'The progress.', schema: RenamesStatusBody },
    }).handle(async ({ now }) => {
      const [stored, recorded] = await Promise.all([status.get(now), count()]);
      return json(toRenamesStatusBody(stored, recorded, now));
    }),
  ];
}
