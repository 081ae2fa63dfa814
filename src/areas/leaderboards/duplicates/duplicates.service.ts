import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { isPlayerBoard } from '../boards/boards.domain.ts';
import type { BoardsStore } from '../boards/boards.store.ts';
import type { BackfillProgress, BackfillStatus } from '../captures/backfill.store.ts';
import type { CaptureObjects } from '../captures/capture-objects.store.ts';
import type { Capture, CapturesStore } from '../captures/captures.store.ts';
import { type PlayerRow, rowsInShard } from '../captures/player-shards.domain.ts';
import { createPlayerRows } from '../players/player-rows.service.ts';
import { byBoards, type DuplicateName, evidenceOf, findDuplicate, seriesOf, verdictOf } from './duplicates.domain.ts';
import type { DuplicatesStore } from './duplicates.store.ts';

/** A search in one capture, or a backfill over all captures. Part of the stored jobs: fields keep their names. */
export interface DuplicatesTask {
  /** The capture; of a backfill, the last one that was searched. */
  anchor: UnixSeconds;
  /** Names of the newest capture that are still to be analysed; null: the capture is still to be searched. */
  names: string[] | null;
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

/** Maximum number of rows of a name that are analysed: 25 boards with three rows in each hour of a week, three times. */
const MAX_ROWS = 40_000;
/** Candidates in memory per name that is kept. */
const SLACK = 2;

/** Finds names that a capture lists more than once. */
export function createDuplicatesService({ duplicates, duplicatesBackfill, captures, boards, objects }: DuplicatesServiceDeps) {
  const playerRows = createPlayerRows({ captures, objects });

  /** The duplicate names of a capture, most boards first. One shard is in memory at a time. */
  async function search(capture: Capture, settings: Settings): Promise<DuplicateName[]> {
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

  /** Stores the names of a capture without an analysis, and returns those that need one. */
  async function store(capture: Capture, settings: Settings, now: UnixSeconds): Promise<string[]> {
    const found = await search(capture, settings);
    const rows = found.map((duplicate) => ({
      ...duplicate,
      verdict: duplicate.kind === 'case' ? ('case_only' as const) : ('not_analysed' as const),
      evidence: {},
    }));
    await duplicates.save(rows, capture.anchor, now);
    return found.filter(({ kind }) => kind !== 'case').map(({ key }) => key);
  }

  /** Analyses a name by its rows of the last days before a capture. */
  async function analyse(key: string, anchor: UnixSeconds, settings: Settings, now: UnixSeconds): Promise<void> {
    const days = settings.leaderboardsDuplicatesLookbackDays;
    const read = await playerRows.newest(key, { from: anchor - days * SECONDS_PER_DAY, limit: MAX_ROWS });
    const appearances = read.filter(({ capture }) => capture.anchor <= anchor);
    const newest = appearances.find(({ capture }) => capture.anchor === anchor);
    const duplicate =
      newest &&
      findDuplicate(
        key,
        newest.rows.filter(({ uuid }) => isPlayerBoard(uuid)),
        settings.leaderboardsDuplicatesMinBoards,
      );
    if (!duplicate || duplicate.kind === 'case') return;
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
    await duplicates.save([{ ...duplicate, verdict, evidence: evidenceOf(duplicate.name, evidence, verdict, days) }], anchor, now);
  }

  /** Searches one capture or analyses one name. */
  async function advance({ anchor, names, backfill }: DuplicatesTask, settings: Settings, now: UnixSeconds): Promise<Step> {
    if (names !== null) {
      const [name, ...others] = names;
      if (name !== undefined) await analyse(name, anchor, settings, now);
      return { task: { anchor, names: others, backfill }, isDone: others.length === 0 };
    }
    const capture = backfill ? await captures.firstAfter(anchor) : await captures.find(anchor);
    if (!capture) return { task: { anchor, names, backfill }, isDone: true };
    const found = await store(capture, settings, now);
    const progress = backfill && { ...backfill, done: backfill.done + 1, detected: backfill.detected + found.length };
    const isNewest = (await captures.newest())?.anchor === capture.anchor;
    return {
      task: { anchor: capture.anchor, names: isNewest ? found : null, backfill: progress },
      isDone: isNewest ? found.length === 0 : progress === null,
    };
  }

  return {
    /** Runs one step. Returns the remaining task, or null when it is done. A repeated step has the same result. */
    async step(task: DuplicatesTask, settings: Settings, now: UnixSeconds): Promise<DuplicatesTask | null> {
      const { backfill } = task;
      if (!backfill) {
        if (!settings.leaderboardDuplicatesEnabled) return null;
        const live = await advance(task, settings, now);
        return live.isDone ? null : live.task;
      }
      const step = backfill.isBegun
        ? await advance(task, settings, now)
        : { task: { ...task, backfill: await begin(backfill) }, isDone: false };
      await duplicatesBackfill.put({ task: step.task, finishedAt: step.isDone ? now : null, heartbeatAt: now });
      return step.isDone ? null : step.task;
    },
  };

  async function begin(backfill: BackfillProgress): Promise<BackfillProgress> {
    return {
      ...backfill,
      isBegun: true,
      cleared: backfill.clearFirst ? await duplicates.clear() : null,
      total: await captures.count(),
    };
  }
}
