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

export const CLUSTER_METHODS = namedValues('AltClusterMethod', 'How a cluster was found.', [
  'name_stem',
  'co_movement',
  'schedule',
  'both',
]);
export type ClusterMethod = (typeof CLUSTER_METHODS)[number];

/** Signals of a cluster, in the order of the response. `footprint`: the members are on the same boards. */
export const CLUSTER_SIGNALS = namedValues('AltClusterSignal', 'Signal of a cluster.', [
  'co_movement',
  'schedule',
  'name_stem',
  'footprint',
]);
export type ClusterSignal = (typeof CLUSTER_SIGNALS)[number];

/** Maximum confidence of each method. */
export const CLUSTER_CEILINGS = { name_stem: 0.95, co_movement: 0.97, schedule: 0.85, fused: 0.98 } as const;

/**
 * Names that differ only in digits. `minNames`: names of a family on a board; `band`: maximum spread of their scores as a share; `fullSize`:
 * names from which the size counts fully; `maxBlock`: stems with the same first character that are compared with each other.
 */
export const STEM = { minNames: 3, band: 0.02, maxEdits: 2, fullSize: 8, maxBlock: 300, minLength: 2 } as const;

/**
 * Names whose scores rise alike. `minGain`: smallest counted gain per hour; `quantile`: gains from this one up are compared; `tolerance`:
 * width of a band of equal gains as a share; `maxBand`: names in a band; `minHours`, `minRatio`: bands that two names share;
 * `minDensity`: share of linked pairs in a group.
 */
export const CO_MOVEMENT = {
  minGain: 1,
  quantile: 0.9,
  tolerance: 0.05,
  maxBand: 40,
  minHours: 3,
  minRatio: 0.7,
  minDensity: 0.6,
  minGroup: 2,
  stemBonus: 0.08,
} as const;

/** Names that are active in the same hours. `maxShare`: active hours above this share of the week say nothing. */
export const SCHEDULE = { minHours: 6, maxShare: 0.85, blockHours: 6, maxBlock: 40, similarity: 0.8 } as const;

/** Confidence added by each further signal, and the mean similarity of board sets that counts as one. */
export const FUSION = { bonus: 0.06, footprint: 0.6 } as const;

/** Maximum number of clusters, of members of a cluster, and of names of a board of a cluster in the response. */
export const MAX_CLUSTERS = 500;
export const MAX_MEMBERS = 60;
