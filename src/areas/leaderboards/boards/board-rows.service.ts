import { ApiError } from '../../../platform/kit/errors/api-error.ts';
import type { BoardColumns } from '../captures/board-columns.domain.ts';
import type { CaptureObjects } from '../captures/capture-objects.repository.ts';
import type { BoardAt, BoardsRepository } from './boards.repository.ts';

const RETRY_SECONDS = 5;

/** Fields that locate the rows of a board at a capture. */
type RowsLocation = { board: { uuid: number }; capture: BoardAt['capture'] };

/** Reads the rows of a board at a capture. */
export function rowsOf(at: RowsLocation, boards: BoardsRepository, objects: CaptureObjects): Promise<BoardColumns> {
  return readWithRetry(at, boards, objects.board);
}

/** Reads the encoded rows of a board at a capture. */
export function rowTextOf(at: RowsLocation, boards: BoardsRepository, objects: CaptureObjects): Promise<string> {
  return readWithRetry(at, boards, objects.boardText);
}

/**
 * Retries once with a fresh lookup: a capture can be replaced or packed between the lookup and the read of the object.
 */
async function readWithRetry<Rows>(
  { board, capture }: RowsLocation,
  boards: BoardsRepository,
  reader: (capture: BoardAt['capture'], uuid: number) => Promise<Rows | null>,
): Promise<Rows> {
  const rows = await reader(capture, board.uuid);
  if (rows !== null) return rows;
  const current = await boards.at(board.uuid, [capture.anchor]);
  const currentRows = current && (await reader(current.capture, board.uuid));
  if (currentRows !== null) return currentRows;
  throw new ApiError('service_unavailable', 'the capture is being replaced', { headers: { 'Retry-After': String(RETRY_SECONDS) } });
}
