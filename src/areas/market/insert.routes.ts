import { masterAccess } from '../../platform/access/policy/policy.ts';
import { type FormLimits, readForm } from '../../platform/http/bodies/multipart.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { InsertOutcome } from '../../platform/http/pipeline/receipt.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { badRequest } from '../../platform/kit/errors/api-error.ts';
import type { MarketInsertResult, MarketInsertService } from './insert.service.ts';
import type { MarketResets } from './insert.store.ts';
import { InsertBody, InsertForm, InsertQuery, ResetBody, toInsertBody } from './listings.schemas.ts';
import { MAX_DUMP_BYTES } from './market.data.ts';

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
const NAME = 'market';

/** `POST /v1/market/insert`. */
export function createMarketInsertEndpoint(service: MarketInsertService): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/market/insert',
    operationId: 'insertMarketDump',
    tag: 'Market',
    summary: 'Insert a market dump',
    description:
      'Imports listings of tracked items from text that contains `uuid;name;type;stack;price`. A known listing only gets a new `last_seen`. Invalid listings are skipped and reported in the insert log.',
    access: masterAccess(NAME),
    log: NAME,
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
    const result = await service.insert(file.bytes, query.timestamp, now);
    return json(toInsertBody(result), { accepted: result.parsed > 0, outcome: outcomeOf(result) });
  });
}

/** Result for the insert log: at most `MAX_LOGGED_DROPS` dropped listings in its summary. */
function outcomeOf({ parsed, imported, ignoredNotInList, droppedCount, dropped }: MarketInsertResult): InsertOutcome {
  const summary = `${parsed} parsed, ${imported} imported, ${ignoredNotInList} not tracked, ${droppedCount} dropped`;
  const listed = dropped.slice(0, MAX_LOGGED_DROPS).map(({ line, reason }) => `line ${line} ${reason}`);
  const more = droppedCount > listed.length ? ', ...' : '';
  return {
    summary: droppedCount === 0 ? summary : `${summary}: ${listed.join(', ')}${more}`,
    counts: { received: parsed + droppedCount, accepted: imported, ignored: ignoredNotInList, rejected: droppedCount },
    problems: dropped,
  };
}

const RESET_NAME = 'market-reset';

/** `POST /v1/market/reset`. `onChange` is called after the listings were deleted. */
export function createMarketResetEndpoint(resets: Pick<MarketResets, 'deleteAll'>, onChange: () => Promise<void>): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/market/reset',
    operationId: 'resetMarket',
    tag: 'Market',
    summary: 'Delete all listings',
    description: 'Deletes all market listings. The list of tracked items stays.',
    access: masterAccess(RESET_NAME),
    log: RESET_NAME,
    feature: 'featureMarketEnabled',
    ok: { description: 'All listings were deleted.', schema: ResetBody },
  }).handle(async () => {
    const removed = await resets.deleteAll();
    await onChange();
    return json({ reset: true as const, removed }, { outcome: { summary: `${removed} listings deleted` } });
  });
}
