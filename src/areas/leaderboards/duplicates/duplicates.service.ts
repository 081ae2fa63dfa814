import { bind } from '../../../platform/kit/bind.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { isPlayerBoard } from '../boards/boards.domain.ts';
import type { BoardsStore } from '../boards/boards.store.ts';
import type { BackfillProgress, BackfillStatus } from '../captures/backfill.store.ts';
import type { CaptureObjects } from '../captures/capture-objects.store.ts';
import type { Capture, CapturesStore } from '../captures/captures.store.ts';
import { createPlayerRows, type PlayerRows } from '../captures/player-rows.service.ts';
import { type PlayerRow, rowsInShard } from '../captures/player-shards.domain.ts';
import { byBoards, type DuplicateName, evidenceOf, findDuplicate, seriesOf, verdictOf } from './duplicates.domain.ts';
import type { DuplicatesStore } from './duplicates.store.ts';

/** A search in one capture, or a backfill over all captures. Part of the stored jobs: fields keep their names. */
export interface DuplicatesTask {
  /** The capture; of a backfill, the last one that was searched. */
  anchor: UnixSeconds;
  /** Whether the capture, or all of a backfill, is searched: only the names that have to be analysed remain. */
  isSearched: boolean;
  /** Null for a search after an ingest. */
  backfill: BackfillProgress | null;
}

interface DuplicatesServiceDeps {
  duplicates: DuplicatesStore;
  duplicatesBackfill: BackfillStatus<DuplicatesTask>;
  captures: CapturesStore;
  boards: BoardsStore;
  objects: CaptureObjects;
}

/** Result of a step: the task with its progress. */
interface Step {
  task: DuplicatesTask;
  isDone: boolean;
}

/** Maximum number of captures that an analysis reads: hourly ones of 30 days. */
const MAX_CAPTURES = 720;
/** Candidates in memory per name that is kept. */
const SLACK = 2;

interface DuplicatesContext extends DuplicatesServiceDeps {
  playerRows: PlayerRows;
}

/** Finds names that a capture lists more than once. */
export function createDuplicatesService(deps: DuplicatesServiceDeps) {
  const playerRows = createPlayerRows({ captures: deps.captures, objects: deps.objects });
  const context: DuplicatesContext = { ...deps, playerRows };
  return bind(context, { step });
}

/** The duplicate names of a capture, most boards first. One shard is in memory at a time. */
async function search({ objects }: DuplicatesServiceDeps, capture: Capture, settings: Settings): Promise<DuplicateName[]> {
  const most = settings.leaderboardsDuplicatesMaxNames;
  let found: DuplicateName[] = [];
  for (let shard = 0; shard < capture.playerShards; shard += 1) {
    const text = (await objects.players([capture], shard)).get(capture.anchor);
    if (text === undefined) continue;
    const rows = new Map<string, PlayerRow[]>();
    for (const player of rowsInShard(text)) {
      const own = player.rows.filter(({ uuid }) => isPlayerBoard(uuid));
      rows.set(player.key, [...(rows.get(player.key) ?? []), ...own]);
    }
    for (const [key, own] of rows) {
      const duplicate = findDuplicate(key, own, settings.leaderboardsDuplicatesMinBoards);
      if (duplicate) found.push(duplicate);
    }
    if (found.length > most * SLACK) found = found.sort(byBoards).slice(0, most);
  }
  return found.sort(byBoards).slice(0, most);
}

