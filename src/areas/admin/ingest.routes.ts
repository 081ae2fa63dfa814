import { adminAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { cutPage, keyOfCursor } from '../../platform/http/replies/page.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { IngestLog } from '../../platform/ingest/ingest-log.ts';
import { IngestLogBody, IngestLogQuery, toIngestBody } from './ingest.schemas.ts';

/** `/admin/ingest/log`: latest inserts and their results. */
export function createIngestEndpoint(ingestLog: IngestLog): Endpoint {
  return defineRoute({
    tag: 'Administration',
    surface: 'portal',
    hidden: true,
    access: adminAccess,
    method: 'get',
    path: '/admin/ingest/log',
    operationId: 'listIngests',
    summary: 'List inserts',
    description: 'Lists the latest inserts with their results, newest first.',
    query: IngestLogQuery,
    errors: ['bad_request'],
    ok: { description: 'A page of inserts.', schema: IngestLogBody },
  }).handle(async ({ query: { limit, endpoint, success, cursor } }) => {
    const entries = await ingestLog.latest({ limit: limit + 1, endpoint, success, belowId: keyOfCursor(cursor) });
    const { rows, nextCursor } = cutPage(entries, limit, ({ id }) => id);
    return json({ items: rows.map(toIngestBody), count: rows.length, next_cursor: nextCursor });
  });
}
