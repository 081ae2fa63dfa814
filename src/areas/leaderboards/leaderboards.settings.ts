import { decimal, integer, type SettingDeclarations, type SettingValues, string, toggle } from '../../platform/settings/settings.data.ts';

export const leaderboardsSettings = {
  // features
  featureLeaderboardsEnabled: toggle({
    key: 'feature_leaderboards_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/leaderboards/* return 404; activity has its own switch',
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
  leaderboardsArchiveRateLimitMax: integer({
    key: 'leaderboards_archive_rate_limit_max',
    default: 0,
    min: 0,
    max: 10000,
    category: 'archive_rate_limits',
    purpose:
      'requests per token and window for leaderboard anchors older than the threshold, in addition to the token rate limit; 0 = no limit',
  }),
  leaderboardsArchiveRateLimitWindowSeconds: integer({
    key: 'leaderboards_archive_rate_limit_window_seconds',
    default: 60,
    min: 10,
    max: 86400,
    category: 'archive_rate_limits',
    purpose: 'window of the archive rate limit',
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
