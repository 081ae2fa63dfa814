import { namedValues } from '../../../platform/kit/values/named-values.ts';

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
