import { namedValues } from '../../../platform/kit/values/named-values.ts';

export const EVIDENCE_TYPES = namedValues('AnomalyEvidenceType', 'Kind of evidence.', [
  'score_outlier',
  'rank_gap',
  'velocity_outlier',
  'sustained_velocity',
]);
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

/** Maximum confidence of each type of evidence. */
export const CONFIDENCE_CEILINGS: Readonly<Record<EvidenceType, number>> = {
  velocity_outlier: 0.99,
  sustained_velocity: 0.95,
  rank_gap: 0.85,
  score_outlier: 0.6,
};
/** Confidence at the threshold. */
export const BASE_CONFIDENCE = 0.5;

/** Elite of a board: this share of its rows from the top, with a minimum number of rows. */
export const COHORT = { minRanks: 50, share: 0.05 } as const;
/** Minimum number of scores to check; otherwise the first half of the elite is checked. */
export const MIN_CHECKED_SCORES = 10;
/** A board has a score cap if this many scores from the top are equal. */
export const CAPPED_TOP_SCORES = 5;
/** Makes the median absolute deviation comparable with a standard deviation. */
export const MAD_TO_SIGMA = 0.6745;

/** Number of gaps from the top to check, entries the board needs, and the minimum multiple of the typical gap. */
export const CHECKED_GAPS = 3;
export const MIN_GAP_ENTRIES = 4;
export const GAP_MULTIPLIER = 10;

/** Number of ranks from the top that count as peers. */
export const PEER_RANKS = 50;
/** Minimum number of peers with a gain, and the quantile of their gains that a rate is compared with. */
export const MIN_PEERS = 5;
export const PEER_QUANTILE = 0.95;

/** Maximum number of players in the report; the total counts all. */
export const MAX_REPORTED = 500;

/** Activity since the weekly reset: minimum number of hours, minimum share of active hours, confidence at that share. */
export const SUSTAINED = { minHours: 48, fraction: 0.85, baseConfidence: 0.7 } as const;
/** Activity means that a score within this many ranks from the top rose by at least this much. */
export const ACTIVE_RANKS = 400;
export const MIN_RISE = 1;
/** TTL of the active names of a capture: a weekly reset cycle and a day. */
export const ACTIVE_NAMES_TTL_SECONDS = 8 * 86_400;

export const ANOMALY_METHOD =
  'Statistics over the latest capture. On boards that reset: scores far from the elite of their board in the log domain (modified z-score), unusual gaps between the first ranks, and for these players the hourly gain compared with the first 50 ranks. On all boards: players whose scores rose in nearly every hour since the weekly reset. An anomaly has many possible causes and is not an accusation.';
