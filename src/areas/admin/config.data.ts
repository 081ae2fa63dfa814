/** Categories of settings in display order. */
export const CATEGORIES: readonly string[] = [
  'features',
  'rotations',
  'feedback',
  'api_rate_limits',
  'scope_multipliers',
  'ocr_rate_limit',
  'accounts',
  'auth_rate_limits',
  'ingest_cooldown',
  'rate_limit_alerts',
  'archive_rate_limits',
  'leaderboards',
  'game_status',
  'community_feeds',
  'activity',
  'client_libraries',
];
