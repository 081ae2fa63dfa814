import type { UnixSeconds } from '../platform/kit/time/clock.ts';

/** The rows of a board at one capture, best rank first. Both lists have the same length. */
export interface BoardRows {
  /** Names as the game spells them. */
  names: readonly string[];
  /** `scores[i]` belongs to `names[i]`. Some boards rank low scores first. */
  scores: ArrayLike<number>;
}

/** One board at a capture and at the previous capture. A side is null if it has no rows; at least one side has rows. */
export interface BoardPair {
  uuid: number;
  name: string;
  category: string;
  /** False for boards that rank clubs. */
  isPlayerBoard: boolean;
  earlier: BoardRows | null;
  later: BoardRows | null;
}

/** A visible leaderboard capture and the newest one before it. */
export interface CaptureBoards {
  /** Time of the capture. */
  anchor: UnixSeconds;
  /** Time of the newest visible capture before this one; null for the first. */
  previousAnchor: UnixSeconds | null;
  /** Time of the newest visible capture at or before an instant; null if there is none. */
  newestAtOrBefore(instant: UnixSeconds): Promise<UnixSeconds | null>;
  /** The rows of a board at a capture; null if it has no rows. */
  rows(uuid: number, anchor: UnixSeconds): Promise<BoardRows | null>;
  /** Yields the boards. Only one board is in memory at a time. Each call reads the boards from storage. */
  boards(): AsyncIterable<BoardPair>;
}

/**
 * Called for every capture that became visible or whose previous capture changed, oldest first: after a backfilled capture, the next
 * capture follows. A capture may be repeated, after a crash or when its anchor was written again; the listener must then replace what
 * it stored. A failed call is retried later and does not undo the capture.
 */
export type CaptureListener = (capture: CaptureBoards) => Promise<void>;

/** Data that is derived from captures. Calls can be repeated. */
export interface DerivedData {
  /** Tables of the database and folders of the bucket with the data. */
  stored: readonly string[];
  /** Replaces everything that is stored for a capture, also when the capture yields nothing. */
  replace: CaptureListener;
  /** Deletes everything that is stored for a capture that was deleted. */
  withdraw(anchor: UnixSeconds): Promise<void>;
  /** Permanent figures: a deletion without `recompute` leaves them as they are. */
  isPermanent?: boolean;
}

/** Derived data of another area. */
export interface CaptureConsumer extends DerivedData {
  /** Seconds after a capture between which the data of other captures also depends on it. Absent: only that of the next capture does. */
  dependents?: { from: number; until: number };
  /** True if data is stored for the capture. */
  has(anchor: UnixSeconds): Promise<boolean>;
}

export type CaptureConsumerName = 'activity' | 'class-activity';

/** Recomputes the captures after an instant, oldest first. */
export interface RecomputeTask {
  consumer: CaptureConsumerName;
  after: UnixSeconds;
  /** Absent: to the newest. */
  until?: UnixSeconds;
  /** False: only captures without stored data. */
  isForced: boolean;
}
