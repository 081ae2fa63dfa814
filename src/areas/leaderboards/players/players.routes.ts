import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable, nestedTable } from '../../../platform/http/tables/table.ts';
import { leaderboardsRead, overridesOf } from '../boards/boards.routes.ts';
import { PlayerHistoryQuery, PlayerPath, PlayerSeriesQuery } from '../boards/boards.schemas.ts';
import {
  PlayerBoardsBody,
  PlayerHistoryBody,
  PlayerProfileBody,
  PlayerSeriesBody,
  toPlayerBoardsBody,
  toPlayerHistoryBody,
  toPlayerProfileBody,
  toPlayerSeriesBody,
} from './players.schemas.ts';
import type { PlayersService } from './players.service.ts';

const TOTALS =
  'A name that was renamed and not seen since leads to the later name; `renamed_from` is then the requested one. Captures that were inserted late, replaced or deleted are included after the daily rebuild.';

/** Endpoints of players: history, series, profile and boards. */
export function createPlayerEndpoints(service: PlayersService): Endpoint[] {
  return [
    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/players/{name}/history',
      operationId: 'listPlayerHistory',
      summary: 'List player history',
      description:
        'Lists the rows of a player, newest capture first, each compared like board entries. Empty for an unknown name. Covers the last 400 captures, or game days once they are packed.',
      params: PlayerPath,
      query: PlayerHistoryQuery,
      errors: ['service_unavailable'],
      ok: { description: 'The rows.', schema: PlayerHistoryBody },
      table: listTable(PlayerHistoryBody, 'items'),
    }).handle(async ({ params, query, settings }) => {
      const history = await service.history(params.name, { uuid: query.uuid, limit: query.limit }, settings);
      return json(toPlayerHistoryBody(history, overridesOf(settings)));
    }),

    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/players/{name}/series',
      operationId: 'getPlayerSeries',
      summary: 'Get a player series',
      description:
        'Returns rank and score of a player on every board over the days before the newest capture. Boards that reset get synthetic points at each reset. A name that appears several times on a board has one series per row, numbered by `slot`.',
      params: PlayerPath,
      query: PlayerSeriesQuery,
      errors: ['service_unavailable'],
      ok: { description: 'The series.', schema: PlayerSeriesBody },
      table: nestedTable(PlayerSeriesBody, 'series', 'points'),
    }).handle(async ({ params, query, settings, now }) =>
      json(toPlayerSeriesBody(await service.series(params.name, query.days, settings, now))),
    ),

    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/players/{name}/profile',
      operationId: 'getPlayerProfile',
      summary: 'Get a player profile',
      description: `Returns the best, first and latest row of a player on every board over all captures, and the rows of the last 7 days, compared with the rows of the previous game day. Empty for an unknown name. ${TOTALS}`,
      params: PlayerPath,
      errors: ['service_unavailable'],
      ok: { description: 'The profile.', schema: PlayerProfileBody },
    }).handle(async ({ params, settings, now }) => json(toPlayerProfileBody(await service.profile(params.name, settings, now)))),

    defineRoute({
      ...leaderboardsRead,
      path: '/v1/leaderboards/players/{name}/boards',
      operationId: 'getPlayerBoards',
      summary: 'List boards of a player',
      description: `Lists the best, first and latest row of a player on every board over all captures: the profile without recent rows. Empty for an unknown name. ${TOTALS}`,
      params: PlayerPath,
      errors: ['service_unavailable'],
      ok: { description: 'The boards.', schema: PlayerBoardsBody },
    }).handle(async ({ params, settings }) => json(toPlayerBoardsBody(await service.boards(params.name, settings)))),
  ];
}
