import type { CaptureBoards } from '../../../game/board-captures.ts';
import { digestOf } from '../../../platform/http/replies/reply.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { gameWeekStart } from '../../../platform/time/clock.ts';
import { isPlayerBoard } from '../boards/board-order.domain.ts';
import { rowsOf } from '../boards/board-rows.service.ts';
import type { BoardAt, BoardsRepository, StoredBoard } from '../boards/boards.repository.ts';
import { cadenceOf, crossesReset, parseResetOverrides, type ResetOverrides } from '../boards/resets.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.repository.ts';
import type { Capture, CapturesRepository } from '../captures/captures.repository.ts';
import { comparedName } from '../captures/comparison.domain.ts';
import { mapInFlight } from '../ingest/in-flight.ts';
import { MAX_SERIES_CAPTURES, OBJECT_CONCURRENCY } from '../leaderboards.data.ts';
import type { ActiveNames } from './active-names.repository.ts';
import { ACTIVE_NAMES_TTL_SECONDS, ACTIVE_RANKS, SUSTAINED } from './anomalies.data.ts';
import {
  type AnomalyRules,
  boardFindings,
  type EarlierRows,
  type Finding,
  type FlaggedPlayer,
  flaggedPlayers,
  sustainedEvidence,
} from './anomaly-report.domain.ts';
import { risingNames, sustainedPlayers } from './sustained.domain.ts';

type BoardFinding = Finding & { board: StoredBoard };

/** Anomalies in the newest capture. */
export interface AnomalyReport {
  players: FlaggedPlayer<StoredBoard>[];
  totalFlagged: number;
  computedAt: UnixSeconds;
  /** Null before the first capture. */
  anchor: UnixSeconds | null;
  rules: AnomalyRules;
  analyzed: BoardAt[];
  excluded: ExcludedBoard[];
  overrides: ResetOverrides;
}

/** A board that is not analysed. */
export interface ExcludedBoard {
  at: BoardAt;
  reason: 'admin_excluded' | 'below_min_size';
}

export interface AnomaliesService {
  /** Digest of the inputs of a report: the newest capture and the rules. A report with another basis is outdated. */
  basis(settings: Settings): Promise<string>;
  compute(settings: Settings, now: UnixSeconds): Promise<AnomalyReport>;
  /** Stores the names of the players who were active since the previous capture, for `sustained_velocity`. */
  onCapture(capture: CaptureBoards, settings: Settings): Promise<void>;
  /** An empty report, returned until the first one is computed. */
  empty(settings: Settings, now: UnixSeconds): AnomalyReport;
}

export interface AnomaliesServiceDeps {
  captures: CapturesRepository;
  boards: BoardsRepository;
  objects: CaptureObjects;
  activeNames: ActiveNames;
}

const parseExcludedBoards = (settings: Settings) =>
  new Set(settings.leaderboardsAnomalyExcludedBoards.split(',').map((uuid) => uuid.trim()));

const rulesOf = (settings: Settings): AnomalyRules => ({
  zThreshold: settings.leaderboardsAnomalyZThreshold,
  velocityMultiplier: settings.leaderboardsAnomalyVelocityMultiplier,
  minBoardSize: settings.leaderboardsAnomalyMinBoardSize,
});

