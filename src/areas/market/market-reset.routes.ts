import { masterAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ResetBody } from './market.schemas.ts';
import type { MarketResets } from './market-resets.repository.ts';

const NAME = 'market-reset';

/** `POST /v1/market/reset`. `onChange` is called after the listings were deleted. */
export function createMarketResetEndpoint(resets: Pick<MarketResets, 'deleteAll'>, onChange: () => Promise<void>): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/market/reset',
    operationId: 'resetMarket',
    tag: 'Market',
    summary: 'Delete all listings',
    description: 'Deletes all market listings. The list of tracked items stays.',
    access: masterAccess(NAME),
    log: NAME,
    feature: 'featureMarketEnabled',
    ok: { description: 'All listings were deleted.', schema: ResetBody },
  }).handle(async () => {
    const removed = await resets.deleteAll();
    await onChange();
    return json({ reset: true as const, removed }, { outcome: { summary: `${removed} listings deleted` } });
  });
}
