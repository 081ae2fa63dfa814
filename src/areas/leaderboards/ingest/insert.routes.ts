import { masterAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { senderOf } from '../../../platform/http/pipeline/receipt.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import { INSERT_NAME, MAX_DUMP_BYTES } from '../leaderboards.data.ts';
import { anchorForInsert } from './anchors.domain.ts';
import { readDumpUpload } from './dump-upload.ts';
import type { IngestTask } from './ingest.service.ts';
import type { IngestClient } from './ingest-client.ts';
import { DumpForm, InsertedBody, InsertQuery } from './insert.schemas.ts';
import type { RawDumps } from './raw-dumps.repository.ts';

/** The compressed dump, and its copy for R2. */
const MEMORY_FACTOR = 2;

export interface InsertRouteDeps {
  raw: RawDumps;
  ingest: IngestClient;
}

const DESCRIPTION = `Imports a dump of all leaderboards from the form part \`file\`: UTF-8 text, one board per line; other lines are ignored.

The response 202 means that the dump was received. It becomes a capture in the background, within seconds, and replaces any capture of its anchor atomically. The receipt (\`GET /v1/ingest/{id}\`, id in the header \`X-Ingest-ID\`) lists the dropped lines. A live capture with fewer boards or rows than the previous one is rejected in the background; its raw dump is stored.`;

/** `POST /v1/leaderboards/insert`. */
export function createInsertEndpoint({ raw, ingest }: InsertRouteDeps): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/leaderboards/insert',
    operationId: 'insertLeaderboards',
    tag: 'Leaderboards',
    summary: 'Insert a leaderboard dump',
    description: DESCRIPTION,
    access: masterAccess(INSERT_NAME),
    log: INSERT_NAME,
    feature: 'featureLeaderboardsEnabled',
    query: InsertQuery,
    rawBody: { contentTypes: ['multipart/form-data'], description: 'The multipart form.', schema: DumpForm },
    bodyLimit: MAX_DUMP_BYTES,
    memory: MEMORY_FACTOR,
    errors: ['service_unavailable'],
    ok: {
      status: 202,
      description: 'Received.',
      schema: InsertedBody,
      otherStatuses: { 200: 'Processed (`sync`); `accepted` states whether the capture was stored.' },
    },
  }).handle(async ({ request, reserve, receipt, query, caller, now }) => {
    const { id } = receipt;
    const anchor = applyRule('query', query, () => anchorForInsert(query.timestamp, query.backfill, now));
    const { gzip, digest, bytes } = await readDumpUpload(request, reserve);
    const metadata = { digest, bytes, isBackfill: query.backfill };
    const rawKey = await raw.put({ anchor, id, receivedAt: now, gzip, metadata });
    const task: IngestTask = { id, anchor, rawKey, ...metadata, receivedAt: now, ...senderOf(caller) };
    // A received dump is logged after processing.
    await receipt.open();
    if (query.sync) {
      const { accepted, message } = await ingest.processNow(task);
      return json({ accepted, bytes, message }, { status: 200, accepted });
    }
    await ingest.enqueue([{ kind: 'ingest', task }]);
    return json({ accepted: true, bytes, message: 'received' });
  });
}
