import { adminAccess, masterReadAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { cutPage, keyOfCursor } from '../../platform/http/replies/page.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { IngestLogBody, IngestLogQuery, IngestParams, IngestReceiptBody, toIngestBody, toReceiptBody } from './ingest.schemas.ts';
import type { IngestLogRepository } from './ingest.store.ts';

const RECEIPT = `Returns the result of an insert: its numbers of records, and the first 50 invalid ones with their line and reason. The response of an insert, also a refusal, names its receipt in the header \`X-Ingest-ID\`. While the data is processed, \`state\` is \`received\`: leaderboard dumps take seconds. Receipts are kept for 90 days.

A record is a row of a leaderboard dump, a listing of a market dump, and otherwise the whole insert.`;

/** `/v1/ingest/{id}`: the receipt of an insert. `/admin/ingest/log`: latest inserts and their results. */
export function createIngestEndpoints(ingestLog: Pick<IngestLogRepository, 'latest' | 'findReceipt'>): Endpoint[] {
  return [
    defineRoute({
      tag: 'Ingest',
      access: masterReadAccess,
      method: 'get',
      path: '/v1/ingest/{id}',
      operationId: 'getIngestReceipt',
      summary: 'Get an insert receipt',
      description: RECEIPT,
      params: IngestParams,
      errors: ['not_found'],
      ok: { description: 'The receipt.', schema: IngestReceiptBody },
    }).handle(async ({ params }) => {
      const receipt = await ingestLog.findReceipt(params.id);
      if (!receipt) throw notFound('receipt not found');
      return json(toReceiptBody(receipt));
    }),

    defineRoute({
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
    }),
  ];
}
