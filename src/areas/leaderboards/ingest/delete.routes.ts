import { masterAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import type { IngestLog } from '../../../platform/ingest/ingest-log.ts';
import { loggedInsert } from '../../../platform/ingest/logged-insert.ts';
import type { CapturesRepository } from '../captures/captures.repository.ts';
import { DELETE_NAME } from '../leaderboards.data.ts';
import type { IngestClient } from './ingest-client.ts';
import { DeletedBody, DeleteQuery } from './insert.schemas.ts';

export interface DeleteRouteDeps {
  captures: CapturesRepository;
  ingest: IngestClient;
  log: IngestLog;
}

/** `POST /v1/leaderboards/delete-anchor`. */
export function createDeleteEndpoint({ captures, ingest, log }: DeleteRouteDeps): Endpoint {
  const logged = loggedInsert(log, DELETE_NAME);
  return defineRoute({
    method: 'post',
    path: '/v1/leaderboards/delete-anchor',
    operationId: 'deleteLeaderboardCapture',
    tag: 'Leaderboards',
    summary: 'Delete a capture',
    description:
      'Deletes one capture, effective immediately; its time becomes a gap. With `recompute`, the activity of the windows around the capture is recomputed in the background, and the player totals with the next daily rebuild. The raw dump stays until its normal expiry.',
    access: masterAccess(DELETE_NAME),
    hasReceipt: true,
    feature: 'featureLeaderboardsEnabled',
    query: DeleteQuery,
    ok: { description: 'Result of the deletion.', schema: DeletedBody },
  }).handle(async ({ query: { anchor, recompute }, caller, now }) => {
    const remove = async () => {
      const removed = await captures.remove(anchor);
      const { boardPack = null, playerPack = null } = removed ?? {};
      // Also if there was no capture: an earlier request may have failed before it queued the cleanup.
      await ingest.enqueue([{ kind: 'removed', task: { anchor, boardPack, playerPack, isRecomputed: recompute } }]);
      return removed;
    };
    const { result: removed, headers } = await logged({ caller, now }, remove, (capture) => ({
      summary: `anchor ${anchor}: ${capture?.entries ?? 0} entries deleted`,
    }));
    const deleted = removed !== null;
    return json({ deleted, anchor, entries_deleted: removed?.entries ?? 0, recompute }, { headers, accepted: deleted });
  });
}