/** Analyses a name by its rows of the last days before a capture. Null if the capture does not repeat it under the present settings. */
async function analyse({ captures, boards, playerRows }: DuplicatesContext, key: string, anchor: UnixSeconds, settings: Settings) {
  const days = settings.leaderboardsDuplicatesLookbackDays;
  const listed = await captures.list({ from: anchor - days * SECONDS_PER_DAY, before: anchor + 1, limit: MAX_CAPTURES });
  const appearances = await playerRows.at(key, listed);
  const newest = appearances.find(({ capture }) => capture.anchor === anchor);
  const duplicate =
    newest &&
    findDuplicate(
      key,
      newest.rows.filter(({ uuid }) => isPlayerBoard(uuid)),
      settings.leaderboardsDuplicatesMinBoards,
    );
  if (!duplicate || duplicate.kind === 'case') return null;
  const names = new Map((await boards.listAt([anchor])).map(({ board }) => [board.uuid, board.name]));
  const rows = appearances.flatMap(({ capture, rows: own }) => own.map((row) => ({ ...row, anchor: capture.anchor })));
  const byBoard = Map.groupBy(rows, ({ uuid }) => uuid);
  const evidence = duplicate.boards.map((uuid) => {
    const own = byBoard.get(uuid) ?? [];
    const current = new Set(own.filter((row) => row.anchor === anchor).map(({ rank, score }) => `${rank}:${score}`));
    return {
      uuid,
      name: names.get(uuid) ?? `Board #${uuid}`,
      occurrences: current.size,
      series: seriesOf(own, settings.leaderboardsDuplicatesFrozenCaptures),
    };
  });
  const verdict = verdictOf(evidence.flatMap(({ series }) => series));
  return { verdict, evidence: evidenceOf(duplicate.name, evidence, verdict, days) };
}

/** Analyses the next name. False if there is none. */
async function analyseNext(deps: DuplicatesContext, settings: Settings, now: UnixSeconds): Promise<boolean> {
  const next = await deps.duplicates.findStale();
  if (next) await deps.duplicates.saveAnalysis(next.key, await analyse(deps, next.key, next.anchor, settings), now);
  return next !== null;
}

const analysedSecondsOf = (settings: Settings) => settings.leaderboardsDuplicatesLookbackDays * SECONDS_PER_DAY;

/** Searches one capture or analyses one name. */
async function advance(deps: DuplicatesContext, task: DuplicatesTask, settings: Settings, now: UnixSeconds): Promise<Step> {
  const { anchor, backfill } = task;
  if (task.isSearched) return { task, isDone: !(await analyseNext(deps, settings, now)) };
  if (!backfill) {
    const capture = await deps.captures.find(anchor);
    const found = capture && settings.leaderboardDuplicatesEnabled ? await search(deps, capture, settings) : [];
    await deps.duplicates.replace(anchor, found, { analysedSeconds: analysedSecondsOf(settings), now });
    return { task: { ...task, isSearched: true }, isDone: false };
  }
  const capture = await deps.captures.firstAfter(anchor);
  if (!capture) return { task: { ...task, isSearched: true }, isDone: false };
  const found = await search(deps, capture, settings);
  const isNewest = (await deps.captures.newest())?.anchor === capture.anchor;
  await deps.duplicates.replace(capture.anchor, found, { analysedSeconds: isNewest ? analysedSecondsOf(settings) : null, now });
  const progress = { ...backfill, done: backfill.done + 1, detected: backfill.detected + found.length };
  return { task: { anchor: capture.anchor, isSearched: isNewest, backfill: progress }, isDone: false };
}

async function begin({ duplicates, captures }: DuplicatesServiceDeps, backfill: BackfillProgress): Promise<BackfillProgress> {
  return {
    ...backfill,
    isBegun: true,
    cleared: backfill.clearFirst ? await duplicates.clear() : null,
    total: await captures.count(),
  };
}

/** Runs one step. Returns the remaining task, or null when it is done. A repeated step has the same result. */
async function step(deps: DuplicatesContext, task: DuplicatesTask, settings: Settings, now: UnixSeconds): Promise<DuplicatesTask | null> {
  const { backfill } = task;
  if (!backfill) {
    const live = await advance(deps, task, settings, now);
    return live.isDone ? null : live.task;
  }
  const step = backfill.isBegun
    ? await advance(deps, task, settings, now)
    : { task: { ...task, backfill: await begin(deps, backfill) }, isDone: false };
  await deps.duplicatesBackfill.put({ task: step.task, finishedAt: step.isDone ? now : null, heartbeatAt: now });
  return step.isDone ? null : step.task;
}
