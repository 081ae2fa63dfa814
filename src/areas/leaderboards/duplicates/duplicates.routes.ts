import { masterAccess, masterReadAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint, type PartSwitch } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import { leaderboardsMaster, leaderboardsRead, NAMES_MAX_AGE_SECONDS } from '../boards/boards.routes.ts';
import { PlayerPath } from '../boards/boards.schemas.ts';
import { type BackfillStatus, newProgress } from '../captures/backfill.store.ts';
import type { IngestClient } from '../ingest/ingest-queue.service.ts';
import { BackfillBody, BackfillQuery } from '../renames/renames.schemas.ts';
import {
  DuplicateLookupBody,
  DuplicatesBody,
  DuplicatesQuery,
  DuplicatesStatusBody,
  toDuplicateBody,
  toDuplicatesBody,
  toDuplicatesStatusBody,
} from './duplicates.schemas.ts';
import type { DuplicatesTask } from './duplicates.service.ts';
import type { DuplicatesStore } from './duplicates.store.ts';

interface DuplicateRoutesDeps {
  duplicates: Pick<DuplicatesStore, 'list' | 'find'>;
  status: BackfillStatus<DuplicatesTask>;
  ingest: Pick<IngestClient, 'enqueue'>;
  /** Number of stored names. */
  count(): Promise<number>;
}

const part: PartSwitch = { name: 'duplicate names', isOn: ({ leaderboardDuplicatesEnabled }) => leaderboardDuplicatesEnabled };

/** Endpoints of duplicate names: list, lookup, backfill. */
export function createDuplicateEndpoints({ duplicates, status, ingest, count }: DuplicateRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...leaderboardsRead,
      part,
      path: '/v1/leaderboards/duplicates',
      operationId: 'listDuplicateNames',
      summary: 'List duplicate names',
      description:
        'Lists names that a capture has more than once on one board with different ranks or scores (`same_name`), and names with spellings that differ in case (`case`). The verdict says how many of these characters play.',
      query: DuplicatesQuery,
      ok: { description: 'A page of duplicate names.', schema: DuplicatesBody },
      table: listTable(DuplicatesBody, 'duplicates'),
    }).handle(async ({ query }) => {
      return json(toDuplicatesBody(await duplicates.list(query), query), { maxAge: NAMES_MAX_AGE_SECONDS });
    }),

    defineRoute({
      ...leaderboardsRead,
      part,
      path: '/v1/leaderboards/duplicates/{name}',
      operationId: 'getDuplicateName',
      summary: 'Look up a duplicate name',
      description: 'Returns the duplicate with this name, without regard to case, or `found: false`.',
      params: PlayerPath,
      ok: { description: 'The name.', schema: DuplicateLookupBody },
    }).handle(async ({ params }) => {
      const query = params.name.trim();
      const found = await duplicates.find(query);
      const body = found
        ? { query, found: true as const, enabled: true, ...toDuplicateBody(found) }
        : { query, found: false as const, enabled: true };
      return json(body, { maxAge: NAMES_MAX_AGE_SECONDS });
    }),

    defineRoute({
      ...leaderboardsMaster,
      part,
      method: 'post',
      path: '/v1/leaderboards/duplicates-backfill',
      operationId: 'backfillDuplicateNames',
      summary: 'Backfill duplicate names',
      description: 'Searches all captures in the background, oldest first. Returns 409 while a backfill is running.',
      access: masterAccess('leaderboards-duplicates-backfill'),
      query: BackfillQuery,
      errors: ['conflict'],
      ok: { status: 202, description: 'The backfill was queued.', schema: BackfillBody },
    }).handle(async ({ query: { clear_first: clearFirst }, now }) => {
      const task: DuplicatesTask = { anchor: 0, names: null, backfill: newProgress(now, clearFirst) };
      await status.begin(task, now);
      await ingest.enqueue([{ kind: 'duplicates', task }]);
      return json({ started: true, clear_first: clearFirst } as const);
    }),

    defineRoute({
      ...leaderboardsMaster,
      part,
      method: 'get',
      path: '/v1/leaderboards/duplicates-backfill-status',
      operationId: 'getDuplicatesBackfill',
      summary: 'Get the backfill of duplicate names',
      description: 'Returns the progress of the running or last backfill; a finished one is reported for a day.',
      access: masterReadAccess,
      ok: { description: 'The progress.', schema: DuplicatesStatusBody },
    }).handle(async ({ now }) => {
      const [stored, recorded] = await Promise.all([status.get(now), count()]);
      return json(toDuplicatesStatusBody(stored, recorded, now));
    }),
  ];
}