export function createAnomaliesService({ captures, boards, objects, activeNames }: AnomaliesServiceDeps): AnomaliesService {
  /** The board at the previous capture; null if there is none or the board was reset since. */
  async function findEarlierRows({ board, capture }: BoardAt, overrides: ResetOverrides): Promise<EarlierRows | null> {
    const earlier = await boards.newestBefore(board.uuid, capture.anchor);
    if (!earlier || crossesReset(cadenceOf(board.uuid, overrides), earlier.capture.anchor, capture.anchor)) return null;
    const rows = await rowsOf(earlier, boards, objects);
    const scoreOf = (name: string) => {
      const index = rows.find(name);
      return index === undefined ? undefined : rows.scores[index];
    };
    return { anchor: earlier.capture.anchor, scoreOf };
  }

  /** Player boards of a capture, split into analysed and excluded ones. */
  async function listBoards(capture: Capture, settings: Settings) {
    const { minBoardSize } = rulesOf(settings);
    const excludedUuids = parseExcludedBoards(settings);
    const listed = (await boards.listAt([capture.anchor])).filter(({ board }) => isPlayerBoard(board.uuid)).sort(byCategory);
    const analyzed: BoardAt[] = [];
    const excluded: ExcludedBoard[] = [];
    for (const at of listed) {
      if (excludedUuids.has(String(at.board.uuid))) excluded.push({ at, reason: 'admin_excluded' });
      else if (at.entries < minBoardSize) excluded.push({ at, reason: 'below_min_size' });
      else analyzed.push(at);
    }
    return { analyzed, excluded };
  }

  /** Anomalies on boards that reset. On the others a lead grows over years and proves nothing. */
  async function findAnomalies(analyzed: readonly BoardAt[], settings: Settings) {
    const rules = rulesOf(settings);
    const overrides = parseResetOverrides(settings.leaderboardsResetOverrides);
    const findings: BoardFinding[] = [];
    for (const at of analyzed) {
      if (cadenceOf(at.board.uuid, overrides) === 'never') continue;
      const rows = await rowsOf(at, boards, objects);
      const boardFindingsAt = await boardFindings(rows, rules, () => findEarlierRows(at, overrides), at.capture.anchor);
      findings.push(...boardFindingsAt.map((finding) => ({ ...finding, board: at.board })));
    }
    return findings;
  }

  /** Adds players who were active in nearly all hours since the weekly reset, each on their board with the lowest uuid. */
  async function addSustained(findings: BoardFinding[], listed: readonly BoardAt[], capture: Capture): Promise<void> {
    const week = await captures.list({ from: gameWeekStart(capture.anchor), before: capture.anchor + 1, limit: MAX_SERIES_CAPTURES });
    const hours = week.length - 1;
    if (hours < SUSTAINED.minHours) return;
    const names = await mapInFlight(week.slice(0, hours), OBJECT_CONCURRENCY, async ({ anchor }) => await activeNames.get(anchor));
    const missing = new Map(
      sustainedPlayers(
        names.filter((hour) => hour !== null),
        hours,
      ).map((player) => [player.key, player]),
    );
    for (const at of listed.toSorted((one, other) => one.board.uuid - other.board.uuid)) {
      if (missing.size === 0) return;
      const rows = await rowsOf(at, boards, objects);
      for (const [key, player] of missing) {
        const index = rows.find(key);
        if (index === undefined || index >= ACTIVE_RANKS) continue;
        missing.delete(key);
        const evidence = sustainedEvidence(player, hours);
        const existing = findings.find(({ board, playerName }) => board.uuid === at.board.uuid && comparedName(playerName) === key);
        if (existing) existing.evidence.push(evidence);
        else {
          const row = { playerName: rows.names[index] ?? key, rank: rows.ranks[index] ?? 0, score: rows.scores[index] ?? 0 };
          findings.push({ ...row, evidence: [evidence], board: at.board });
        }
      }
    }
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
      const { analyzed, excluded } = await listBoards(capture, settings);
      const findings = await findAnomalies(analyzed, settings);
      const small = excluded.filter(({ reason }) => reason === 'below_min_size').map(({ at }) => at);
      await addSustained(findings, [...analyzed, ...small], capture);
      const { players, total } = flaggedPlayers(findings);
      return { ...emptyReport(settings, now), players, totalFlagged: total, analyzed, excluded, anchor: capture.anchor };
    },

    async onCapture(capture, settings) {
      const excludedUuids = parseExcludedBoards(settings);
      const names = new Set<string>();
      for await (const { uuid, isPlayerBoard: isOfPlayers, earlier, later } of capture.boards()) {
        if (!isOfPlayers || !earlier || !later || excludedUuids.has(String(uuid))) continue;
        for (const name of risingNames(earlier, later)) names.add(name);
      }
      await activeNames.put(capture.anchor, names);
      await activeNames.deleteBefore(capture.anchor - ACTIVE_NAMES_TTL_SECONDS);
    },

    empty: emptyReport,
  };
}

function emptyReport(settings: Settings, now: UnixSeconds): AnomalyReport {
  return {
    players: [],
    totalFlagged: 0,
    computedAt: now,
    anchor: null,
    rules: rulesOf(settings),
    analyzed: [],
    excluded: [],
    overrides: parseResetOverrides(settings.leaderboardsResetOverrides),
  };
}

/** By category, then by name, case-insensitive. */
function byCategory({ board: one }: BoardAt, { board: other }: BoardAt): number {
  const textOf = ({ category, name }: StoredBoard) => [category.toLowerCase(), name.toLowerCase()] as const;
  const [category, name] = textOf(one);
  const [otherCategory, otherName] = textOf(other);
  if (category !== otherCategory) return category < otherCategory ? -1 : 1;
  if (name !== otherName) return name < otherName ? -1 : 1;
  return one.uuid - other.uuid;
}
