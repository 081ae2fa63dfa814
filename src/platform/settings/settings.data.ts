/** What every run-time setting has: its stored key, its group, and what it does. */
interface SettingBase {
  key: string;
  category: string;
  purpose: string;
  /** Masked when shown to an administrator. */
  secret?: boolean;
}

export interface ToggleSetting extends SettingBase {
  type: 'bool';
  default: boolean;
}
export interface NumberSetting extends SettingBase {
  type: 'int' | 'float';
  default: number;
  min: number;
  max: number;
}
export interface StringSetting extends SettingBase {
  type: 'str';
  default: string;
}
export type Setting = ToggleSetting | NumberSetting | StringSetting;

const toggle = (setting: Omit<ToggleSetting, 'type'>): ToggleSetting => ({ type: 'bool', ...setting });
const integer = (setting: Omit<NumberSetting, 'type'>): NumberSetting => ({ type: 'int', ...setting });
const decimal = (setting: Omit<NumberSetting, 'type'>): NumberSetting => ({ type: 'float', ...setting });
const string = (setting: Omit<StringSetting, 'type'>): StringSetting => ({ type: 'str', ...setting });

/** Longest value of a text setting, in characters. */
export const MAX_STRING_SETTING = 4000;

/**
 * Every setting a superuser can change while the service runs. Windows and periods are seconds.
 * The property name is what code uses; `key` is what the database and the administration know.
 */
