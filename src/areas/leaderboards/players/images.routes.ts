import { tokenlessAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import {
  createImageCache,
  type EmbeddedImage,
  IMAGE_SHAPES,
  ImageQuery,
  type ImageShape,
  imageOk,
  imagesRateLimit,
} from '../../../platform/http/replies/badge-reply.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import { MAX_CARD_ROWS } from '../../../platform/kit/images/embedded-images.domain.ts';
import { readableTime } from '../../../platform/kit/time/time-text.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { boardTitle, scoreText, titleCase } from '../boards/boards.domain.ts';
import { BoardPath, PlayerPath } from '../boards/boards.schemas.ts';
import type { BoardsService } from '../boards/boards.service.ts';
import { playerKey } from '../captures/board-rows.domain.ts';
import type { PlayersService } from './players.service.ts';

interface BoardImagesDeps {
  boards: Pick<BoardsService, 'leaders'>;
  players: Pick<PlayersService, 'overview'>;
}

const shared = {
  method: 'get',
  tag: 'Leaderboards',
  access: tokenlessAccess('leaderboards:read', imagesRateLimit),
  feature: 'featureLeaderboardsEnabled',
  query: ImageQuery,
  errors: ['not_found', 'service_unavailable'],
} as const;
const CACHED = 'for READMEs and forums. Cached for 5 minutes.';
const titleOf = (shape: ImageShape) => (shape === 'badge' ? 'Badge' : 'Card');

/** Badges and cards of boards and players. */
export function createBoardImageEndpoints({ boards, players }: BoardImagesDeps): Endpoint[] {
  const cached = createImageCache();

  async function boardImage(uuid: number): Promise<EmbeddedImage> {
    const { board, anchor, rows } = await boards.leaders(uuid, MAX_CARD_ROWS);
    const [first] = rows;
    const value = first ? `${first.playerName} ${scoreText(uuid, first.score)}` : 'no rows';
    return {
      badge: { label: boardTitle(board), value, tone: 'info' },
      card: {
        kind: `Leaderboard · ${titleCase(board.category)}`,
        title: boardTitle(board),
        rows: rows.map(({ rank, playerName, score }) => ({ label: `${rank}. ${playerName}`, value: scoreText(uuid, score) })),
        note: `As of ${readableTime(anchor)}`,
      },
    };
  }

  async function playerImage(name: string, settings: Settings): Promise<EmbeddedImage> {
    const { playerName, summary, sigil, boards: known } = await players.overview(name, settings);
    const [best] = known;
    if (!best || summary.latestAnchor === null) throw notFound('player not found');
    const nameOf = ({ uuid, board }: typeof best) => (board ? boardTitle({ uuid, name: board.name }) : `Board ${uuid}`);
    return {
      badge: { label: playerName, value: `best rank ${best.bestRank}, ${nameOf(best)}`, tone: 'info' },
      card: {
        kind: 'Player',
        title: playerName,
        rows: [
          { label: 'Boards', value: `${summary.boardsAppeared}, in the top 100: ${summary.top100}` },
          ...(sigil
            ? [
                { label: 'Power Rank', value: `${sigil.powerRank}, ${sigil.powerRankClass}` },
                { label: 'Mastery', value: String(sigil.mastery) },
              ]
            : []),
          ...known.map((item) => ({ label: nameOf(item), value: `rank ${item.latestRank}` })),
        ].slice(0, MAX_CARD_ROWS),
        note:
          summary.lastPlayed === null
            ? `Last seen ${readableTime(summary.latestAnchor)}`
            : `Last played ${readableTime(summary.lastPlayed)}`,
      },
    };
  }

  return IMAGE_SHAPES.flatMap((shape) => [
    defineRoute({
      ...shared,
      path: `/v1/leaderboards/{uuid}/${shape}.svg`,
      operationId: `getLeaderboard${titleOf(shape)}`,
      summary: `Get a leaderboard ${shape}`,
      description: `Returns the ${shape === 'badge' ? 'first row' : 'first five rows'} of a board as an SVG image, ${CACHED}`,
      params: BoardPath,
      ok: imageOk(shape),
    }).handle(({ params: { uuid }, query, now, waitUntil }) =>
      cached({ key: `board ${uuid}`, shape, theme: query.theme, now, waitUntil }, () => boardImage(uuid)),
    ),

    defineRoute({
      ...shared,
      path: `/v1/leaderboards/players/{name}/${shape}.svg`,
      operationId: `getPlayer${titleOf(shape)}`,
      summary: `Get a player ${shape}`,
      description: `Returns the best ${shape === 'badge' ? 'rank' : 'ranks'} of a player as an SVG image, ${CACHED}`,
      params: PlayerPath,
      ok: imageOk(shape),
    }).handle(({ params: { name }, query, now, waitUntil, settings }) =>
      cached({ key: `player ${playerKey(name)}`, shape, theme: query.theme, now, waitUntil }, () => playerImage(name, settings)),
    ),
  ]);
}
