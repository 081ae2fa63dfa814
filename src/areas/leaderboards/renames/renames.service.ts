import type { CaptureBoards, CaptureListener } from '../../../game/board-captures.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { cadenceOf, isPlayerBoard, parseResetOverrides } from '../boards/boards.domain.ts';
import type { BoardsStore } from '../boards/boards.store.ts';
import type { BackfillProgress, BackfillStatus } from '../captures/backfill.store.ts';
import type { CapturesStore } from '../captures/captures.store.ts';
import { createRenameSearch, type Rename, type RenameRules } from './renames.domain.ts';
import type { RenamesStore } from './renames.store.ts';

/** Captures that one step of a backfill passes; it compares at most one pair. */
const STEP_CAPTURES = 50;

/** Progress of a backfill over the pairs of neighbouring captures. Part of the stored jobs: fields keep their names. */
export interface RenamesTask extends BackfillProgress {
  /** Captures after this one remain. */
  after: UnixSeconds;
  skippedGap: number;
  lifetimeBoards: number;
}

interface RenamesServiceDeps {
  renames: RenamesStore;
  renamesBackfill: BackfillStatus<RenamesTask>;
  captures: CapturesStore;
  boards: BoardsStore;
}

interface BackfillContext {
  settings: Settings;
  now: UnixSeconds;
  notify(anchor: UnixSeconds, listeners: readonly CaptureListener[]): Promise<void>;
}

const rulesOf = (settings: Settings): RenameRules => ({
  maxGapSeconds: settings.leaderboardsRenameMaxGapSeconds,
  minBoards: settings.leaderboardsRenameMinBoards,
  drift: settings.leaderboardsRenameScoreDrift,
  minScore: settings.leaderboardsRenameMinScore,
  minConfidence: settings.leaderboardsRenameMinConfidence,
});

/** Boards whose scores never reset: only there a player has the same score under a new name. */
function isCompared(settings: Settings): (uuid: number) => boolean {
  const overrides = parseResetOverrides(settings.leaderboardsResetOverrides);
  const excluded = new Set(settings.leaderboardsRenameExcludedBoards.split(',').map((uuid) => uuid.trim()));
  return (uuid) => isPlayerBoard(uuid) && cadenceOf(uuid, overrides) === 'never' && !excluded.has(String(uuid));
}

/** Detects renames between neighbouring captures. */
export function createRenamesService({ renames, renamesBackfill, captures, boards }: RenamesServiceDeps) {
  /** The renames between a capture and the previous one. */
  async function search(capture: CaptureBoards, settings: Settings): Promise<Rename[]> {
    const rules = rulesOf(settings);
    const { anchor, previousAnchor } = capture;
    if (!settings.leaderboardRenamesEnabled || previousAnchor === null || anchor - previousAnchor > rules.maxGapSeconds) return [];
    const compares = isCompared(settings);
    const found = createRenameSearch(rules);
    for await (const board of capture.boards()) if (compares(board.uuid)) found.add(board);
    return found.find(previousAnchor, anchor);
  }

  /** Replaces the renames between a capture and the previous one; returns their number. */
  async function replace(capture: CaptureBoards, settings: Settings, now: UnixSeconds): Promise<number> {
    const found = await search(capture, settings);
    await renames.replace(capture.anchor, found, rulesOf(settings), now);
    return found.length;
  }

  return {
    replace,

    /** Runs one step of a backfill. Returns the remaining task, or null when it is done. A repeated step has the same result. */
    async backfill(task: RenamesTask, { settings, now, notify }: BackfillContext): Promise<RenamesTask | null> {
      if (!task.isBegun) {
        const begun = await begin(task, settings);
        await renamesBackfill.put({ task: begun, finishedAt: null, heartbeatAt: now });
        return begun;
      }
      const next = { ...task };
      const listed = await captures.listAfter({ after: next.after, until: Number.MAX_SAFE_INTEGER, limit: STEP_CAPTURES });
      const maxGap = rulesOf(settings).maxGapSeconds;
      for (const { anchor } of listed) {
        const isFirst = next.after === 0;
        const isSkipped = !isFirst && anchor - next.after > maxGap;
        next.after = anchor;
        if (isFirst) continue;
        next.done += 1;
        if (isSkipped) {
          next.skippedGap += 1;
          continue;
        }
        let found = 0;
        await notify(anchor, [
          async (capture) => {
            found = await replace(capture, settings, now);
          },
        ]);
        next.detected += found;
        break;
      }
      const isDone = listed.length === 0 || (listed.length < STEP_CAPTURES && listed.at(-1)?.anchor === next.after);
      await renamesBackfill.put({ task: next, finishedAt: isDone ? now : null, heartbeatAt: now });
      return isDone ? null : next;
    },
  };

  async function begin(task: RenamesTask, settings: Settings): Promise<RenamesTask> {
    const compares = isCompared(settings);
    const newest = await captures.newest();
    const listed = newest ? await boards.listAt([newest.anchor]) : [];
    return {
      ...task,
      isBegun: true,
      cleared: task.clearFirst ? await renames.clear() : null,
      total: Math.max(0, (await captures.count()) - 1),
      lifetimeBoards: listed.filter(({ board }) => compares(board.uuid)).length,
    };
  }
}
