import { namedValues } from '../../../platform/values/named-values.ts';

export const EVIDENCE_TYPES = namedValues('AnomalyEvidenceType', 'Kind of evidence.', [
  'score_outlier',
  'rank_gap',
  'velocity_outlier',
  'sustained_velocity',
]);
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

/** The most that findings of one type can say for themselves. */
export const CONFIDENCE_CEILINGS: Readonly<Record<EvidenceType, number>> = {
  velocity_outlier: 0.99,
  sustained_velocity: 0.95,
  rank_gap: 0.85,
  score_outlier: 0.6,
};
/** Confidence of a finding at its threshold. */
export const BASE_CONFIDENCE = 0.5;

/** Elite of a board: its first ranks, as a share of all with a minimum. */
export const COHORT = { least: 50, share: 0.05 } as const;
/** Part of the elite to analyse: half of it, with a minimum. */
export const MIN_CHECKED_SCORE = 10;
/** First scores that are all equal on a board with a cap. */
export const CAPPED_TOP = 5;
/** Makes the median absolute deviation comparable with a standard deviation. */
export const MAD_TO_SIGMA = 0.6745;

/** Gaps from the top that can stand out, entries they need, and how many times the typical gap they must be. */
export const LOOKED_AT_GAPS = 3;
export const MIN_GAP_ENTRIES = 4;
export const GAP_MULTIPLIER = 10;

/** Ranks from the top whose gains a rate is compared with. */
export const PEER_RANKS = 50;
/** Peers with a gain that a rate is compared with, and where among them. */
export const MIN_PEERS = 5;
export const PEER_QUANTILE = 0.95;

/** Players that the report lists; the rest is counted. */
export const MAX_REPORTED = 500;

/** A share of the hours since the weekly reset: at least so many hours, in how many a score rose, and what that says. */
export const SUSTAINED = { leastHours: 48, fraction: 0.85, baseConfidence: 0.7 } as const;
/** Ranks from the top that an hour of activity is seen on, and the rise of a score that counts. */
export const ACTIVE_RANKS = 400;
export const MIN_RISE = 1;
/** Names of who was active at a capture are kept for a weekly reset cycle and a day. */
export const ACTIVE_NAMES_TTL_SECONDS = 8 * 86_400;

export const ANOMALY_METHOD =
  'Statistics over the latest capture. On boards that reset: scores far from the elite of their board in the log domain (modified z-score), unusual gaps between the first ranks, and for these players the hourly gain compared with the first 50 ranks. On all boards: players whose scores rose in nearly every hour since the weekly reset. An anomaly has many possible causes and is not an accusation.';
