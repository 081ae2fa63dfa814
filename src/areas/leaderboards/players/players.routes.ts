import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { overridesOf, read } from '../boards/boards.routes.ts';
import { PlayerHistoryQuery, PlayerPath, PlayerSeriesQuery } from '../boards/boards.schemas.ts';
import {
  PlayerHistoryBody,
  PlayerProfileBody,
  PlayerSeriesBody,
  toPlayerHistoryBody,
  toPlayerProfileBody,
  toPlayerSeriesBody,
} from './players.schemas.ts';
import type { PlayersService } from './players.service.ts';

/** Rows that a profile shows of the latest. */
const RECENT_ROWS = 20;

/** Players: history, series and profile. */
export function createPlayerEndpoints(service: PlayersService): Endpoint[] {
  return [
    defineRoute({
      ...read,
      path: '/v1/leaderboards/players/{name}/history',
      operationId: 'listPlayerHistory',
      summary: 'History of a player',
      description:
        'Rows of a player, newest capture first, each compared as the entries of its board are. A name no capture has gives an empty list. Reaches back 400 captures, or game days once they are packed.',
      params: PlayerPath,
      query: PlayerHistoryQuery,
      errors: ['service_unavailable'],
      ok: { description: 'The rows.', schema: PlayerHistoryBody },
    }).handle(async ({ params, query, settings }) => {
      const history = await service.history(params.name, { uuid: query.uuid, limit: query.limit }, settings);
      return json(toPlayerHistoryBody(history, overridesOf(settings)));
    }),

    defineRoute({
      ...read,
      path: '/v1/leaderboards/players/{name}/series',
      operationId: 'getPlayerSeries',
      summary: 'Series of a player',
      description:
        'Rank and score of a player on every board over the days before the newest capture. Boards that are emptied get synthetic points at each reset. A name that stands several times on a board has a line for each row, numbered by `slot`.',
      params: PlayerPath,
      query: PlayerSeriesQuery,
      errors: ['service_unavailable'],
      ok: { description: 'The lines.', schema: PlayerSeriesBody },
    }).handle(async ({ params, query, settings, now }) =>
      json(toPlayerSeriesBody(await service.series(params.name, query.days, settings, now))),
    ),

    defineRoute({
      ...read,
      path: '/v1/leaderboards/players/{name}/profile',
      operationId: 'getPlayerProfile',
      summary: 'Profile of a player',
      description:
        'A player at a glance: every row of the newest capture that has the player, and the latest rows. An unknown name has an empty profile.',
      params: PlayerPath,
      errors: ['service_unavailable'],
      ok: { description: 'The profile.', schema: PlayerProfileBody },
    }).handle(async ({ params, settings }) =>
      json(toPlayerProfileBody(await service.profile(params.name, RECENT_ROWS, settings), overridesOf(settings))),
    ),
  ];
}
