import { z } from '@hono/zod-openapi';
import { masterAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import { TRIGGER_TTL_SECONDS, type TriggerQueue } from '../../platform/events/trigger-queue.ts';
import { integer, integerOrNull } from '../../platform/http/bodies/body-schemas.ts';
import { type FormLimits, readForm } from '../../platform/http/bodies/multipart.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { optionalInstant } from '../../platform/http/pipeline/query-schemas.ts';
import type { InsertOutcome } from '../../platform/http/pipeline/receipt.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { badRequest } from '../../platform/kit/errors/api-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { checkDump, type DroppedListing, parseMarketDump } from './insert.domain.ts';
import type { MarketInserts, MarketResets, RawDumps } from './insert.store.ts';
import { LATEST_INSTANT, MAX_DUMP_BYTES, MAX_DUMP_LISTINGS, MAX_FUTURE_SECONDS } from './market.data.ts';

const FORM_OVERHEAD_BYTES = 64 * 1024;
const FORM_LIMITS: FormLimits = {
  total: MAX_DUMP_BYTES + FORM_OVERHEAD_BYTES,
  file: MAX_DUMP_BYTES,
  files: 1,
  field: 64 * 1024,
  fields: 20,
  seconds: 120,
};
/** The dump, its text, and its listings. */
const MEMORY_FACTOR = 4;
/** Maximum number of dropped listings in the insert log. */
const MAX_LOGGED_DROPS = 20;
const INSERT_NAME = 'market';
const RESET_NAME = 'market-reset';

const InsertQuery = z.object({
  timestamp: optionalInstant({
    min: 0,
    max: LATEST_INSTANT,
    description: 'Time when the listings were seen (unix seconds); defaults to now.',
    example: 1_700_000_000,
  }),
});

const InsertForm = z
  .object({
    file: z.any().openapi({ type: 'string', format: 'binary', description: 'The dump, up to 20 MiB of text.', example: '' }),
  })
  .openapi('MarketInsertForm', { description: 'A dump of the market.' });

const InsertBody = z
  .object({
    parsed: integer('Valid listings in the dump.', 3),
    imported: integer('Listings stored or updated.', 2),
    ignored_not_in_list: integer('Listings ignored because the item is not tracked.', 1),
    last_seen: integerOrNull('`last_seen` of the imported listings (unix seconds); null if none.', 1_725_389_155),
  })
  .openapi('MarketInserted', { description: 'Result of a market dump import.' });

const ResetBody = z
  .object({
    reset: z.literal(true).openapi({ description: 'Always true.', example: true }),
    removed: integer('Listings deleted.', 12_000),
  })
  .openapi('MarketReset', { description: 'Result of a market reset.' });

interface MarketInsertDeps {
  inserts: MarketInserts;
  resets: Pick<MarketResets, 'deleteAll'>;
  rawDumps: RawDumps;
  ports: Pick<Ports, 'interestItems'>;
  /** Queue of the cheapest new listings. */
  newPrices: Pick<TriggerQueue, 'kind' | 'drain'>;
  newId(): string;
  /** Called after a change of the listings. */
  onChange(now: UnixSeconds): Promise<void>;
}

/** The writes of the market: a dump, and the deletion of all listings. */
export function createMarketInsertEndpoints(deps: MarketInsertDeps): Endpoint[] {
  return [createInsertEndpoint(deps), createResetEndpoint(deps)];
}

/** `POST /v1/market/insert`. */
function createInsertEndpoint(deps: MarketInsertDeps): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/market/insert',
    operationId: 'insertMarketDump',
    tag: 'Market',
    summary: 'Insert a market dump',
    description:
      'Imports listings of tracked items from text that contains `uuid;name;type;stack;price`. A known listing only gets a new `last_seen`. Invalid listings are skipped and reported in the insert log. Listings of archived months are ignored, and the figures of their days stay; the receipt has their number.',
    access: masterAccess(INSERT_NAME),
    log: INSERT_NAME,
    feature: 'featureMarketEnabled',
    query: InsertQuery,
    rawBody: { contentTypes: ['multipart/form-data'], description: 'The multipart form.', schema: InsertForm },
    bodyLimit: FORM_LIMITS.total,
    memory: MEMORY_FACTOR,
    errors: ['validation_error', 'service_unavailable'],
    ok: { description: 'Stored.', schema: InsertBody },
  }).handle(async ({ request, reserve, query, now }) => {
    const file = (await readForm(request, FORM_LIMITS, reserve)).files.find(({ field }) => field === 'file');
    if (!file) throw badRequest('file is required and must be a non-empty file');
    const { body, outcome } = await importDump(deps, file.bytes, query.timestamp, now);
    return json(body, { accepted: body.parsed > 0, outcome });
  });
}