export const SETTINGS = {
  // features
  featureModsHubEnabled: toggle({
    key: 'feature_mods_hub_enabled',
    default: true,
    category: 'features',
    purpose: 'off: the mods catalog endpoints answer 404',
  }),
  featureMarketEnabled: toggle({
    key: 'feature_market_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/market/* (reads and insert) answer 404',
  }),
  featureLeaderboardsEnabled: toggle({
    key: 'feature_leaderboards_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/leaderboards/* answer 404; activity has its own switch',
  }),
  featurePlayerActivityEnabled: toggle({
    key: 'feature_player_activity_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/activity/* and /v1/class-activity/* answer 404; the estimate is still computed',
  }),
  featureUpdatesEnabled: toggle({
    key: 'feature_updates_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/updates/* answer 404; archiving goes on',
  }),
  featureCodexesEnabled: toggle({
    key: 'feature_codexes_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/codexes/* answer 404',
  }),
  featureServerStatusEnabled: toggle({
    key: 'feature_server_status_enabled',
    default: true,
    category: 'features',
    purpose: 'off: both game-status endpoints answer 404; probing goes on',
  }),
  featureGiveawaysEnabled: toggle({
    key: 'feature_giveaways_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/giveaways/* answer 404; administration stays reachable',
  }),
  featureWebhooksEnabled: toggle({
    key: 'feature_webhooks_enabled',
    default: true,
    category: 'features',
    purpose: 'off: webhook management answers 404 and no delivery is queued; registrations are kept',
  }),
  featureImageStudioEnabled: toggle({
    key: 'feature_image_studio_enabled',
    default: true,
    category: 'features',
    purpose: 'off: designed embed images are unavailable',
  }),
  featureDelvesEnabled: toggle({
    key: 'feature_delves_enabled',
    default: false,
    category: 'features',
    purpose: 'off (default): both delve endpoints answer 404 and the delve refresher is paused',
  }),
  updatesArchiverEnabled: toggle({
    key: 'updates_archiver_enabled',
    default: false,
    category: 'features',
    purpose: 'on: the game file archiver probes and syncs; independent of feature_updates_enabled',
  }),
  modsMirrorEnabled: toggle({
    key: 'mods_mirror_enabled',
    default: false,
    category: 'features',
    purpose: 'on: the daily mirror of the community mods catalog runs',
  }),

  // rotations
  chaosRelayUrl: string({
    key: 'chaos_relay_url',
    default: 'https://trovesaurus.com/api/chaos-chest',
    category: 'rotations',
    purpose: 'source of the chaos chest relay; empty = relay off',
  }),
  delvesSourceUrl: string({
    key: 'delves_source_url',
    default: '',
    category: 'rotations',
    purpose: 'source of the delve relay; empty = refresher off',
  }),
  delvesSourceReferer: string({
    key: 'delves_source_referer',
    default: '',
    category: 'rotations',
    purpose: 'Referer sent to that source; empty = none',
  }),

  // feedback
  feedbackChatWebhook: string({
    key: 'feedback.chat_webhook',
    default: '',
    secret: true,
    category: 'feedback',
    purpose: 'chat webhook that receives feedback; empty = not forwarded, still stored',
  }),
  feedbackPerIpMax: integer({
    key: 'feedback.per_ip_max',
    default: 3,
    min: 1,
    max: 100,
    category: 'feedback',
    purpose: 'submissions per IP per window',
  }),
  feedbackPerIpWindowSeconds: integer({
    key: 'feedback.per_ip_window_seconds',
    default: 3600,
    min: 60,
    max: 86400,
    category: 'feedback',
    purpose: 'per-IP window',
  }),
  feedbackGlobalMax: integer({
    key: 'feedback.global_max',
    default: 60,
    min: 10,
    max: 10000,
    category: 'feedback',
    purpose: 'submissions over all IPs per window; excess dropped silently',
  }),
  feedbackGlobalWindowSeconds: integer({
    key: 'feedback.global_window_seconds',
    default: 3600,
    min: 60,
    max: 86400,
    category: 'feedback',
    purpose: 'global window',
  }),

  // api rate limits
  apiRateLimitMax: integer({
    key: 'api_rate_limit_max',
    default: 120,
    min: 1,
    max: 100000,
    category: 'api_rate_limits',
    purpose: 'requests per token per window',
  }),
  apiRateLimitWindowSeconds: integer({
    key: 'api_rate_limit_window_seconds',
    default: 60,
    min: 10,
    max: 86400,
    category: 'api_rate_limits',
    purpose: 'token window',
  }),
  publicAnonRateLimitMax: integer({
    key: 'public_anon_rate_limit_max',
    default: 30,
    min: 1,
    max: 100000,
    category: 'api_rate_limits',
    purpose: 'anonymous requests per IP per window',
  }),
  publicAnonRateLimitWindowSeconds: integer({
    key: 'public_anon_rate_limit_window_seconds',
    default: 60,
    min: 10,
    max: 86400,
    category: 'api_rate_limits',
    purpose: 'anonymous window',
  }),
  eventsStreamsPerAddressMax: integer({
    key: 'events_streams_per_address_max',
    default: 10,
    min: 1,
    max: 1000,
    category: 'api_rate_limits',
    purpose: 'event streams open at once per IP without a token',
  }),
  eventsStreamsPerTokenMax: integer({
    key: 'events_streams_per_token_max',
    default: 20,
    min: 1,
    max: 1000,
    category: 'api_rate_limits',
    purpose: 'event streams open at once per token',
  }),

  // scope multipliers
  codexesRateLimitMultiplier: integer({
    key: 'codexes_rate_limit_multiplier',
    default: 5,
    min: 1,
    max: 100,
    category: 'scope_multipliers',
    purpose: 'multiplies both budgets for codexes:read, in buckets of its own',
  }),
  updatesFileRateLimitMultiplier: integer({
    key: 'updates_file_rate_limit_multiplier',
    default: 1,
    min: 1,
    max: 100,
    category: 'scope_multipliers',
    purpose: 'multiplies both budgets of the archive file download; above 1 in buckets of its own',
  }),
  modsCatalogRateLimitMultiplier: integer({
    key: 'mods_catalog_rate_limit_multiplier',
    default: 1,
    min: 1,
    max: 100,
    category: 'scope_multipliers',
    purpose: 'multiplies both budgets of the mods catalog; above 1 in buckets of its own',
  }),

  // OCR rate limit
  ocrRateLimitMax: integer({
    key: 'ocr_rate_limit_max',
    default: 10,
    min: 1,
    max: 10000,
    category: 'ocr_rate_limit',
    purpose: 'extra per-token cap for reading screenshots, on top of the token budget',
  }),
  ocrRateLimitWindowSeconds: integer({
    key: 'ocr_rate_limit_window_seconds',
    default: 60,
    min: 10,
    max: 86400,
    category: 'ocr_rate_limit',
    purpose: 'its window',
  }),

  // auth rate limits
  signupRateLimitMax: integer({
    key: 'signup_rate_limit_max',
    default: 5,
    min: 1,
    max: 1000,
    category: 'auth_rate_limits',
    purpose: 'sign-up attempts per IP per window',
  }),
  signupRateLimitWindowSeconds: integer({
    key: 'signup_rate_limit_window_seconds',
    default: 3600,
    min: 60,
    max: 86400,
    category: 'auth_rate_limits',
    purpose: 'sign-up window',
  }),
  loginRateLimitMax: integer({
    key: 'login_rate_limit_max',
    default: 10,
    min: 1,
    max: 1000,
    category: 'auth_rate_limits',
    purpose: 'login attempts (failed and successful) per IP per window',
  }),
  loginRateLimitWindowSeconds: integer({
    key: 'login_rate_limit_window_seconds',
    default: 300,
    min: 60,
    max: 86400,
    category: 'auth_rate_limits',
    purpose: 'login window',
  }),
  forgotPasswordRateLimitMax: integer({
    key: 'forgot_password_rate_limit_max',
    default: 5,
    min: 1,
    max: 1000,
    category: 'auth_rate_limits',
    purpose: 'reset requests per IP per window',
  }),
  forgotPasswordRateLimitWindowSeconds: integer({
    key: 'forgot_password_rate_limit_window_seconds',
    default: 3600,
    min: 60,
    max: 86400,
    category: 'auth_rate_limits',
    purpose: 'reset-request window',
  }),
  sessionRateLimitMax: integer({
    key: 'session_rate_limit_max',
    default: 120,
    min: 10,
    max: 10000,
    category: 'auth_rate_limits',
    purpose: 'portal calls with a session per account per window',
  }),
  sessionRateLimitWindowSeconds: integer({
    key: 'session_rate_limit_window_seconds',
    default: 60,
    min: 10,
    max: 3600,
    category: 'auth_rate_limits',
    purpose: 'portal call window',
  }),
  accountExportRateLimitMax: integer({
    key: 'account_export_rate_limit_max',
    default: 5,
    min: 1,
    max: 1000,
    category: 'auth_rate_limits',
    purpose: 'account exports per account per window',
  }),
  accountExportRateLimitWindowSeconds: integer({
    key: 'account_export_rate_limit_window_seconds',
    default: 3600,
    min: 60,
    max: 86400,
    category: 'auth_rate_limits',
    purpose: 'account export window',
  }),
  credentialChangeRateLimitMax: integer({
    key: 'credential_change_rate_limit_max',
    default: 10,
    min: 1,
    max: 1000,
    category: 'auth_rate_limits',
    purpose: 'password and e-mail change attempts per account per window',
  }),
  credentialChangeRateLimitWindowSeconds: integer({
    key: 'credential_change_rate_limit_window_seconds',
    default: 3600,
    min: 60,
    max: 86400,
    category: 'auth_rate_limits',
    purpose: 'password and e-mail change window',
  }),

  // ingest cooldown
  ingestCooldownMax: integer({
    key: 'ingest_cooldown_max',
    default: 1,
    min: 1,
    max: 1000,
    category: 'ingest_cooldown',
    purpose: 'inserts per token per endpoint per window',
  }),
  ingestCooldownWindowSeconds: integer({
    key: 'ingest_cooldown_window_seconds',
    default: 300,
    min: 10,
    max: 86400,
    category: 'ingest_cooldown',
    purpose: 'ingest window',
  }),

  // rate limit alerts
  rateLimitAlertThreshold: integer({
    key: 'rate_limit_alert_threshold',
    default: 20,
    min: 1,
    max: 10000,
    category: 'rate_limit_alerts',
    purpose: 'least number of 429s in the digest window that triggers the digest e-mail',
  }),
  rateLimitDigestWindowHours: integer({
    key: 'rate_limit_digest_window_hours',
    default: 24,
    min: 1,
    max: 168,
    category: 'rate_limit_alerts',
    purpose: 'look-back of the digest',
  }),

  // archive rate limits
  leaderboardsHotRetentionDays: integer({
    key: 'leaderboards_hot_retention_days',
    default: 3,
    min: 1,
    max: 3650,
    category: 'archive_rate_limits',
    purpose: 'recent days pre-warmed',
  }),
  leaderboardsArchiveQueryThresholdDays: integer({
    key: 'leaderboards_archive_query_threshold_days',
    default: 3,
    min: 1,
    max: 3650,
    category: 'archive_rate_limits',
    purpose: 'older anchors count as archive reads',
  }),
  leaderboardsArchiveRateLimitMax: integer({
    key: 'leaderboards_archive_rate_limit_max',
    default: 0,
    min: 0,
    max: 10000,
    category: 'archive_rate_limits',
    purpose: 'requests per token and window for leaderboard anchors older than the threshold, on top of the token budget; 0: no such limit',
  }),
  leaderboardsArchiveRateLimitWindowSeconds: integer({
    key: 'leaderboards_archive_rate_limit_window_seconds',
    default: 60,
    min: 10,
    max: 86400,
    category: 'archive_rate_limits',
    purpose: 'its window',
  }),
  marketArchiveRateLimitMax: integer({
    key: 'market_archive_rate_limit_max',
    default: 0,
    min: 0,
    max: 10000,
    category: 'archive_rate_limits',
    purpose: 'requests per token and window for market reads that include expired listings, on top of the token budget; 0: no such limit',
  }),
  marketArchiveRateLimitWindowSeconds: integer({
    key: 'market_archive_rate_limit_window_seconds',
    default: 60,
    min: 10,
    max: 86400,
    category: 'archive_rate_limits',
    purpose: 'its window',
  }),

  // leaderboards
  leaderboardsGuardEnabled: toggle({
    key: 'leaderboards_guard_enabled',
    default: true,
    category: 'leaderboards',
    purpose: 'off: short captures are accepted',
  }),
  leaderboardsGuardMinBoards: integer({
    key: 'leaderboards_guard_min_boards',
    default: 20,
    min: 1,
    max: 1000,
    category: 'leaderboards',
    purpose: 'the guard needs at least this many boards in the previous capture',
  }),
  leaderboardsGuardMaxMissing: integer({
    key: 'leaderboards_guard_max_missing',
    default: 1,
    min: 0,
    max: 1000,
    category: 'leaderboards',
    purpose: 'more missing boards than this reject the capture',
  }),
  leaderboardsGuardMinEntries: integer({
    key: 'leaderboards_guard_min_entries',
    default: 100,
    min: 1,
    max: 100000,
    category: 'leaderboards',
    purpose: 'boards with fewer entries before are not compared',
  }),
  leaderboardsGuardCollapseFrac: decimal({
    key: 'leaderboards_guard_collapse_frac',
    default: 0.5,
    min: 0.0,
    max: 1.0,
    category: 'leaderboards',
    purpose: 'a board below this share of its previous entries rejects the capture',
  }),
  leaderboardsResetOverrides: string({
    key: 'leaderboards_reset_overrides',
    default: '',
    category: 'leaderboards',
    purpose: "comma list of <uuid>:daily|weekly|none that replaces the board table's cadence",
  }),
  leaderboardsRawRetentionDays: integer({
    key: 'leaderboards_raw_retention_days',
    default: 30,
    min: 1,
    max: 3650,
    category: 'leaderboards',
    purpose: 'raw dumps older than this are deleted',
  }),
  leaderboardsRepackDays: integer({
    key: 'leaderboards_repack_days',
    default: 35,
    min: 31,
    max: 3650,
    category: 'leaderboards',
    purpose: 'captures of older game days are repacked, one object per game day and board; nothing is lost',
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
    purpose: 'smaller boards are not analysed',
  }),
  leaderboardsAnomalyExcludedBoards: string({
    key: 'leaderboards_anomaly_excluded_boards',
    default: '',
    category: 'leaderboards',
    purpose: 'comma list of uuids left out of the analysis',
  }),

  // class activity
  classActivityPowerRankThreshold: integer({
    key: 'class_activity_power_rank_threshold',
    default: 25000,
    min: 0,
    max: 1000000,
    category: 'activity',
    purpose: 'least power rank of the class for the clean figures; 0 = off',
  }),
  classActivityEffortThreshold: integer({
    key: 'class_activity_effort_threshold',
    default: 50,
    min: 0,
    max: 1000000000,
    category: 'activity',
    purpose: 'least effort of the week for the clean figures; 0 = off',
  }),
  classActivityXpThreshold: integer({
    key: 'class_activity_xp_threshold',
    default: 2000000,
    min: 0,
    max: 1000000000000,
    category: 'activity',
    purpose: 'least experience of the week for the clean figures; 0 = off',
  }),

  // game status
  gameStatusAuthUrl: string({
    key: 'game_status_auth_url',
    default: 'https://auth.trionworlds.com/auth/v1_2',
    category: 'game_status',
    purpose: 'address of the authentication check',
  }),
  gameStatusProbeIntervalSeconds: integer({
    key: 'game_status_probe_interval_seconds',
    default: 60,
    min: 60,
    max: 3600,
    category: 'game_status',
    purpose: 'time between probe rounds',
  }),
  gameStatusTimeoutSeconds: decimal({
    key: 'game_status_timeout_seconds',
    default: 8.0,
    min: 1.0,
    max: 20.0,
    category: 'game_status',
    purpose: 'per attempt',
  }),
  gameStatusAnchors: string({
    key: 'game_status_anchors',
    default: 'dns.quad9.net:443,dns.google:443',
    category: 'game_status',
    purpose:
      'comma list of unrelated host:port; a round with failures in which none of them answers is an outage of the prober and is not recorded; empty = every round is recorded; a Worker cannot dial the network of its own platform',
  }),
  gameStatusResolverUrl: string({
    key: 'game_status_resolver_url',
    default: 'https://cloudflare-dns.com/dns-query',
    category: 'game_status',
    purpose: 'DNS over HTTPS (JSON) that tells names that cannot be resolved from refused connections; empty = not told apart',
  }),
  gameStatusEuHost: string({
    key: 'game_status_eu_host',
    default: 'ams-c12-b05.ams.triongames.com',
    category: 'game_status',
    purpose: 'eu host of the TCP probe; empty = no game probe',
  }),
  gameStatusEuPort: integer({
    key: 'game_status_eu_port',
    default: 6560,
    min: 0,
    max: 65535,
    category: 'game_status',
    purpose: '0 disables',
  }),
  gameStatusEuHelloHex: string({
    key: 'game_status_eu_hello_hex',
    default: '20000000003df232536bcb1518164c4685392572b843d0bcbb71be7c06bb098626e23accfb',
    category: 'game_status',
    purpose: 'non-empty enables the deep probe for this environment; the bytes are sent only when the random opener is off',
  }),
  gameStatusUsHost: string({
    key: 'game_status_us_host',
    default: 'dal-c35-b05.dal.triongames.com',
    category: 'game_status',
    purpose: 'us host of the TCP probe; empty = no game probe',
  }),
  gameStatusUsPort: integer({
    key: 'game_status_us_port',
    default: 6560,
    min: 0,
    max: 65535,
    category: 'game_status',
    purpose: '0 disables',
  }),
  gameStatusUsHelloHex: string({
    key: 'game_status_us_hello_hex',
    default: '20000000003df232536bcb1518164c4685392572b843d0bcbb71be7c06bb098626e23accfb',
    category: 'game_status',
    purpose: 'non-empty enables the deep probe for this environment; the bytes are sent only when the random opener is off',
  }),
  gameStatusPtsHost: string({
    key: 'game_status_pts_host',
    default: 'auth-pcpts01.trovegame.com',
    category: 'game_status',
    purpose: 'pts host of the TCP probe; empty = no game probe',
  }),
  gameStatusPtsPort: integer({
    key: 'game_status_pts_port',
    default: 6560,
    min: 0,
    max: 65535,
    category: 'game_status',
    purpose: '0 disables',
  }),
  gameStatusPtsHelloHex: string({
    key: 'game_status_pts_hello_hex',
    default: '',
    category: 'game_status',
    purpose: 'non-empty enables the deep probe for this environment; the bytes are sent only when the random opener is off',
  }),
  gameStatusGameDeepProbe: toggle({
    key: 'game_status_game_deep_probe',
    default: true,
    category: 'game_status',
    purpose: 'off = connect-only verdicts',
  }),
  gameStatusGameRandomOpener: toggle({
    key: 'game_status_game_random_opener',
    default: true,
    category: 'game_status',
    purpose: 'send a fresh random 32-byte key in the opener instead of the stored bytes, which go stale',
  }),
  gameStatusGameHoldSeconds: decimal({
    key: 'game_status_game_hold_seconds',
    default: 1.5,
    min: 0.2,
    max: 10.0,
    category: 'game_status',
    purpose: 'time the socket must stay open after the hello',
  }),
  gameStatusProbeAttempts: integer({
    key: 'game_status_probe_attempts',
    default: 3,
    min: 1,
    max: 10,
    category: 'game_status',
    purpose: 'immediate tries per probe; online if any succeeds',
  }),
  gameStatusProbeRetryDelaySeconds: decimal({
    key: 'game_status_probe_retry_delay_seconds',
    default: 2.0,
    min: 0.0,
    max: 30.0,
    category: 'game_status',
    purpose: 'pause between tries',
  }),

  // community feeds
  feedsVideosAQuery: string({
    key: 'feeds_videos_a_query',
    default: 'Trove game',
    category: 'community_feeds',
    purpose: 'search query of videos-a',
  }),
  feedsVideosAExcludedChannels: string({
    key: 'feeds_videos_a_excluded_channels',
    default: 'scyushi,mikailstream,codelaunch,jmdeathpunchdd',
    category: 'community_feeds',
    purpose: 'comma list, case-insensitive exact channel titles to drop',
  }),
  feedsVideosAExcludedTitleTerms: string({
    key: 'feeds_videos_a_excluded_title_terms',
    default: 'trinket trove',
    category: 'community_feeds',
    purpose: 'comma list of whole-word terms that drop a video',
  }),
  feedsVideosARequireTerms: string({
    key: 'feeds_videos_a_require_terms',
    default: 'trove',
    category: 'community_feeds',
    purpose: 'comma list of whole-word terms all required',
  }),
  feedsVideosARelevanceTerms: string({
    key: 'feeds_videos_a_relevance_terms',
    default:
      'trovesaurus,gamigo,trion,geode,delve,paragon,mastery,cornerstone,chaos chest,shadow tower,club world,radiant,lunar lancer,candy barbarian,neon ninja,shadow hunter,dino tamer,boomeranger,dracolyte,vanguardian,chloromancer,fae trickster,pirate captain,tomb raiser,solarion,gunslinger',
    category: 'community_feeds',
    purpose: 'comma list; one must occur unless the category matches; empty = no such gate',
  }),
  feedsVideosAVideoCategoryId: string({
    key: 'feeds_videos_a_video_category_id',
    default: '20',
    category: 'community_feeds',
    purpose: 'provider category that counts as relevant by itself (20 = gaming); empty = ignore',
  }),
  feedsVideosBKeyword: string({
    key: 'feeds_videos_b_keyword',
    default: '宝藏世界trove',
    category: 'community_feeds',
    purpose: 'search keyword of videos-b',
  }),
  feedsVideoCutoffDays: integer({
    key: 'feeds_video_cutoff_days',
    default: 90,
    min: 1,
    max: 365,
    category: 'community_feeds',
    purpose: 'older videos are dropped',
  }),
  feedsPerChannelMax: integer({
    key: 'feeds_per_channel_max',
    default: 3,
    min: 1,
    max: 20,
    category: 'community_feeds',
    purpose: 'videos kept per channel',
  }),
  feedsMaxItems: integer({
    key: 'feeds_max_items',
    default: 10,
    min: 1,
    max: 50,
    category: 'community_feeds',
    purpose: 'videos served per feed',
  }),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** The settings as code reads them: one typed property each. */
export type Settings = { readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends { default: infer Value } ? Value : never };

/** Names of the switches that hide an area. */
export type FeatureName = { [Name in SettingName]: Name extends `feature${string}Enabled` ? Name : never }[SettingName];

/** The value of every setting without any override. */
export const DEFAULT_SETTINGS: Settings = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
) as Settings;
