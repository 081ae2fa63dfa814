import type { BoardPair, BoardRows, CaptureBoards, CaptureListener } from '../../../game/board-captures.ts';
import { runEach } from '../../../platform/kit/run-each.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { byDisplayOrder, isPlayerBoard } from '../boards/board-order.domain.ts';
import { rowsOf } from '../boards/board-rows.service.ts';
import type { BoardAt, BoardsRepository } from '../boards/boards.repository.ts';
import type { CaptureObjects } from './capture-objects.repository.ts';
import type { CapturesRepository } from './captures.repository.ts';

export interface NotifierDeps {
  captures: CapturesRepository;
  boards: BoardsRepository;
  objects: CaptureObjects;
  listeners: readonly CaptureListener[];
}

/** Notifies every listener of a capture, also after one fails. Fails if one of them fails, so that the queue retries. */
export function createCaptureNotifier({ captures, boards, objects, listeners }: NotifierDeps): (anchor: UnixSeconds) => Promise<void> {
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

  return async (anchor) => {
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
