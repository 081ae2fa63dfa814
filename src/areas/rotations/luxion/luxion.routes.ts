import { masterAccess } from '../../../platform/access/policy/policy.ts';
import type { BoundResource } from '../../../platform/area/resource.ts';
import { resourceEndpoint } from '../../../platform/area/resource-endpoint.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { cutPage, nextPageLink, pageStart } from '../../../platform/http/replies/page.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { rotation } from '../computed/computed.schemas.ts';
import { luxionRules } from '../schedules/luxion.domain.ts';
import {
  LuxionHistoryBody,
  LuxionHistoryQuery,
  LuxionInserted,
  LuxionInsertQuery,
  toLuxionHistoryBody,
  toLuxionInserted,
} from './luxion.schemas.ts';
import type { LuxionReported, LuxionStore } from './luxion.store.ts';

/** Name of the insert in the ingest log and of its cooldown. */
const LUXION = 'luxion';

interface LuxionRoutesDeps {
  runs: Pick<LuxionStore, 'history' | 'report'>;
  luxion: BoundResource;
}

const outcomeOf = ({ anchor, refreshed }: LuxionReported) => ({ summary: `run ${anchor}, ${refreshed ? 'refreshed' : 'new'}` });

/** Endpoints of the captured merchant: current, history, insert. */
export function createLuxionEndpoints({ runs, luxion }: LuxionRoutesDeps): Endpoint[] {
  return [
    resourceEndpoint(luxion),

    defineRoute({
      ...rotation,
      method: 'get',
      path: '/v1/rotations/luxion/history',
      operationId: 'listLuxionRuns',
      summary: 'List Luxion runs',
      description: 'Lists reported runs, newest first. The `Link` header contains the URL of the next page.',
      query: LuxionHistoryQuery,
      errors: ['bad_request'],
      ok: { description: 'A page of the history.', schema: LuxionHistoryBody },
    }).handle(async ({ query, request }) => {
      const page = await runs.history({ limit: query.limit + 1, start: pageStart(query) });
      const { rows, nextCursor } = cutPage(page.rows, query.limit, (row) => row.startedAt);
      return json(toLuxionHistoryBody({ rows, total: page.total, nextCursor }, luxionRules), {
        headers: nextPageLink(request.url, nextCursor),
      });
    }),

    defineRoute({
      tag: 'Rotations',
      method: 'post',
      path: '/v1/rotations/luxion/insert',
      operationId: 'insertLuxion',
      summary: 'Report Luxion',
      description:
        'Stores that the merchant is present now: extends the current run or begins one. With `present=false` it ends the current run; without a current run nothing changes. The request has no body.',
      access: masterAccess(LUXION),
      query: LuxionInsertQuery,
      log: LUXION,
      ok: { description: 'Stored.', schema: LuxionInserted },
    }).handle(async ({ query, now }) => {
      const result = await runs.report(query.present, now);
      return json(toLuxionInserted(result), { outcome: outcomeOf(result) });
    }),
  ];
}
