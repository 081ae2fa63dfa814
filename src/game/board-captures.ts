import type { UnixSeconds } from '../platform/time/clock.ts';

/** The rows of a board at one capture, best rank first. Both lists have the same length. */
export interface BoardRows {
  /** As the game spells them. */
  names: readonly string[];
  /** `scores[i]` belongs to `names[i]`. Some boards rank low scores first. */
  scores: ArrayLike<number>;
}

/** One board at a capture and at the capture before it; null where it has no rows. Never null on both sides. */
export interface BoardPair {
  uuid: number;
  name: string;
  category: string;
  /** False for boards that rank clubs. */
  isPlayerBoard: boolean;
  earlier: BoardRows | null;
  later: BoardRows | null;
}

/** A leaderboard capture that has become visible, beside the newest one before it. */
export interface CaptureBoards {
  /** Time of the capture. */
  anchor: UnixSeconds;
  /** Time of the newest visible capture before it, null for the first. */
  previousAnchor: UnixSeconds | null;
  /** The newest visible capture at or before an instant; null when there is none. */
  newestUntil(instant: UnixSeconds): Promise<UnixSeconds | null>;
  /** The rows of one board at a capture; null where it has none. */
  rows(uuid: number, anchor: UnixSeconds): Promise<BoardRows | null>;
  /** One board after the other; only the one at hand is in memory. Each call reads the boards again. */
  boards(): AsyncIterable<BoardPair>;
}

/**
 * Told of every capture that became visible or whose predecessor changed, oldest first: a back-filled capture is
 * followed by the call for the capture after it. May be called again for the same capture, after a crash or when its anchor was
 * written anew, and must then replace what it stored. A failure is retried later and never undoes the capture.
 */
export type CaptureListener = (capture: CaptureBoards) => Promise<void>;

/** Computes something from captures, and can do it again. */
export interface CaptureConsumer {
  onCapture: CaptureListener;
  /** Whether something is stored for a capture. */
  has(anchor: UnixSeconds): Promise<boolean>;
}

export type CaptureConsumerName = 'activity' | 'class-activity';

/** Captures after an instant that are to be computed again, oldest first. */
export interface RecomputeTask {
  consumer: CaptureConsumerName;
  after: UnixSeconds;
  /** False: only captures for which nothing is stored. */
  isForced: boolean;
}
