import { digestOf } from '../../../platform/http/replies/reply.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { byDisplayOrder, isPlayerBoard } from '../boards/board-order.domain.ts';
import { rowsOf } from '../boards/board-rows.service.ts';
import type { BoardAt, BoardsRepository, StoredBoard } from '../boards/boards.repository.ts';
import { cadenceOf, crossesReset, parseResetOverrides, type ResetOverrides } from '../boards/resets.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.repository.ts';
import type { Capture, CapturesRepository } from '../captures/captures.repository.ts';
import {
  type AnomalyRules,
  boardFindings,
  type EarlierRows,
  type Finding,
  type FlaggedPlayer,
  flaggedPlayers,
} from './anomaly-report.domain.ts';

/** Unusual figures in the newest capture. */
export interface AnomalyReport {
  players: FlaggedPlayer<StoredBoard>[];
  totalFlagged: number;
  computedAt: UnixSeconds;
  /** Null before the first capture. */
  anchor: UnixSeconds | null;
  rules: AnomalyRules;
  boardsAnalyzed: number;
  boardsExcluded: number;
}

export interface AnomaliesService {
  /** What a report would be made from: it is out of date once this differs. */
  basis(settings: Settings): Promise<string>;
  compute(settings: Settings, now: UnixSeconds): Promise<AnomalyReport>;
  /** A report of nothing, until the first is made. */
  empty(settings: Settings, now: UnixSeconds): AnomalyReport;
}

export interface AnomaliesServiceDeps {
  captures: CapturesRepository;
  boards: BoardsRepository;
  objects: CaptureObjects;
}

const rulesOf = (settings: Settings): AnomalyRules => ({
  zThreshold: settings.leaderboardsAnomalyZThreshold,
  velocityMultiplier: settings.leaderboardsAnomalyVelocityMultiplier,
  minBoardSize: settings.leaderboardsAnomalyMinBoardSize,
});

export function createAnomaliesService({ captures, boards, objects }: AnomaliesServiceDeps): AnomaliesService {
  /** The board at the capture before, when no reset lies between. */
  async function earlierOf({ board, capture }: BoardAt, overrides: ResetOverrides): Promise<EarlierRows | null> {
    const earlier = await boards.newestBefore(board.uuid, capture.anchor);
    if (!earlier || crossesReset(cadenceOf(board.uuid, overrides), earlier.capture.anchor, capture.anchor)) return null;
    const rows = await rowsOf(earlier, boards, objects);
    const scoreOf = (name: string) => {
      const index = rows.find(name);
      return index === undefined ? undefined : rows.scores[index];
    };
    return { anchor: earlier.capture.anchor, scoreOf };
  }

  async function findingsOf(capture: Capture, settings: Settings) {
    const rules = rulesOf(settings);
    const overrides = parseResetOverrides(settings.leaderboardsResetOverrides);
    const excluded = new Set(settings.leaderboardsAnomalyExcludedBoards.split(',').map((uuid) => uuid.trim()));
    const listed = (await boards.listAt([capture.anchor])).sort((one, other) => byDisplayOrder(one.board.uuid, other.board.uuid));
    const analysed = listed.filter(
      ({ board, entries }) => entries >= rules.minBoardSize && isPlayerBoard(board.uuid) && !excluded.has(String(board.uuid)),
    );
    const findings: (Finding & { board: StoredBoard })[] = [];
    for (const at of analysed) {
      const rows = await rowsOf(at, boards, objects);
      const found = await boardFindings(rows, rules, () => earlierOf(at, overrides), capture.anchor);
      findings.push(...found.map((finding) => ({ ...finding, board: at.board })));
    }
    return { findings, analysed: analysed.length, excluded: listed.length - analysed.length };
  }

  return {
    async basis(settings) {
      const newest = await captures.newest();
      const { leaderboardsAnomalyExcludedBoards, leaderboardsResetOverrides } = settings;
      return digestOf(
        JSON.stringify([newest?.version ?? null, rulesOf(settings), leaderboardsAnomalyExcludedBoards, leaderboardsResetOverrides]),
      );
    },

    async compute(settings, now) {
      const capture = await captures.newest();
      if (!capture) return emptyReport(settings, now);
      const { findings, analysed, excluded } = await findingsOf(capture, settings);
      const { players, total } = flaggedPlayers(findings);
      const counts = { totalFlagged: total, boardsAnalyzed: analysed, boardsExcluded: excluded };
      return { ...emptyReport(settings, now), players, ...counts, anchor: capture.anchor };
    },

    empty: emptyReport,
  };
}

function emptyReport(settings: Settings, now: UnixSeconds): AnomalyReport {
  const counts = { totalFlagged: 0, boardsAnalyzed: 0, boardsExcluded: 0 };
  return { players: [], ...counts, computedAt: now, anchor: null, rules: rulesOf(settings) };
}
