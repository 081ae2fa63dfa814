import type { RecomputeTask } from '../../game/board-captures.ts';
import { createArchiveRateLimit } from '../../platform/access/limits/archive-rate-limit.ts';
import { defineArea } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { runInBackground } from '../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { rateLimitOf, type Settings } from '../../platform/settings/settings.data.ts';
import { nextToDatabase } from '../../platform/storage/regional-objects.ts';
import { anomaliesReply, createAnomaliesService, storedReply } from './anomalies/anomalies.service.ts';
import { boardTitle, isPlayerBoard, scoreText, sortBoards, titleCase } from './boards/boards.domain.ts';
import { type BoardsService, createBoardsService } from './boards/boards.service.ts';
import { createBoardsStore } from './boards/boards.store.ts';
import { createPackingService } from './captures/packing.service.ts';
import { duplicatesTables } from './duplicates/duplicates.tables.ts';
import { createIngestClient } from './ingest/ingest-client.service.ts';
import { createStores } from './ingest/ingest-work.service.ts';
import { createRetentionJob } from './ingest/retention.jobs.ts';
import { createLeaderboardSearchSources } from './ingest/search-documents.service.ts';
import { GAIN_PERIODS } from './leaderboards.data.ts';
import { leaderboardsScopes, leaderboardsSettings } from './leaderboards.settings.ts';
import { leaderboardsTables } from './leaderboards.tables.ts';
import { createPlayersService, type PlayersService } from './players/players.service.ts';
import { renamesTables } from './renames/renames.tables.ts';

/** Rows of each list of a page: for visitors, and for signed-in accounts. */
const PAGE_ROWS = 10;
const FULL_PAGE_ROWS = 100;
/** Lines of a history, and its length in days: it reads one object an hour. */
const HISTORY_LINES = 10;
const HISTORY_DAYS = 7;
/** Lines of the history of a player that everyone sees, and its captures: one for each half of a day. */
const PUBLIC_HISTORY_LINES = 6;
const PUBLIC_HISTORY_CAPTURES = 2 * HISTORY_DAYS;

/** Captured ranks; a reset of the board has none. */
const ranksOf = (points: readonly { createdAt: UnixSeconds; rank: number; synthetic: boolean }[]) =>
  points.filter(({ synthetic }) => !synthetic).map(({ createdAt: at, rank }) => ({ at, rank }));

/** What pages show: the top of a board, the best boards of a player. */
function createBoardPages({ boards, players }: { boards: BoardsService; players: PlayersService }) {
  return {
    gainDays: GAIN_PERIODS,
    /** The boards of the newest capture with their leaders, in the order of the game. */
    async list(now: UnixSeconds) {
      const [{ boards: listed }, leaders] = await Promise.all([boards.boardsAt({ until: now }), boards.newestLeaders()]);
      return sortBoards(listed, 'order').map(({ uuid, name, category }) => {
        const leader = leaders.get(uuid);
        return {
          uuid,
          name: boardTitle({ uuid, name }),
          category: titleCase(category),
          isPlayerBoard: isPlayerBoard(uuid),
          leader: leader ? { name: leader.playerName, score: scoreText(uuid, leader.score) } : null,
        };
      });
    },
    /** The first rows of a board and its largest gains. Throws 404 for a board without captures. */
    async board(uuid: number, days: number, settings: Settings, isFull = false) {
      const [leaders, gains, { toGainsBody }] = await Promise.all([
        boards.leaders(uuid, isFull ? FULL_PAGE_ROWS : PAGE_ROWS),
        boards.gains(uuid, { days, limit: isFull ? FULL_PAGE_ROWS : PAGE_ROWS }, settings),
        import('./boards/insights.routes.ts'),
      ]);
      const scored = leaders.rows.map((row) => ({ ...row, scoreText: scoreText(uuid, row.score) }));
      return {
        uuid,
        name: boardTitle(leaders.board),
        category: titleCase(leaders.board.category),
        anchor: leaders.anchor,
        isPlayerBoard: isPlayerBoard(uuid),
        rows: scored,
        gains: toGainsBody(uuid, days, gains),
      };
    },
    /** Ranks of the first players of a board over a week. */
    async boardHistory(uuid: number, settings: Settings, now: UnixSeconds) {
      const { windowStart, windowEnd, series } = await boards.history(uuid, { days: HISTORY_DAYS, top: HISTORY_LINES }, settings, now);
      return {
        from: windowStart,
        to: windowEnd,
        lines: series.map(({ playerName, points }) => ({ name: playerName, points: ranksOf(points) })),
      };
    },
    /** Ranks of a player over a week, on the boards with the best ranks. `isFull`: at every capture. */
    async playerHistory(name: string, settings: Settings, now: UnixSeconds, isFull: boolean) {
      const most = isFull ? undefined : PUBLIC_HISTORY_CAPTURES;
      const { windowStart, windowEnd, series } = await players.series(name, HISTORY_DAYS, settings, now, most);
      const lines = series.slice(0, isFull ? HISTORY_LINES : PUBLIC_HISTORY_LINES).map(({ uuid, name: board, points }) => ({
        uuid,
        name: boardTitle({ uuid, name: board }),
        points: ranksOf(points),
      }));
      return { from: windowStart, to: windowEnd, lines };
    },
    /** The best boards of a player; throws 404 for an unknown name. */
    async player(name: string, settings: Settings, isFull = false) {
      const { playerName, summary, sigil, classes, boards: known } = await players.overview(name, settings);
      if (summary.latestAnchor === null) throw notFound('player not found');
      const rows = known
        .slice(0, isFull ? FULL_PAGE_ROWS : PAGE_ROWS)
        .map(({ uuid, board, bestRank, latestRank, latestScore, lastSeen }) => ({
          uuid,
          name: board ? boardTitle({ uuid, name: board.name }) : `Board ${uuid}`,
          bestRank,
          latestRank,
          score: scoreText(uuid, latestScore),
          lastSeen,
        }));
      return {
        name: playerName,
        boardCount: summary.boardsAppeared,
        top10: summary.top10,
        top100: summary.top100,
        lastSeen: summary.latestAnchor,
        lastPlayed: summary.lastPlayed,
        sigil,
        classes: classes.map(({ name: className, powerRankBoard, effortBoard, paragonBoard }) => ({
          name: className,
          boards: [
            { title: 'Power Rank', uuid: powerRankBoard },
            { title: 'Effort', uuid: effortBoard },
            { title: 'Paragon', uuid: paragonBoard },
          ].flatMap(({ title, uuid }) => {
            const score = known.find((board) => board.uuid === uuid)?.latestScore;
            return uuid === null || score === undefined ? [] : [{ title, uuid, score: scoreText(uuid, score) }];
          }),
        })),
        rows,
      };
    },
  };
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** The top of a board and the best boards of a player, for pages. */
    boardPages: ReturnType<typeof createBoardPages>;
    /** Queues the recomputation of captures. */
    recomputeCaptures(task: RecomputeTask): Promise<void>;
  }
}

