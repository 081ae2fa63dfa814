export type EvidenceType = 'score_outlier' | 'rank_gap' | 'velocity_outlier';

/** The most that findings of one type can say for themselves. */
export const CONFIDENCE_CEILINGS: Readonly<Record<EvidenceType, number>> = { velocity_outlier: 0.99, rank_gap: 0.85, score_outlier: 0.6 };
/** Confidence of a finding at its threshold. */
export const BASE_CONFIDENCE = 0.5;

/** The elite of a board: its first ranks, as a share of all and at least so many. */
export const COHORT = { least: 50, share: 0.05 } as const;
/** How much of the elite is looked at: half of it, at least so many. */
export const LEAST_LOOKED_AT = 10;
/** First scores that are all equal on a board with a cap. */
export const CAPPED_TOP = 5;
/** Makes the median absolute deviation comparable with a standard deviation. */
export const MAD_TO_SIGMA = 0.6745;

/** Gaps from the top that can stand out, entries they need, and how many times the typical gap they must be. */
export const LOOKED_AT_GAPS = 3;
export const LEAST_GAP_ENTRIES = 4;
export const GAP_MULTIPLIER = 10;

/** Peers with a gain that a rate is compared with, and where among them. */
export const LEAST_PEERS = 5;
export const PEER_QUANTILE = 0.95;

/** Players that the report lists; the rest is counted. */
export const MAX_REPORTED = 500;

export const ANOMALY_METHOD =
  'Statistics over the latest capture: scores far from the elite of their board in the log domain (modified z-score), unusual gaps between the first ranks, and for players found so the gain an hour against their peers. An unusual figure has many causes; none of this is an accusation.';
