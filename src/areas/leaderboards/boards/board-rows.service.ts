import { ApiError } from '../../../platform/errors/api-error.ts';
import type { BoardColumns } from '../captures/board-columns.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.repository.ts';
import type { BoardAt, BoardsRepository } from './boards.repository.ts';

const RETRY_SECONDS = 5;

/**
 * The rows of a board at a capture. Between the look-up of the capture and the read of its object the capture can have
 * been written anew or packed: then it is looked up once more.
 */
export async function rowsOf(
  { board, capture }: { board: { uuid: number }; capture: BoardAt['capture'] },
  boards: BoardsRepository,
  objects: CaptureObjects,
): Promise<BoardColumns> {
  const found = await objects.board(capture, board.uuid);
  if (found) return found;
  const again = await boards.at(board.uuid, [capture.anchor]);
  const moved = again && (await objects.board(again.capture, board.uuid));
  if (moved) return moved;
  throw new ApiError('service_unavailable', 'the capture is being written anew', { headers: { 'Retry-After': String(RETRY_SECONDS) } });
}