const utf8 = new TextDecoder();

/**
 * Imports a dump: the raw copy, the listings of tracked items, and the queue of new prices. Throws 400 for an invalid time and 422 for a
 * dump that would take too long to parse.
 */
async function importDump(deps: MarketInsertDeps, dump: Uint8Array<ArrayBuffer>, timestamp: UnixSeconds | undefined, now: UnixSeconds) {
  const { inserts, rawDumps, ports, newPrices, newId, onChange } = deps;
  const seenAt = seenTime(timestamp, now);
  checkDump(dump);
  // The raw copy is optional: the import continues without it.
  await rawDumps.put(dump, seenAt, newId()).catch((error: unknown) => logError('market dump was not archived', error));
  const { listings, dropped, droppedCount, hiddenCharacters } = parseMarketDump(utf8.decode(dump), MAX_DUMP_LISTINGS);
  const [names, archivedUntil] = await Promise.all([ports.interestItems(), inserts.archivedUntil()]);
  const tracked = new Set(names);
  const known = listings.filter(({ name }) => tracked.has(name));
  const imported = known.filter(({ createdAt }) => archivedUntil === null || createdAt >= archivedUntil);
  const archivedCount = known.length - imported.length;
  if (imported.length > 0) {
    const isNews = seenAt >= now - TRIGGER_TTL_SECONDS;
    // The queue of prices is part of the transaction. What follows may be lost: jobs compute the statistics and drain the queue.
    await inserts.save(imported, seenAt, isNews ? { kind: newPrices.kind, key: newId(), now } : undefined);
    await onChange(now);
    await newPrices.drain(now);
  }
  const body: z.infer<typeof InsertBody> = {
    parsed: listings.length,
    imported: imported.length,
    ignored_not_in_list: listings.length - known.length,
    last_seen: listings.length > 0 ? seenAt : null,
  };
  return { body, outcome: { ...outcomeOf(body, dropped, droppedCount, archivedCount), hiddenCharacters } };
}

function seenTime(timestamp: UnixSeconds | undefined, now: UnixSeconds): UnixSeconds {
  if (timestamp === undefined) return now;
  if (timestamp <= 0) throw badRequest('timestamp must be greater than 0');
  if (timestamp > now + MAX_FUTURE_SECONDS) throw badRequest(`timestamp must be at most ${MAX_FUTURE_SECONDS} seconds in the future`);
  return timestamp;
}

/** Result for the insert log: at most `MAX_LOGGED_DROPS` dropped listings in its summary. */
function outcomeOf(
  body: z.infer<typeof InsertBody>,
  dropped: readonly DroppedListing[],
  droppedCount: number,
  archivedCount: number,
): InsertOutcome {
  const { parsed, imported, ignored_not_in_list: ignored } = body;
  const archived = archivedCount === 0 ? '' : `, ${archivedCount} of archived months`;
  const summary = `${parsed} parsed, ${imported} imported, ${ignored} not tracked${archived}, ${droppedCount} dropped`;
  const listed = dropped.slice(0, MAX_LOGGED_DROPS).map(({ line, reason }) => `line ${line} ${reason}`);
  const more = droppedCount > listed.length ? ', ...' : '';
  return {
    summary: droppedCount === 0 ? summary : `${summary}: ${listed.join(', ')}${more}`,
    counts: { received: parsed + droppedCount, accepted: imported, ignored: ignored + archivedCount, rejected: droppedCount },
    problems: dropped,
  };
}

/** `POST /v1/market/reset`. */
function createResetEndpoint({ resets, onChange }: MarketInsertDeps): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/market/reset',
    operationId: 'resetMarket',
    tag: 'Market',
    summary: 'Delete all listings',
    description: 'Deletes all market listings. The list of tracked items, the archived months and the figures of their days stay.',
    access: masterAccess(RESET_NAME),
    log: RESET_NAME,
    feature: 'featureMarketEnabled',
    ok: { description: 'All listings were deleted.', schema: ResetBody },
  }).handle(async ({ now }) => {
    const removed = await resets.deleteAll();
    await onChange(now);
    return json({ reset: true as const, removed }, { outcome: { summary: `${removed} listings deleted` } });
  });
}
