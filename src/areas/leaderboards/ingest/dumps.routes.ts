import { adminAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { senderOf } from '../../../platform/http/pipeline/receipt.ts';
import { cutPage, textOfCursor } from '../../../platform/http/replies/page.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import { DumpsBody, DumpsQuery, ReplayAccepted, ReplayBody, toDumpBody } from './dumps.schemas.ts';
import type { IngestClient } from './ingest-client.ts';
import type { RawDumps } from './raw-dumps.repository.ts';

export interface DumpRouteDeps {
  raw: RawDumps;
  ingest: IngestClient;
  newId(): string;
}

const shared = { tag: 'Administration', access: adminAccess, surface: 'portal', hidden: true } as const;

/** `/admin/leaderboards`: list and replay stored dumps. */
export function createDumpEndpoints(deps: DumpRouteDeps): Endpoint[] {
  return [createDumpsEndpoint(deps), createReplayEndpoint(deps)];
}

function createDumpsEndpoint({ raw }: DumpRouteDeps): Endpoint {
  return defineRoute({
    ...shared,
    method: 'get',
    path: '/admin/leaderboards/dumps',
    operationId: 'listLeaderboardDumps',
    summary: 'List stored dumps',
    description: 'Lists the stored raw leaderboard dumps, newest first.',
    query: DumpsQuery,
    errors: ['bad_request'],
    ok: { description: 'A page of dumps.', schema: DumpsBody },
  }).handle(async ({ query: { limit, cursor } }) => {
    const before = textOfCursor(cursor);
    const stored = await raw.list();
    const rest = before === undefined ? stored : stored.filter(({ dump }) => dump < before);
    const { rows, nextCursor } = cutPage(rest, limit, ({ dump }) => dump);
    return json({ items: rows.map(toDumpBody), count: rows.length, total: stored.length, next_cursor: nextCursor });
  });
}

function createReplayEndpoint({ raw, ingest, newId }: DumpRouteDeps): Endpoint {
  return defineRoute({
    ...shared,
    method: 'post',
    path: '/admin/leaderboards/replay',
    operationId: 'replayLeaderboardDump',
    summary: 'Replay a stored dump',
    description:
      'Processes a stored dump again. The resulting capture replaces the current one of its anchor, unless it is rejected as incomplete. The insert log holds the result. Idempotent.',
    body: ReplayBody,
    errors: ['not_found'],
    ok: { status: 202, description: 'The dump was queued.', schema: ReplayAccepted },
  }).handle(async ({ body: { dump }, caller, now }) => {
    const stored = await raw.find(dump);
    if (!stored) throw notFound('dump not found');
    const { key, anchor, digest, bytes, isBackfill } = stored;
    const task = { id: newId(), anchor, rawKey: key, digest, bytes, isBackfill, isReplay: true, receivedAt: now, ...senderOf(caller) };
    await ingest.enqueue([{ kind: 'ingest', task }]);
    return json({ accepted: true as const, dump, anchor });
  });
}
