import { masterAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import type { CapturesRepository } from '../captures/captures.repository.ts';
import { DELETE_NAME } from '../leaderboards.data.ts';
import type { IngestClient } from './ingest-client.ts';
import { DeletedBody, DeleteQuery } from './insert.schemas.ts';

export interface DeleteRouteDeps {
  captures: CapturesRepository;
  ingest: IngestClient;
}

/** `POST /v1/leaderboards/delete-anchor`. */
export function createDeleteEndpoint({ captures, ingest }: DeleteRouteDeps): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/leaderboards/delete-anchor',
    operationId: 'deleteLeaderboardCapture',
    tag: 'Leaderboards',
    summary: 'Delete a capture',
    description:
      'Deletes one capture, effective immediately; its time becomes a gap. With `recompute`, the activity of the windows around the capture is recomputed in the background, and the player totals with the next daily rebuild. The raw dump stays until its normal expiry.',
    access: masterAccess(DELETE_NAME),
    log: DELETE_NAME,
    feature: 'featureLeaderboardsEnabled',
    query: DeleteQuery,
    ok: { description: 'Result of the deletion.', schema: DeletedBody },
  }).handle(async ({ query: { anchor, recompute } }) => {
    const removed = await captures.remove(anchor);
    const { boardPack = null, playerPack = null, entries = 0 } = removed ?? {};
    // Also if there was no capture: an earlier request may have failed before it queued the cleanup.
    await ingest.enqueue([{ kind: 'removed', task: { anchor, boardPack, playerPack, isRecomputed: recompute } }]);
    const deleted = removed !== null;
    const outcome = { summary: `anchor ${anchor}: ${entries} entries deleted` };
    return json({ deleted, anchor, entries_deleted: entries, recompute }, { accepted: deleted, outcome });
  });
}
