import type {
  BoardPair,
  BoardRows,
  CaptureBoards,
  CaptureConsumer,
  CaptureConsumerName,
  CaptureListener,
  RecomputeTask,
} from '../../../game/board-captures.ts';
import { runEach } from '../../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { byDisplayOrder, isPlayerBoard } from '../boards/boards.domain.ts';
import { type BoardAt, type BoardsStore, rowsOf } from '../boards/boards.store.ts';
import type { CaptureObjects } from '../captures/capture-objects.store.ts';
import type { CapturesStore } from '../captures/captures.store.ts';

interface NotifierDeps {
  captures: CapturesStore;
  boards: BoardsStore;
  objects: CaptureObjects;
}

/** Notifies every listener of a capture, also after one fails. Fails if one of them fails, so that the queue retries. */
export function createCaptureNotifier({ captures, boards, objects }: NotifierDeps) {
  const rows = async (at: BoardAt | undefined): Promise<BoardRows | null> => (at ? await rowsOf(at, boards, objects) : null);

  async function* pairs(anchor: UnixSeconds, previousAnchor: UnixSeconds | null): AsyncGenerator<BoardPair> {
    const later = await boardsAt(anchor);
    const earlier = previousAnchor === null ? new Map<number, BoardAt>() : await boardsAt(previousAnchor);
    for (const uuid of [...new Set([...later.keys(), ...earlier.keys()])].sort(byDisplayOrder)) {
      const board = (later.get(uuid) ?? earlier.get(uuid))?.board;
      if (!board) continue;
      const sides = { earlier: await rows(earlier.get(uuid)), later: await rows(later.get(uuid)) };
      yield { uuid, name: board.name, category: board.category, isPlayerBoard: isPlayerBoard(uuid), ...sides };
    }
  }

  async function boardsAt(anchor: UnixSeconds): Promise<Map<number, BoardAt>> {
    return new Map((await boards.listAt([anchor])).map((at) => [at.board.uuid, at]));
  }

  return async (anchor: UnixSeconds, listeners: readonly CaptureListener[]): Promise<void> => {
    if (listeners.length === 0 || !(await captures.find(anchor))) return;
    const previousAnchor = (await captures.newestUntil(anchor - 1))?.anchor ?? null;
    const capture: CaptureBoards = {
      anchor,
      previousAnchor,
      newestAtOrBefore: async (instant) => (await captures.newestUntil(instant))?.anchor ?? null,
      rows: async (uuid, at) => rows((await boards.at(uuid, [at])) ?? undefined),
      boards: () => pairs(anchor, previousAnchor),
    };
    await runEach(listeners, (listener) => listener(capture));
  };
}

export interface RecomputeDeps {
  captures: CapturesStore;
  consumers: Readonly<Record<CaptureConsumerName, CaptureConsumer>>;
  notify(anchor: UnixSeconds, listeners: readonly CaptureListener[]): Promise<void>;
}

/** Maximum number of captures that one step checks; it computes at most one of them. */
const STEP_CAPTURES = 50;

/** Recomputes the next capture of a task. Returns the remaining task, or null when it is done. */
export function createRecompute({ captures, consumers, notify }: RecomputeDeps): (task: RecomputeTask) => Promise<RecomputeTask | null> {
  return async (task) => {
    const consumer = consumers[task.consumer];
    const { after, until = Number.MAX_SAFE_INTEGER } = task;
    const checked = await captures.listAfter({ after, until, limit: STEP_CAPTURES });
    for (const { anchor } of checked) {
      if (!task.isForced && (await consumer.has(anchor))) continue;
      await notify(anchor, [consumer.replace]);
      return { ...task, after: anchor };
    }
    const last = checked.at(-1);
    return last && checked.length === STEP_CAPTURES ? { ...task, after: last.anchor } : null;
  };
}
