import { ApiError } from '../../../platform/errors/api-error.ts';
import type { BoardColumns } from '../captures/board-columns.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.repository.ts';
import type { BoardAt, BoardsRepository } from './boards.repository.ts';

const RETRY_SECONDS = 5;

/** A board at a capture, as far as its rows are found by it. */
type Place = { board: { uuid: number }; capture: BoardAt['capture'] };

/** The rows of a board at a capture. */
export function rowsOf(at: Place, boards: BoardsRepository, objects: CaptureObjects): Promise<BoardColumns> {
  return read(at, boards, objects.board);
}

/** The text of a board's rows at a capture. */
export function rowTextOf(at: Place, boards: BoardsRepository, objects: CaptureObjects): Promise<string> {
  return read(at, boards, objects.boardText);
}

/**
 * Between the look-up of the capture and the read of its object the capture can have been written anew or packed: then it is
 * looked up once more.
 */
async function read<Rows>(
  { board, capture }: Place,
  boards: BoardsRepository,
  reader: (capture: BoardAt['capture'], uuid: number) => Promise<Rows | null>,
): Promise<Rows> {
  const found = await reader(capture, board.uuid);
  if (found !== null) return found;
  const again = await boards.at(board.uuid, [capture.anchor]);
  const moved = again && (await reader(again.capture, board.uuid));
  if (moved !== null) return moved;
  throw new ApiError('service_unavailable', 'the capture is being replaced', { headers: { 'Retry-After': String(RETRY_SECONDS) } });
}
