import pMap from 'p-map';
import type { CaptureBoards } from '../../../game/board-captures.ts';
import { digestOf, json } from '../../../platform/http/replies/reply.ts';
import { bind } from '../../../platform/kit/bind.ts';
import { gameWeekStart, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { byCategory, cadenceOf, crossesReset, isPlayerBoard, parseResetOverrides, type ResetOverrides } from '../boards/boards.domain.ts';
import { type BoardAt, type BoardsStore, rowsOf, type StoredBoard } from '../boards/boards.store.ts';
import { comparedName } from '../captures/board-rows.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.store.ts';
import type { Capture, CapturesStore } from '../captures/captures.store.ts';
import { MAX_SERIES_CAPTURES, OBJECT_CONCURRENCY } from '../leaderboards.data.ts';
import { ACTIVE_NAMES_TTL_SECONDS, ACTIVE_RANKS, SUSTAINED } from './anomalies.data.ts';
import {
  type AnomalyRules,
  boardFindings,
  type EarlierRows,
  type Finding,
  flaggedPlayers,
  risingNames,
  sustainedEvidence,
  sustainedPlayers,
} from './anomalies.domain.ts';
import type { AnomaliesReply, AnomalyReport, ExcludedBoard } from './anomalies.schemas.ts';
import type { ActiveNames, HourBands, HourBandsStore, StoredReport } from './anomalies.store.ts';
import { gainBands } from './clusters.domain.ts';
import { type AltClusters, findClusters, NO_CLUSTERS, parseClusterExclusions } from './clusters.service.ts';

type BoardFinding = Finding & { board: StoredBoard };

interface AnomaliesServiceDeps {
  captures: CapturesStore;
  boards: BoardsStore;
  objects: CaptureObjects;
  activeNames: ActiveNames;
  hourBands: HourBandsStore;
}

const parseExcludedBoards = (settings: Settings) =>
  new Set(settings.leaderboardsAnomalyExcludedBoards.split(',').map((uuid) => uuid.trim()));

const rulesOf = (settings: Settings): AnomalyRules => ({
  zThreshold: settings.leaderboardsAnomalyZThreshold,
  velocityMultiplier: settings.leaderboardsAnomalyVelocityMultiplier,
  minBoardSize: settings.leaderboardsAnomalyMinBoardSize,
});

export function createAnomaliesService(deps: AnomaliesServiceDeps) {
  return {
    /** An empty report, returned until the first one is computed. */
    empty: emptyReport,
    ...bind(deps, { basis, compute, replaceHour, withdrawHour }),
  };
}

/** The board at the previous capture; null if there is none or the board was reset since. */
async function findEarlierRows(
  { boards, objects }: AnomaliesServiceDeps,
  { board, capture }: BoardAt,
  overrides: ResetOverrides,
): Promise<EarlierRows | null> {
  const earlier = await boards.newestBefore(board.uuid, capture.anchor);
  if (!earlier || crossesReset(cadenceOf(board.uuid, overrides), earlier.capture.anchor, capture.anchor)) return null;
  const rows = await rowsOf(earlier, boards, objects);
  const scoreOf = (name: string) => {
    const index = rows.find(name);
    return index === undefined ? undefined : rows.scores[index];
  };
  return { anchor: earlier.capture.anchor, scoreOf };
}

const listPlayerBoards = async ({ boards }: AnomaliesServiceDeps, { anchor }: Capture) =>
  (await boards.listAt([anchor])).filter(({ board }) => isPlayerBoard(board.uuid)).sort(byCategory);

/** Captures since the weekly reset, newest first, without the first one, which has no earlier capture in the week. */
async function listHours({ captures }: AnomaliesServiceDeps, { anchor }: Capture): Promise<Capture[]> {
  const week = await captures.list({ from: gameWeekStart(anchor), before: anchor + 1, limit: MAX_SERIES_CAPTURES });
  return week.slice(0, -1);
}

async function findAltClusters(deps: AnomaliesServiceDeps, capture: Capture, settings: Settings): Promise<AltClusters> {
  if (!settings.leaderboardsAltClustersEnabled) return NO_CLUSTERS;
  const hours = (await listHours(deps, capture)).reverse();
  const history = {
    activeNames: await pMap(hours, async ({ anchor }) => await deps.activeNames.get(anchor), { concurrency: OBJECT_CONCURRENCY }),
    bands: await pMap(hours, async ({ anchor }) => await deps.hourBands.get(anchor), { concurrency: OBJECT_CONCURRENCY }),
  };
  return findClusters(await listPlayerBoards(deps, capture), history, settings, (at) => rowsOf(at, deps.boards, deps.objects));
}

/** Player boards of a capture, split into analysed and excluded ones. */
async function listBoards(deps: AnomaliesServiceDeps, capture: Capture, settings: Settings) {
  const { minBoardSize } = rulesOf(settings);
  const excludedUuids = parseExcludedBoards(settings);
  const listed = await listPlayerBoards(deps, capture);
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
async function findAnomalies(deps: AnomaliesServiceDeps, analyzed: readonly BoardAt[], settings: Settings) {
  const rules = rulesOf(settings);
  const overrides = parseResetOverrides(settings.leaderboardsResetOverrides);
  const findings: BoardFinding[] = [];
  for (const at of analyzed) {
    if (cadenceOf(at.board.uuid, overrides) === 'never') continue;
    const rows = await rowsOf(at, deps.boards, deps.objects);
    const boardFindingsAt = await boardFindings(rows, rules, () => findEarlierRows(deps, at, overrides), at.capture.anchor);
    findings.push(...boardFindingsAt.map((finding) => ({ ...finding, board: at.board })));
  }
  return findings;
}

/** Adds players who were active in nearly all hours since the weekly reset, each on their board with the lowest uuid. */
async function addSustained(
  deps: AnomaliesServiceDeps,
  findings: BoardFinding[],
  listed: readonly BoardAt[],
  capture: Capture,
): Promise<void> {
  const week = await listHours(deps, capture);
  const hours = week.length;
  if (hours < SUSTAINED.minHours) return;
  const names = await pMap(week, async ({ anchor }) => await deps.activeNames.get(anchor), { concurrency: OBJECT_CONCURRENCY });
  const missing = new Map(
    sustainedPlayers(
      names.filter((hour) => hour !== null),
      hours,
    ).map((player) => [player.key, player]),
  );
  for (const at of listed.toSorted((one, other) => one.board.uuid - other.board.uuid)) {
    if (missing.size === 0) return;
    const rows = await rowsOf(at, deps.boards, deps.objects);
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

/** Digest of the inputs of a report: the newest capture and the rules. A report with another basis is outdated. */
async function basis({ captures }: AnomaliesServiceDeps, settings: Settings): Promise<string> {
  const newest = await captures.newest();
  const { leaderboardsAnomalyExcludedBoards, leaderboardsResetOverrides, leaderboardsClusterExcludedBoards } = settings;
  const { leaderboardsCheaterDetectionEnabled, leaderboardsAltClustersEnabled } = settings;
  const boards = [leaderboardsAnomalyExcludedBoards, leaderboardsResetOverrides, leaderboardsClusterExcludedBoards];
  const switches = [leaderboardsCheaterDetectionEnabled, leaderboardsAltClustersEnabled];
  return digestOf(JSON.stringify([newest?.version ?? null, rulesOf(settings), ...boards, ...switches]));
}

async function compute(deps: AnomaliesServiceDeps, settings: Settings, now: UnixSeconds): Promise<AnomalyReport> {
  const capture = await deps.captures.newest();
  if (!capture) return emptyReport(settings, now);
  const { analyzed, excluded } = await listBoards(deps, capture, settings);
  const isEnabled = settings.leaderboardsCheaterDetectionEnabled;
  const findings = isEnabled ? await findAnomalies(deps, analyzed, settings) : [];
  const small = excluded.filter(({ reason }) => reason === 'below_min_size').map(({ at }) => at);
  if (isEnabled) await addSustained(deps, findings, [...analyzed, ...small], capture);
  const { players, total } = flaggedPlayers(findings);
  const clusters = await findAltClusters(deps, capture, settings);
  return { ...emptyReport(settings, now), players, totalFlagged: total, analyzed, excluded, clusters, anchor: capture.anchor };
}

/** Stores who was active since the previous capture, for `sustained_velocity`, and who gained alike, for clusters. */
async function replaceHour({ activeNames, hourBands }: AnomaliesServiceDeps, capture: CaptureBoards, settings: Settings): Promise<void> {
  const excludedUuids = parseExcludedBoards(settings);
  const notClustered = parseClusterExclusions(settings);
  const names = new Set<string>();
  const bands: HourBands = [];
  for await (const { uuid, isPlayerBoard: isOfPlayers, earlier, later } of capture.boards()) {
    if (!isOfPlayers || !earlier || !later) continue;
    if (!excludedUuids.has(String(uuid))) for (const name of risingNames(earlier, later)) names.add(name);
    const own = notClustered.has(String(uuid)) ? [] : gainBands(earlier, later);
    if (own.length > 0) bands.push({ uuid, bands: own });
  }
  await activeNames.put(capture.anchor, names);
  await hourBands.put(capture.anchor, bands);
  for (const store of [activeNames, hourBands]) await store.deleteBefore(capture.anchor - ACTIVE_NAMES_TTL_SECONDS);
}

/** Deletes what is stored for a capture. */
async function withdrawHour({ activeNames, hourBands }: AnomaliesServiceDeps, anchor: UnixSeconds): Promise<void> {
  for (const store of [activeNames, hourBands]) await store.delete(anchor);
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
    clusters: NO_CLUSTERS,
    isDetectionEnabled: settings.leaderboardsCheaterDetectionEnabled,
    areClustersEnabled: settings.leaderboardsAltClustersEnabled,
  };
}

/** Cache lifetime of the report; captures are an hour apart. */
const MAX_AGE_SECONDS = 1800;

/** Response for a computed report; its text is also stored. */
export async function anomaliesReply(report: AnomalyReport): Promise<AnomaliesReply> {
  const { toAnomaliesBody } = await import('./anomalies.schemas.ts');
  return json(toAnomaliesBody(report));
}

export function storedReply({ body }: StoredReport): AnomaliesReply {
  return { kind: 'json', text: body, maxAge: MAX_AGE_SECONDS };
}
