import { adminAccess } from '../../platform/access/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/define-route.ts';
import { json } from '../../platform/http/reply.ts';
import type { IngestLog } from '../../platform/ingest/ingest-log.ts';
import { IngestLogBody, IngestLogQuery, toIngestBody } from './ingest.schemas.ts';

/** `/admin/ingest/log`: the latest inserts and what came of them. */
export function createIngestEndpoint(ingestLog: IngestLog): Endpoint {
  return defineRoute({
    tag: 'Administration',
    surface: 'portal',
    hidden: true,
    access: adminAccess,
    method: 'get',
    path: '/admin/ingest/log',
    operationId: 'listIngests',
    summary: 'Inserts',
    description: 'The latest inserts and what came of them, newest first.',
    query: IngestLogQuery,
    ok: { description: 'The inserts.', schema: IngestLogBody },
  }).handle(async ({ query: { limit, endpoint } }) => {
    const items = (await ingestLog.latest({ limit, ...(endpoint === undefined ? {} : { endpoint }) })).map(toIngestBody);
    return json({ items, count: items.length });
  });
}
