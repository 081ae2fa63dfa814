import { masterAccess } from '../../../platform/access/policy/policy.ts';
import type { BoundResource } from '../../../platform/area/resource.ts';
import { resourceEndpoint } from '../../../platform/area/resource-endpoint.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { ATOM_TYPE, atomReply } from '../../../platform/http/replies/atom.ts';
import { cutPage, nextPageLink, pageStart } from '../../../platform/http/replies/page.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { rotation } from '../computed/computed.schemas.ts';
import { challengeEndsAt } from '../schedules/reports.domain.ts';
import { challengeRules, chaosChestWeek } from '../schedules/schedules.data.ts';
import {
  CaptureInsert,
  CaptureInserted,
  ChallengeHistoryBody,
  ChallengeHistoryQuery,
  ChaosChestHistoryBody,
  ChaosChestHistoryQuery,
  toChallengeHistoryBody,
  toChaosChestHistoryBody,
} from './reports.schemas.ts';
import type { InsertedReport, ItemBlueprints, LoadItemBlueprints, ReportsService } from './reports.service.ts';
import { CHAOS_CHEST_NAMES, type ReportsStore } from './reports.store.ts';

const FEED_ENTRIES = 50;

/** Names of the inserts in the ingest log and of their cooldowns. */
const CHAOS_CHEST = 'chaos-chest';
const CHALLENGE = 'challenge';

const outcomeOf = ({ name, refreshed }: InsertedReport) => ({ summary: refreshed ? `${name}, unchanged` : name });

const readRoute = { ...rotation, method: 'get' } as const;
const insertRoute = {
  method: 'post',
  tag: 'Rotations',
  body: CaptureInsert,
  ok: { description: 'Stored.', schema: CaptureInserted },
} as const;

interface ReportRoutesDeps {
  service: ReportsService;
  reports: ReportsStore;
  itemBlueprints: ItemBlueprints;
  loadItemBlueprints: LoadItemBlueprints;
  chaosChest: BoundResource;
  challenge: BoundResource;
}

/** Endpoints of the chaos chest and the challenge: current, history, insert. */
export function createReportEndpoints({
  service,
  reports,
  itemBlueprints,
  loadItemBlueprints,
  chaosChest,
  challenge,
}: ReportRoutesDeps): Endpoint[] {
  return [
    resourceEndpoint(chaosChest),

    defineRoute({
      ...readRoute,
      path: '/v1/rotations/chaos-chest/history',
      operationId: 'listChaosChests',
      summary: 'List chaos chest history',
      description: 'Lists reported featured items, newest week first. The `Link` header contains the URL of the next page.',
      query: ChaosChestHistoryQuery,
      errors: ['bad_request'],
      ok: { description: 'A page of the history.', schema: ChaosChestHistoryBody },
    }).handle(async ({ query, request, baseUrl }) => {
      const [page] = await Promise.all([
        reports.chaosChestHistory({ limit: query.limit + 1, start: pageStart(query) }),
        loadItemBlueprints(CHAOS_CHEST_NAMES),
      ]);
      const { rows, nextCursor } = cutPage(page.rows, query.limit, (row) => row.weekAnchorAt);
      const blueprints = await itemBlueprints(rows.map(({ name }) => name));
      return json(toChaosChestHistoryBody({ rows, total: page.total, nextCursor }, { week: chaosChestWeek, blueprints, baseUrl }), {
        headers: nextPageLink(request.url, nextCursor),
      });
    }),

    defineRoute({
      ...insertRoute,
      path: '/v1/rotations/chaos-chest/insert',
      operationId: 'insertChaosChest',
      summary: 'Report a chaos chest item',
      description: 'Stores the item of the current week (from Tuesday 11:00 UTC). Idempotent; another name corrects the report.',
      access: masterAccess(CHAOS_CHEST),
      log: CHAOS_CHEST,
    }).handle(async ({ body, now }) => {
      const result = await service.insertChaosChest(body.name, now);
      return json(result, { outcome: outcomeOf(result) });
    }),

    resourceEndpoint(challenge),

    defineRoute({
      ...readRoute,
      path: '/v1/rotations/challenge/history',
      operationId: 'listChallenges',
      summary: 'List challenge history',
      description: 'Lists reported challenges, newest window first. The `Link` header contains the URL of the next page.',
      query: ChallengeHistoryQuery,
      errors: ['bad_request'],
      ok: { description: 'A page of the history.', schema: ChallengeHistoryBody },
    }).handle(async ({ query, request }) => {
      const page = await reports.challengeHistory({ limit: query.limit + 1, start: pageStart(query) });
      const { rows, nextCursor } = cutPage(page.rows, query.limit, (row) => row.windowAnchorAt);
      return json(toChallengeHistoryBody({ rows, total: page.total, nextCursor }, challengeRules), {
        headers: nextPageLink(request.url, nextCursor),
      });
    }),

    defineRoute({
      ...readRoute,
      path: '/v1/rotations/challenge.atom',
      operationId: 'getChallengeFeed',
      summary: 'Get the challenges Atom feed',
      description: 'Returns the latest reported challenges as an Atom feed (RFC 4287).',
      ok: { contentTypes: [ATOM_TYPE], description: 'Atom feed.' },
    }).handle(async ({ baseUrl }) => {
      const rows = await reports.newestChallenges(FEED_ENTRIES);
      const url = `${baseUrl}/v1/rotations/challenge/history`;
      return atomReply({
        title: 'Game challenges',
        author: 'Game Data API',
        selfUrl: `${baseUrl}/v1/rotations/challenge.atom`,
        pageUrl: baseUrl,
        entries: rows.map(({ name, windowAnchorAt, capturedAt }) => ({
          id: `${url}#${windowAnchorAt}`,
          url,
          title: name,
          publishedAt: windowAnchorAt,
          updatedAt: capturedAt,
          summary: `From ${toIso(windowAnchorAt)} to ${toIso(challengeEndsAt(windowAnchorAt, challengeRules))}.`,
        })),
      });
    }),

    defineRoute({
      ...insertRoute,
      path: '/v1/rotations/challenge/insert',
      operationId: 'insertChallenge',
      summary: 'Report a challenge',
      description: 'Stores the name of the current or last window. Idempotent; another name corrects the report.',
      access: masterAccess(CHALLENGE),
      log: CHALLENGE,
    }).handle(async ({ body, now }) => {
      const result = await service.insertChallenge(body.name, now);
      return json(result, { outcome: outcomeOf(result) });
    }),
  ];
}
