import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';
import {
  decimal,
  integer,
  rateLimitSettings,
  type SettingDeclarations,
  type SettingValues,
  string,
  toggle,
} from '../../platform/settings/settings.data.ts';

export const leaderboardsScopes = {
  'leaderboards:read': { bit: 512, description: 'in-game leaderboards' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof leaderboardsScopes> {}
}

export const leaderboardsSettings = {
  // features
  featureLeaderboardsEnabled: toggle({
    key: 'feature_leaderboards_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/leaderboards/* return 404; activity has its own switch',
  }),
  leaderboardRenamesEnabled: toggle({
    key: 'leaderboard_renames_enabled',
    default: true,
    category: 'features',
    purpose: 'off: the endpoints of renames return 404, and renames are neither detected nor followed',
  }),
  leaderboardDuplicatesEnabled: toggle({
    key: 'leaderboard_duplicates_enabled',
    default: true,
    category: 'features',
    purpose: 'off: the endpoints of duplicate names return 404, and duplicate names are not detected',
  }),

  leaderboardsPublic: toggle({
    key: 'leaderboards_public',
    default: false,
    category: 'features',
    purpose: 'on: boards, records and profiles need no token, with the anonymous rate limit and public caching',
  }),

  // archive rate limits
  leaderboardsHotRetentionDays: integer({
    key: 'leaderboards_hot_retention_days',
    default: 3,
    min: 1,
    max: 3650,
    category: 'archive_rate_limits',
    purpose: 'has no effect: captures of every age are read the same way',
  }),
  leaderboardsArchiveQueryThresholdDays: integer({
    key: 'leaderboards_archive_query_threshold_days',
    default: 3,
    min: 1,
    max: 3650,
    category: 'archive_rate_limits',
    purpose: 'age from which anchors count as archive reads',
  }),
  ...rateLimitSettings('leaderboardsArchiveRateLimit', {
    key: 'leaderboards_archive_rate_limit',
    category: 'archive_rate_limits',
    requests: {
      default: 0,
      min: 0,
      max: 10000,
      purpose:
        'requests per token and window for leaderboard anchors older than the threshold, in addition to the token rate limit; 0 = no limit',
    },
    windowSeconds: { default: 60, min: 10, max: 86400, purpose: 'window of the archive rate limit' },
  }),

  // leaderboards
  leaderboardsGuardEnabled: toggle({
    key: 'leaderboards_guard_enabled',
    default: true,
    category: 'leaderboards',
    purpose: 'off: incomplete captures are accepted',
  }),
  leaderboardsGuardMinBoards: integer({
    key: 'leaderboards_guard_min_boards',
    default: 20,
    min: 1,
    max: 1000,
    category: 'leaderboards',
    purpose: 'minimum boards in the previous capture for the completeness check',
  }),
  leaderboardsGuardMaxMissing: integer({
    key: 'leaderboards_guard_max_missing',
    default: 1,
    min: 0,
    max: 1000,
    category: 'leaderboards',
    purpose: 'maximum number of missing boards',
  }),
  leaderboardsGuardMinEntries: integer({
    key: 'leaderboards_guard_min_entries',
    default: 100,
    min: 1,
    max: 100000,
    category: 'leaderboards',
    purpose: 'minimum previous entries of a compared board',
  }),
  leaderboardsGuardCollapseFrac: decimal({
    key: 'leaderboards_guard_collapse_frac',
    default: 0.5,
    min: 0.0,
    max: 1.0,
    category: 'leaderboards',
    purpose: 'minimum share of the previous entries of a board',
  }),
  leaderboardsResetOverrides: string({
    key: 'leaderboards_reset_overrides',
    default: '',
    category: 'leaderboards',
    purpose: 'comma-separated <uuid>:daily|weekly|none; overrides the reset cadence of the board table',
  }),
  leaderboardsRawRetentionDays: integer({
    key: 'leaderboards_raw_retention_days',
    default: 30,
    min: 1,
    max: 3650,
    category: 'leaderboards',
    purpose: 'maximum age of raw dumps',
  }),
  leaderboardsRepackDays: integer({
    key: 'leaderboards_repack_days',
    default: 35,
    min: 31,
    max: 3650,
    category: 'leaderboards',
    purpose: 'age from which captures are repacked into one object per game day and board, without loss',
  }),
  leaderboardsAnomalyZThreshold: decimal({
    key: 'leaderboards_anomaly_z_threshold',
    default: 5.0,
    min: 1.0,
    max: 100.0,
    category: 'leaderboards',
    purpose: 'score_outlier threshold',
  }),
  leaderboardsAnomalyVelocityMultiplier: decimal({
    key: 'leaderboards_anomaly_velocity_multiplier',
    default: 10.0,
    min: 1.0,
    max: 1000.0,
    category: 'leaderboards',
    purpose: 'velocity_outlier threshold',
  }),
  leaderboardsAnomalyMinBoardSize: integer({
    key: 'leaderboards_anomaly_min_board_size',
    default: 20,
    min: 4,
    max: 100000,
    category: 'leaderboards',
    purpose: 'minimum rows of an analysed board',
  }),
  leaderboardsAnomalyExcludedBoards: string({
    key: 'leaderboards_anomaly_excluded_boards',
    default: '',
    category: 'leaderboards',
    purpose: 'comma-separated uuids excluded from the analysis',
  }),
  leaderboardsLastPlayedExcludedBoards: string({
    key: 'leaderboards_last_played_excluded_boards',
    default: '',
    category: 'leaderboards',
    purpose: 'comma-separated uuids whose rising scores do not count for last_played of a profile',
  }),
  leaderboardsRenameMaxGapSeconds: integer({
    key: 'leaderboard_renames_max_gap_seconds',
    default: 5400,
    min: 3600,
    max: 86400,
    category: 'leaderboards',
    purpose: 'maximum time between two captures that are compared for renames',
  }),
  leaderboardsRenameMinBoards: integer({
    key: 'leaderboard_renames_min_boards',
    default: 2,
    min: 1,
    max: 100,
    category: 'leaderboards',
    purpose: 'minimum boards on which both names of a rename have nearly the same score',
  }),
  leaderboardsRenameScoreDrift: decimal({
    key: 'leaderboard_renames_score_drift',
    default: 0.02,
    min: 0,
    max: 0.25,
    category: 'leaderboards',
    purpose: 'maximum rise of a score between the two names of a rename, as a share',
  }),
  leaderboardsRenameMinScore: integer({
    key: 'leaderboard_renames_min_score',
    default: 1000,
    min: 0,
    max: 1000000000,
    category: 'leaderboards',
    purpose: 'minimum score that is compared for renames',
  }),
  leaderboardsRenameMinConfidence: decimal({
    key: 'leaderboard_renames_min_confidence',
    default: 0.5,
    min: 0,
    max: 1,
    category: 'leaderboards',
    purpose: 'minimum confidence of a stored rename',
  }),
  leaderboardsRenameExcludedBoards: string({
    key: 'leaderboard_renames_excluded_boards',
    default: '',
    category: 'leaderboards',
    purpose: 'comma-separated uuids that are not compared for renames',
  }),
  leaderboardsDuplicatesLookbackDays: integer({
    key: 'leaderboard_duplicates_lookback_days',
    default: 7,
    min: 1,
    max: 30,
    category: 'leaderboards',
    purpose: 'days before the newest capture whose rows of a duplicate name are analysed',
  }),
  leaderboardsDuplicatesMinBoards: integer({
    key: 'leaderboard_duplicates_min_boards',
    default: 1,
    min: 1,
    max: 100,
    category: 'leaderboards',
    purpose: 'minimum boards with several rows of a duplicate name',
  }),
  leaderboardsDuplicatesFrozenCaptures: integer({
    key: 'leaderboard_duplicates_frozen_captures',
    default: 4,
    min: 2,
    max: 1000,
    category: 'leaderboards',
    purpose: 'captures without a changed score from which a character of a duplicate name counts as frozen',
  }),
  leaderboardsDuplicatesMaxNames: integer({
    key: 'leaderboard_duplicates_max_names',
    default: 500,
    min: 1,
    max: 5000,
    category: 'leaderboards',
    purpose: 'maximum number of duplicate names of a capture; those on most boards come first',
  }),
  leaderboardsCheaterDetectionEnabled: toggle({
    key: 'cheater_detection_enabled',
    default: true,
    category: 'leaderboards',
    purpose: 'off: the list of players with anomalies is empty',
  }),
  leaderboardsAltClustersEnabled: toggle({
    key: 'alt_clusters_enabled',
    default: true,
    category: 'leaderboards',
    purpose: 'off: the list of clusters of names is empty',
  }),
  leaderboardsClusterExcludedBoards: string({
    key: 'leaderboards_cluster_excluded_boards',
    default: '',
    category: 'leaderboards',
    purpose: 'comma-separated uuids excluded from the search for clusters of names',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof leaderboardsSettings> {}
}