export const leaderboardsArea = defineArea({
  settings: leaderboardsSettings,
  scopes: leaderboardsScopes,
  tags: {
    Leaderboards: 'Captured leaderboards, history of players and boards, records and anomalies.',
  },
  stored: [
    {
      title: 'Leaderboards',
      what: 'Names of characters and their scores, as shown on the public leaderboards of the game, names that probably replaced each other, and names of several characters.',
      until: 'Without a time limit, as a record of the game.',
    },
  ],
  tables: { ...leaderboardsTables, ...renamesTables, ...duplicatesTables },
  create({ db, publicReads, env, environment, limiter, newId }) {
    const ingest = createIngestClient(nextToDatabase(env.BOARDS_INGEST, env.REGION));
    const archive = createArchiveRateLimit({
      limiter,
      rateLimitScale: environment.rateLimitScale,
      area: 'leaderboards',
      limitsOf: rateLimitOf('leaderboardsArchiveRateLimit'),
    });
    const readStores = createStores(db, publicReads, env.BOARDS);
    const boards = createBoardsService(readStores);
    const players = createPlayersService(readStores);
    // Reads that writes depend on use the primary.
    const stores = createStores(db, db, env.BOARDS);
    const { captures, objects, raw, reports } = stores;
    const publicReports = createAnomaliesService(readStores);

    async function anomalies(settings: Settings, now: UnixSeconds) {
      const [report, basis] = await Promise.all([reports.get(), publicReports.basis(settings)]);
      if (report?.basis !== basis) runInBackground(() => ingest.enqueue([{ kind: 'report' }]));
      return report ? storedReply(report) : anomaliesReply(publicReports.empty(settings, now));
    }

    const endpoints = [
      lazyRoutes(['/v1/leaderboards', '/admin'], async () => {
        const [
          { createBoardEndpoints },
          { createBoardImageEndpoints },
          { createInsightEndpoints },
          { createAnomaliesEndpoint },
          { createDeleteEndpoint, createDumpEndpoints, createInsertEndpoint },
          { createPlayerEndpoints },
          { createRenameEndpoints },
          { createDuplicateEndpoints },
        ] = await Promise.all([
          import('./boards/boards.routes.ts'),
          import('./players/images.routes.ts'),
          import('./boards/insights.routes.ts'),
          import('./anomalies/anomalies.routes.ts'),
          import('./ingest/ingest.routes.ts'),
          import('./players/players.routes.ts'),
          import('./renames/renames.routes.ts'),
          import('./duplicates/duplicates.routes.ts'),
        ]);
        return [
          createInsertEndpoint({ raw, ingest }),
          ...createBoardEndpoints({ service: boards, archive }),
          ...createPlayerEndpoints(players),
          ...createRenameEndpoints({ renames: readStores.renames, status: stores.renamesBackfill, ingest, count: stores.renames.count }),
          ...createDuplicateEndpoints({
            duplicates: readStores.duplicates,
            status: stores.duplicatesBackfill,
            ingest,
            count: stores.duplicates.count,
          }),
          ...createInsightEndpoints(boards),
          createAnomaliesEndpoint(anomalies),
          ...createBoardImageEndpoints({ boards, players }),
          createDeleteEndpoint({ captures, ingest }),
          ...createDumpEndpoints({ raw, ingest, newId }),
        ];
      }),
    ];
    const jobs: Job[] = [createRetentionJob({ captures, raw, packing: createPackingService(captures, objects), ingest })];

    return {
      endpoints,
      jobs,
      searchSources: createLeaderboardSearchSources(createBoardsStore(db)),
      provides: {
        boardPages: createBoardPages({ boards, players }),
        recomputeCaptures: (task: RecomputeTask) => ingest.enqueue([{ kind: 'recompute', task }]),
      },
    };
  },
});
