import { tokenAccess } from '../../../platform/access/policy/policy.ts';
import { applyRule } from '../../../platform/errors/input-fault.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import type { ArchiveBudget } from '../../../platform/rate-limits/archive-budget.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/time/clock.ts';
import { anchorsForRead } from '../ingest/anchors.domain.ts';
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
import { parseResetOverrides } from './resets.domain.ts';

export const read = {
  method: 'get',
  tag: 'Leaderboards',
  access: tokenAccess('leaderboards:read'),
  feature: 'featureLeaderboardsEnabled',
} as const;

const ARCHIVE =
  'The operator may set a further limit per token for anchors older than 3 days; while it is set, `X-RateLimit-Archive-*` reports it.';

export const overridesOf = (settings: Settings) => parseResetOverrides(settings.leaderboardsResetOverrides);

export interface BoardRoutesDeps {
  service: BoardsService;
  archive: ArchiveBudget;
}

/** Timestamps, boards and entries. */
export function createBoardEndpoints({ service, archive }: BoardRoutesDeps): Endpoint[] {
  /** Checks an anchor that was asked for, and charges the archive limit when it is old. */
  async function chargeFor(
    createdAt: UnixSeconds,
    { caller, settings, now }: { caller: Parameters<ArchiveBudget['charge']>[0]; settings: Settings; now: UnixSeconds },
  ): Promise<Record<string, string>> {
    applyRule('query', { created_at: createdAt }, () => anchorsForRead(createdAt));
    const isOld = createdAt < now - settings.leaderboardsArchiveQueryThresholdDays * SECONDS_PER_DAY;
    return isOld ? archive.charge(caller, settings, now) : {};
  }

  return [
    defineRoute({
      ...read,
      path: '/v1/leaderboards/timestamps',
      operationId: 'listLeaderboardTimestamps',
      summary: 'Captures of the leaderboards',
      description: 'Anchors at which the leaderboards were captured, newest first. They are what `created_at` takes elsewhere.',
      query: TimestampsQuery,
      ok: { description: 'The anchors.', schema: TimestampsBody },
    }).handle(async ({ query }) => {
      const items = await service.timestamps(query.limit);
      return json({ items, count: items.length });
    }),

    defineRoute({
      ...read,
      path: '/v1/leaderboards',
      operationId: 'listLeaderboards',
      summary: 'Leaderboards of a capture',
      description: `The boards that have entries at a capture, in the order of the game. An anchor without a capture gives an empty list. ${ARCHIVE}`,
      query: BoardsQuery,
      errors: ['bad_request'],
      ok: { description: 'The boards.', schema: BoardsBody },
    }).handle(async ({ query, ...context }) => {
      const headers = await chargeFor(query.created_at, context);
      const { createdAt, boards } = await service.boardsAt(query.created_at);
      const items = boards.map((board) => toBoardBody(board, overridesOf(context.settings)));
      return json({ created_at: createdAt, items, count: items.length }, { headers });
    }),

    defineRoute({
      ...read,
      path: '/v1/leaderboards/{uuid}',
      operationId: 'getLeaderboard',
      summary: 'One leaderboard',
      description: 'A board as the newest capture has it, with the captures at which it was a contest.',
      params: BoardPath,
      errors: ['not_found'],
      ok: { description: 'The board.', schema: BoardDetailBody },
    }).handle(async ({ params, settings }) => {
      const { board, contests } = await service.board(params.uuid);
      return json({ ...toBoardBody(board, overridesOf(settings)), contests });
    }),

    defineRoute({
      ...read,
      path: '/v1/leaderboards/{uuid}/entries',
      operationId: 'listLeaderboardEntries',
      summary: 'Entries of a leaderboard',
      description: `Rows of a board at a capture by rank, compared with its newest capture before that game day unless the board was emptied since. An anchor without data gives an empty list. ${ARCHIVE}`,
      params: BoardPath,
      query: EntriesQuery,
      errors: ['bad_request', 'not_found', 'service_unavailable'],
      ok: { description: 'A page of entries.', schema: EntriesBody },
    }).handle(async ({ params, query, ...context }) => {
      const headers = await chargeFor(query.created_at, context);
      const { created_at: createdAt, limit, offset } = query;
      const page = await service.entries(params.uuid, { createdAt, limit, offset }, context.settings);
      const items = page.items.map((entry) => toEntryBody(entry, page.uuid));
      const counts = { count: items.length, total: page.total };
      return json(
        { uuid: page.uuid, created_at: page.createdAt, items, ...counts, comparison: toComparisonBody(page.comparison) },
        { headers },
      );
    }),

    defineRoute({
      ...read,
      path: '/v1/leaderboards/{uuid}/history',
      operationId: 'getLeaderboardHistory',
      summary: 'History of a leaderboard',
      description:
        'How the leaders of the newest capture got there: their rank and score at every capture of the window, of which 750 are evenly chosen when it has more. Boards that are emptied get synthetic points at each reset. A board without captures has empty lists.',
      params: BoardPath,
      query: BoardHistoryQuery,
      errors: ['service_unavailable'],
      ok: { description: 'The lines.', schema: BoardHistoryBody },
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
