import { masterAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { IngestLog } from '../../platform/ingest/ingest-log.ts';
import { loggedInsert } from '../../platform/ingest/logged-insert.ts';
import { ResetBody } from './market.schemas.ts';
import type { MarketResets } from './market-resets.repository.ts';

const NAME = 'market-reset';

/** `POST /v1/market/reset`. `onChange` is called after the listings were deleted. */
export function createMarketResetEndpoint(
  resets: Pick<MarketResets, 'deleteAll'>,
  log: IngestLog,
  onChange: () => Promise<void>,
): Endpoint {
  const logged = loggedInsert(log, NAME);
  return defineRoute({
    method: 'post',
    path: '/v1/market/reset',
    operationId: 'resetMarket',
    tag: 'Market',
    summary: 'Delete all listings',
    description: 'Deletes all market listings. The list of tracked items stays.',
    access: masterAccess(NAME),
    hasReceipt: true,
    feature: 'featureMarketEnabled',
    ok: { description: 'All listings were deleted.', schema: ResetBody },
  }).handle(async ({ caller, now }) => {
    const { result: removed, headers } = await logged(
      { caller, now },
      () => resets.deleteAll(),
      (count) => ({ summary: `${count} listings deleted` }),
    );
    await onChange();
    return json({ reset: true as const, removed }, { headers });
  });
}
