import type { z } from '@hono/zod-openapi';
import { masterAccess, publicAccess } from '../../../platform/access/policy/policy.ts';
import { type BodySource, defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { cutPage, nextPageLink, pageStart } from '../../../platform/http/replies/page.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { luxionRules } from './luxion.domain.ts';
import {
  LuxionBody,
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
  luxion: BodySource<z.output<typeof LuxionBody>>;
}

const shared = { tag: 'Rotations' } as const;
const access = publicAccess('rotations:read');
const outcomeOf = ({ anchor, refreshed }: LuxionReported) => ({ summary: `run ${anchor}, ${refreshed ? 'refreshed' : 'new'}` });

/** Endpoints of the captured merchant: current, history, insert. */
export function createLuxionEndpoints({ runs, luxion }: LuxionRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/v1/rotations/luxion',
      operationId: 'getLuxion',
      access,
      summary: 'Get the Luxion timer',
      description:
        'Returns the newest run of the merchant Luxion. Runs are reported, not computed: a run begins with its first sighting and has up to seven windows of three hours, 27 hours apart.',
      ok: { description: 'The merchant.', schema: LuxionBody },
    }).handle(({ now, settings, baseUrl }) => luxion(now, settings, baseUrl)),

    defineRoute({
      ...shared,
      method: 'get',
      path: '/v1/rotations/luxion/history',
      operationId: 'listLuxionRuns',
      access,
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
      ...shared,
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
