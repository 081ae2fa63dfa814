import { z } from '@hono/zod-openapi';
import { adminAccess, masterReadAccess } from '../../platform/access/policy/policy.ts';
import { integerOrNull, namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { integerWithDefault, optionalBoolean } from '../../platform/http/pipeline/query-schemas.ts';
import { cutPage, keyOfCursor, NextCursor } from '../../platform/http/replies/page.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import type { IngestEntry, IngestLogStore, IngestReceipt } from './ingest.store.ts';

export const EXAMPLE_ID = '5b0a6c1e-7f1d-4c53-8d0b-6a1f6c2f9a11';

const IngestLogQuery = z.object({
  limit: integerWithDefault({ min: 1, max: 200, default: 20, description: 'Maximum number of items.', example: 20 }),
  endpoint: z.string().max(40).optional().openapi({ description: 'Only this insert endpoint.', example: 'challenge' }),
  success: optionalBoolean({ description: 'Only successful (`true`) or only failed (`false`) inserts.', example: true }),
  cursor: z.string().max(200).optional().openapi({ description: 'The `next_cursor` of the previous page.', example: 'WzFd' }),
});

const IngestLogBody = z
  .object({
    items: z
      .array(
        z
          .object({
            endpoint: z.string().openapi({ description: 'Insert endpoint.', example: 'challenge' }),
            timestamp: z.string().openapi({ description: 'Time of the insert.', example: '2026-03-10T15:30:00.000Z' }),
            user_email: z
              .string()
              .nullable()
              .openapi({ description: 'Email address of the account; null if the account was deleted.', example: 'bot@example.com' }),
            success: z.boolean().openapi({ description: 'Whether the insert succeeded.', example: true }),
            summary: z.string().nullable().openapi({ description: 'Summary of the imported data, or null.', example: 'RAMPAGE ALERT!' }),
            error: z.string().nullable().openapi({ description: 'Reason of the failure, or null.', example: null }),
            auth_via: namedEnum('IngestAuthentication', 'Authentication method of an insert.', ['api_token', 'session', 'service']).openapi(
              {
                description: 'Authentication method.',
                example: 'api_token',
              },
            ),
            receipt_id: z.string().nullable().openapi({ description: 'Id of the receipt, or null.', example: EXAMPLE_ID }),
            rejected: z.number().int().nullable().openapi({ description: 'Number of invalid records; null if none was read.', example: 0 }),
            token_name: z.string().nullable().openapi({ description: 'Name of the token, or null.', example: 'bot' }),
          })
          .openapi('IngestEntry'),
      )
      .openapi({ description: 'Newest first.' }),
    count: z.number().int().openapi({ description: 'Number of items.', example: 1 }),
    next_cursor: NextCursor,
  })
  .openapi('IngestEntries');

function toIngestBody(entry: IngestEntry): z.infer<typeof IngestLogBody>['items'][number] {
  return {
    endpoint: entry.endpoint,
    timestamp: toIso(entry.now),
    user_email: entry.userEmail,
    success: entry.error === null,
    summary: entry.summary,
    error: entry.error,
    auth_via: entry.tokenId !== null ? 'api_token' : entry.userId === null ? 'service' : 'session',
    receipt_id: entry.receiptId,
    rejected: entry.rejected,
    token_name: entry.tokenName,
  };
}

const IngestParams = z.object({
  id: z
    .string()
    .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be an id of a receipt')
    .openapi({ description: 'Id of the receipt: the header `X-Ingest-ID` of the response to the insert.', example: EXAMPLE_ID }),
});

export const IngestReceiptBody = z
  .object({
    id: z.string().openapi({ description: 'Id of the receipt.', example: EXAMPLE_ID }),
    endpoint: z.string().openapi({ description: 'Insert endpoint.', example: 'market' }),
    state: namedEnum('IngestState', 'State of an insert.', ['received', 'accepted', 'rejected']).openapi({
      description: '`received` until the data is processed; `rejected`: nothing was stored.',
      example: 'accepted',
    }),
    received_at: z.string().openapi({ description: 'Time of the insert.', example: '2026-03-10T15:30:00.000Z' }),
    received: integerOrNull('Number of records in the data; null before it is read.', 1204),
    accepted: integerOrNull('Number of stored records.', 1100),
    ignored: integerOrNull('Number of valid records that the service does not track.', 102),
    rejected: integerOrNull('Number of invalid records, or all of a rejected insert.', 2),
    hidden_characters: integerOrNull(
      'Number of control characters and characters that change the direction of text in the data, which responses omit; null if they were not counted.',
      0,
    ),
    problems: z
      .array(
        z
          .object({
            line: z
              .number()
              .int()
              .nullable()
              .openapi({ description: 'Line of the data, counted from 1; null if the data has no lines.', example: 17 }),
            reason: z.string().openapi({ description: 'Reason why the record was not stored.', example: 'zero_price' }),
          })
          .openapi('IngestProblem', { description: 'An invalid record.' }),
      )
      .openapi({ description: 'The first invalid records, at most 50.' }),
    summary: z.string().nullable().openapi({ description: 'Summary of the stored data, or null.', example: '1202 parsed, 1100 imported' }),
    error: z.string().nullable().openapi({ description: 'Reason why the insert was rejected, or null.', example: null }),
  })
  .openapi('IngestReceipt', { description: 'Result of an insert.' });

function toReceiptBody({ counts, ...receipt }: IngestReceipt): z.infer<typeof IngestReceiptBody> {
  return {
    id: receipt.id,
    endpoint: receipt.endpoint,
    state: receipt.state,
    received_at: toIso(receipt.receivedAt),
    received: counts?.received ?? null,
    accepted: counts?.accepted ?? null,
    ignored: counts?.ignored ?? null,
    rejected: counts?.rejected ?? null,
    hidden_characters: receipt.hiddenCharacters ?? null,
    problems: receipt.problems.map(({ line, reason }) => ({ line, reason })),
    summary: receipt.summary,
    error: receipt.error,
  };
}

const RECEIPT = `Returns the result of an insert: its numbers of records, and the first 50 invalid ones with their line and reason. The response of an insert, also a refusal, names its receipt in the header \`X-Ingest-ID\`. While the data is processed, \`state\` is \`received\`: leaderboard dumps take seconds. Receipts are kept for 90 days.

A record is a row of a leaderboard dump, a listing of a market dump, and otherwise the whole insert.`;

/** `/v1/ingest/{id}`: the receipt of an insert. `/admin/ingest/log`: latest inserts and their results. */
export function createIngestEndpoints(ingestLog: Pick<IngestLogStore, 'latest' | 'findReceipt'>): Endpoint[] {
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
