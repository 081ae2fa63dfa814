import type { ArchiveRateLimit } from '../../../platform/access/limits/archive-rate-limit.ts';
import { tokenAccess, tokenUnlessPublic } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable, nestedTable } from '../../../platform/http/tables/table.ts';
import { applyRule } from '../../../platform/kit/errors/input-fault.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { captureForRead, requestedInstant, type WantedCapture } from '../anchors.domain.ts';
import { parseResetOverrides, sortBoards } from './boards.domain.ts';
import {
  BoardDetailBody,
  BoardHistoryBody,
  BoardHistoryQuery,
  BoardPath,
  BoardsBody,
  BoardsQuery,
  EntriesBody,
  EntriesQuery,
  TimestampsBody,
  TimestampsQuery,
  toBoardBody,
  toComparisonBody,
  toEntryBody,
  toPointBodies,
  toWindowBody,
} from './boards.schemas.ts';
import type { BoardsService } from './boards.service.ts';

export const leaderboardsRead = {
  method: 'get',
  tag: 'Leaderboards',
  access: tokenAccess('leaderboards:read'),
  feature: 'featureLeaderboardsEnabled',
} as const;

/** Boards, records and profiles: without a token if the operator allows it. */
export const publicBoardsRead = {
  ...leaderboardsRead,
  access: tokenUnlessPublic('leaderboards:read', (settings) => settings.leaderboardsPublic),
} as const;

export const leaderboardsMaster = { tag: 'Leaderboards', feature: 'featureLeaderboardsEnabled' } as const;

/** Cache lifetime of renames and duplicate names; captures are an hour apart. */
export const NAMES_MAX_AGE_SECONDS = 300;

const CAPTURE =
  'Without `created_at` and `at`, it is the newest capture. `created_at` is an anchor, `at` any time. `anchor` in the response is the anchor of the selected capture, or null.';
const ARCHIVE = 'A stricter rate limit per token may apply to anchors older than 3 days; `X-RateLimit-Archive-*` then reports it.';

export const overridesOf = (settings: Settings) => parseResetOverrides(settings.leaderboardsResetOverrides);

interface BoardRoutesDeps {
  service: BoardsService;
  archive: ArchiveRateLimit;
}

/** Endpoints of captures, boards and entries. */
export function createBoardEndpoints({ service, archive }: BoardRoutesDeps): Endpoint[] {
  /** Reads the requested capture from the query. An old one counts in the archive rate limit. */
  async function chargeCapture(
    query: { created_at?: number | undefined; at?: number | undefined },
    { caller, settings, now }: { caller: Parameters<ArchiveRateLimit['charge']>[0]; settings: Settings; now: UnixSeconds },
  ): Promise<{ requested: WantedCapture; headers: Record<string, string> }> {
    const requested = applyRule('query', query, () => captureForRead(query));
    const isOld = requestedInstant(requested, now) < now - settings.leaderboardsArchiveQueryThresholdDays * SECONDS_PER_DAY;
    return { requested, headers: isOld ? await archive.charge(caller, settings, now) : {} };
  }

  return [
    defineRoute({
      ...publicBoardsRead,
      path: '/v1/leaderboards/timestamps',
      operationId: 'listLeaderboardTimestamps',
      summary: 'List captures',
      description: 'Lists the anchors of leaderboard captures, newest first. Use them as `created_at` in other requests.',
      query: TimestampsQuery,
      ok: { description: 'The anchors.', schema: TimestampsBody },
    }).handle(async ({ query }) => {
      const items = await service.timestamps(query.limit);
      return json({ items, count: items.length });
    }),

    defineRoute({
      ...publicBoardsRead,
      path: '/v1/leaderboards',
      operationId: 'listLeaderboards',
      summary: 'List leaderboards',
      description: `Lists the boards with entries at a capture, by default in the order of the game. Empty for an unknown capture. ${CAPTURE} ${ARCHIVE}`,
      query: BoardsQuery,
      errors: ['bad_request'],
      ok: { description: 'The boards.', schema: BoardsBody },
    }).handle(async ({ query, ...context }) => {
      const { requested, headers } = await chargeCapture(query, context);
      const { anchor, boards } = await service.boardsAt(requested);
      const items = sortBoards(boards, query.sort).map((board) => toBoardBody(board, overridesOf(context.settings)));
      return json({ created_at: anchor ?? requestedInstant(requested, context.now), anchor, items, count: items.length }, { headers });
    }),

    defineRoute({
      ...publicBoardsRead,
      path: '/v1/leaderboards/{uuid}',
      operationId: 'getLeaderboard',
      summary: 'Get a leaderboard',
      description: 'Returns a board as of the newest capture, with the captures at which it was a contest.',
      params: BoardPath,
      errors: ['not_found'],
      ok: { description: 'The board.', schema: BoardDetailBody },
    }).handle(async ({ params, settings }) => {
      const { board, contests } = await service.board(params.uuid);
      return json({ ...toBoardBody(board, overridesOf(settings)), contests });
    }),

    defineRoute({
      ...publicBoardsRead,
      path: '/v1/leaderboards/{uuid}/entries',
      operationId: 'listLeaderboardEntries',
      summary: 'List leaderboard entries',
      description: `Lists the rows of a board at a capture by rank, compared with its newest capture before that game day unless the board was reset since. Empty for an unknown capture of the board. ${CAPTURE} ${ARCHIVE}`,
      params: BoardPath,
      query: EntriesQuery,
      errors: ['bad_request', 'not_found', 'service_unavailable'],
      ok: { description: 'A page of entries.', schema: EntriesBody },
      table: listTable(EntriesBody, 'items'),
    }).handle(async ({ params, query, ...context }) => {
      const { requested, headers } = await chargeCapture(query, context);
      const page = await service.entries(params.uuid, { requested, limit: query.limit, offset: query.offset }, context.settings);
      const items = page.items.map((entry) => toEntryBody(entry, page.uuid));
      const counts = { count: items.length, total: page.total };
      return json(
        {
          uuid: page.uuid,
          created_at: page.anchor ?? requestedInstant(requested, context.now),
          anchor: page.anchor,
          items,
          ...counts,
          comparison: toComparisonBody(page.comparison),
        },
        { headers },
      );
    }),

    defineRoute({
      ...publicBoardsRead,
      path: '/v1/leaderboards/{uuid}/history',
      operationId: 'getLeaderboardHistory',
      summary: 'Get leaderboard history',
      description:
        'Returns rank and score of the leaders of the newest capture at every capture of the window, evenly sampled to at most 750 captures. Boards that reset get synthetic points at each reset. A board without captures has empty lists.',
      params: BoardPath,
      query: BoardHistoryQuery,
      errors: ['service_unavailable'],
      ok: { description: 'The series.', schema: BoardHistoryBody },
      table: nestedTable(BoardHistoryBody, 'series', 'points'),
    }).handle(async ({ params, query, settings, now }) => {
      const history = await service.history(params.uuid, query, settings, now);
      const series = history.series.map(({ playerName, currentRank, points }) => ({
        player_name: playerName,
        current_rank: currentRank,
        points: toPointBodies(points),
      }));
      return json({ uuid: history.uuid, ...toWindowBody(history), series });
    }),
  ];
}
