import { z } from '@hono/zod-openapi';
import type { ArchiveRateLimit } from '../../platform/access/limits/archive-rate-limit.ts';
import { integer, string } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { fileReply } from '../../platform/http/replies/file-reply.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import type { ArchivedMonth, MarketArchiveStore } from './archive.store.ts';
import { marketRead } from './listings.routes.ts';

const GZIP = 'application/gzip';
/** A month never changes once it is archived. */
const CACHE = 'private, max-age=86400';

const month = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month, like 2025-03')
  .openapi({ description: 'Month (UTC) in which the listings were created.', example: '2025-03' });

const MonthBody = z
  .object({
    month,
    listings: integer('Number of listings.', 310_000),
    bytes: integer('Size of the compressed file.', 14_000_000),
    sha256: string('SHA-256 of the compressed file.', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
    archived_at: integer('Time when the file was stored (unix seconds).', 1_773_156_600),
  })
  .openapi('MarketArchiveMonth', { description: 'A file of archived listings.' });

const MonthsBody = z
  .object({
    items: z.array(MonthBody).openapi({ description: 'Months, newest first.' }),
    count: integer('Number of months.', 1),
  })
  .openapi('MarketArchive', { description: 'Files of archived listings.' });

const toMonthBody = ({ month: name, listings, bytes, sha256, archivedAt }: ArchivedMonth): z.infer<typeof MonthBody> => ({
  month: name,
  listings,
  bytes,
  sha256,
  archived_at: archivedAt,
});

/** The files of listings that are no longer in the database. */
export function createMarketArchiveEndpoints(
  store: Pick<MarketArchiveStore, 'list' | 'findPublic'>,
  bucket: R2Bucket,
  rateLimit: ArchiveRateLimit,
): Endpoint[] {
  return [
    defineRoute({
      ...marketRead,
      path: '/v1/market/archive',
      operationId: 'listMarketArchive',
      summary: 'List archived months',
      description:
        'Lists the months whose listings moved to files, by default after 400 days. Other endpoints no longer return these listings; timelines have the figures of their days. A file and these figures never change: later dumps of the month are ignored.',
      ok: { description: 'The months.', schema: MonthsBody },
      table: listTable(MonthsBody, 'items'),
    }).handle(async () => {
      const items = (await store.list()).map(toMonthBody);
      return json({ items, count: items.length });
    }),

    defineRoute({
      ...marketRead,
      path: '/v1/market/archive/{month}',
      operationId: 'downloadMarketArchive',
      summary: 'Download archived listings',
      description:
        'Downloads the listings of a month as compressed JSON Lines (gzip), oldest first. Supports a single `Range`, `If-Range` and conditional requests.',
      params: z.object({ month }),
      errors: ['not_found', 'bad_request'],
      servesRanges: true,
      ok: { contentTypes: [GZIP], description: 'The file.' },
    }).handle(async ({ params, request, caller, settings, now }) => {
      const archived = await store.findPublic(params.month);
      if (!archived) throw notFound('the month is not archived');
      const headers = await rateLimit.charge(caller, settings, now);
      const reply = await fileReply(request, {
        sha256: archived.sha256,
        size: archived.bytes,
        contentType: GZIP,
        filename: `market-${archived.month}.jsonl.gz`,
        lastModified: archived.archivedAt,
        cacheControl: CACHE,
        open: async (range) => (await bucket.get(archived.key, range ? { range } : {}))?.body ?? null,
      });
      return { ...reply, headers: { ...reply.headers, ...headers } };
    }),
  ];
}
