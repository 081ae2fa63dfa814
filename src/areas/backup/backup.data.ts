/**
 * `backed up`: part of every backup. `derived`: rebuilt from what is backed up, or read again from its source. `expires`: deleted within
 * days or weeks anyway. `in place`: exists once, outside the database, and is not part of a backup: copy its bucket (runbook).
 */
export type Decision = 'backed up' | 'derived' | 'expires' | 'in place';

export interface Decided<Kind extends Decision = Decision> {
  decision: Kind;
  reason: string;
}

type TableDecision = Decided<Exclude<Decision, 'in place'>>;

const backedUp = (reason: string): TableDecision => ({ decision: 'backed up', reason });
const derived = (reason: string): TableDecision => ({ decision: 'derived', reason });
const expires = (reason: string): TableDecision => ({ decision: 'expires', reason });

const CODEX = 'rebuilt from the archive by codexes-index; the lists of changes begin again with the version of the rebuild';
const INDEX = 'full-text index, filled by triggers of its table';

/**
 * Every table of the database. A backup reads the tables in this order, parents before the tables that refer to them: a row that is added
 * meanwhile is an orphan at most, which a restore drops.
 */
export const TABLES: Readonly<Record<string, TableDecision>> = {
  users: backedUp('accounts'),
  api_tokens: backedUp('tokens; clients depend on them'),
  second_factors: backedUp('an account without it would be open to its password alone'),
  recovery_codes: backedUp('replace a lost device'),
  second_factor_events: backedUp('record of changes for owners and operators'),
  usage_days: backedUp('daily totals of 400 days; finer data is in the objects of the tokens'),
  setting_overrides: backedUp('set by administrators'),
  setting_changes: backedUp('record of who changed a setting'),
  webhooks: backedUp('entered by their owners'),
  webhook_subscriptions: backedUp('entered by their owners'),
  webhook_conditions: backedUp('entered by their owners'),
  webhook_designs: backedUp('drawn by their owners'),
  giveaways: backedUp('created by administrators; the draw publishes its inputs'),
  giveaway_entries: backedUp('entries of accounts; needed to verify a draw'),
  feedback_entries: backedUp('sent once by clients'),
  interest_items: backedUp('maintained by administrators'),
  supporters: backedUp('maintained by administrators'),
  mods: backedUp('sent once by clients, with the decisions of moderators'),
  mod_tags: backedUp('part of a mod'),
  mod_authors: backedUp('part of a mod'),
  mod_images: backedUp('part of a mod; the bytes are in ARCHIVE'),
  mod_releases: backedUp('part of a mod; the bytes are in ARCHIVE'),
  mod_release_prior_hashes: backedUp('part of a release'),
  mod_artifact_owners: backedUp('decides who may publish an artifact'),
  mod_packs: backedUp('sent once by clients'),
  mod_pack_mods: backedUp('part of a pack'),
  mod_pack_images: backedUp('part of a pack; the bytes are in ARCHIVE'),
  mod_downloads_daily: backedUp('counted once'),
  project_handles: backedUp('a handle must never be given to another account'),
  project_members: backedUp('who may change a mod'),
  project_claims: backedUp('entered by accounts'),
  project_audit: backedUp('record of who changed a mod'),
  project_keys: backedUp('keys; pipelines depend on them'),
  board_captures: backedUp('directory of the captures in BOARDS'),
  boards: backedUp('names of boards'),
  capture_boards: backedUp('directory of the captures in BOARDS'),
  player_renames: backedUp('the captures of the time may be deleted'),
  player_duplicates: backedUp('the captures of the time may be deleted'),
  activity_captures: backedUp('the players of old captures, from which the figures were counted, are deleted'),
  activity_revisions: backedUp('part of cache keys: must not fall'),
  class_activity_captures: backedUp('the players of old captures, from which the figures were counted, are deleted'),
  market_listings: backedUp('reported once'),
  market_state: backedUp('number of the last insert'),
  challenge_captures: backedUp('reported once'),
  chaos_chest_captures: backedUp('reported once'),
  luxion_runs: backedUp('reported once'),
  delve_weeks: backedUp('the source has the current week only'),
  news_articles: backedUp('the feed has recent articles only'),
  community_events: backedUp('the calendar has upcoming events only'),
  game_status_segments: backedUp('history of the game status'),
  // A version that the archiver completes or starts meanwhile is rolled back by `REPAIRS`, which needs this order.
  codex_dumps: backedUp('directory of the dumps and changes in ARCHIVE'),
  archive_branches: backedUp('the publisher has the current build only'),
  archive_manifest: backedUp('what the archive has of the current build'),
  archive_versions: backedUp('the publisher has the current build only'),
  archive_changes: backedUp('the publisher has the current build only'),
  archive_dirs: backedUp('the publisher has the current build only'),
  archive_files: backedUp('the publisher has the current build only; the bytes are in ARCHIVE'),
  archive_blobs: backedUp('directory of the contents in ARCHIVE'),
  archive_paths: backedUp('ids of the paths in the full-text index'),

  archive_paths_fts: derived(INDEX),
  mods_search: derived(INDEX),
  mod_totals: derived('counted by triggers of mods'),
  market_items: derived('counted from market_listings by the restore'),
  feed_snapshots: derived('read again from the source'),
  clientapp_releases: derived('read again from the source'),
  clientapp_changelogs: derived('read again from the source'),
  chaos_chest_relay: derived('read again from the source'),
  game_status_snapshot: derived('the next probe writes it'),
  scanning_keys: derived('read again from the source'),
  upstream_sources: derived('the next request to the source writes it'),
  job_runs: derived('the next run of the job writes it'),
  codex_branches: derived(CODEX),
  codex_entries: derived(CODEX),
  codex_languages: derived(CODEX),
  codex_translations: derived(CODEX),
  codex_stats: derived(CODEX),
  codex_abilities: derived(CODEX),
  codex_links: derived(CODEX),
  codex_requirements: derived(CODEX),
  codex_upgrades: derived(CODEX),
  codex_units: derived(CODEX),
  codex_facets: derived(CODEX),
  codex_changes: derived(CODEX),
  codex_failures: derived(CODEX),
  codex_totals: derived('cached totals'),
  storage_sizes: derived('measured again by a job'),
  search_entries: derived('collected again from their areas'),
  search_sources: derived('state of the collection'),
  search_names: derived('full-text index of search_entries'),
  search_texts: derived('full-text index of search_entries'),
  codex_search: derived(INDEX),
  codex_search_trigrams: derived(INDEX),

  sign_in_refusals: expires('counts by hour'),
  usage_hours: expires('counts by hour'),
  sessions: expires('owners sign in again: a session that ended since the backup must not return'),
  login_failures: expires('two days'),
  mail_outbox: expires('30 days; mails that were not sent yet are lost'),
  outbox: expires('pending deliveries; those of the time of the backup were made since, or are too old'),
  ingest_log: expires('90 days'),
  activity_sets: expires('11 days; daily and weekly figures are incomplete until then'),
  class_activity_sets: expires('2 days; daily figures are incomplete until then'),
  webhook_jobs: expires('events of at most 30 days'),
  webhook_deliveries: expires('24 hours'),
  webhook_log: expires('7 days'),
  webhook_last_facts: expires('the next event of each type replaces its row'),
  archive_work: expires('plan of the version in progress; the next probe makes a new one'),
  codex_staging: expires('rows of the build in progress'),
};

/** Every store besides the database: buckets with the prefixes of their keys, namespaces, and classes of objects. */
export const STORES: Readonly<Record<string, Decided>> = {
  'ARCHIVE/cas/': {
    decision: 'in place',
    reason: 'files of mods and of old builds; large, never changed, and keyed by the hash of their content',
  },
  'ARCHIVE/drafts/': { decision: 'in place', reason: 'files of unpublished releases of mods; deleted with their release' },
  'ARCHIVE/codex-images/': { decision: 'derived', reason: 'drawn again on demand' },
  'ARCHIVE/mod-images/': { decision: 'derived', reason: 'resized again on demand' },
  'ARCHIVE/previews/': { decision: 'derived', reason: 'drawn again on demand' },
  'BOARDS/boards/': { decision: 'in place', reason: 'rows of captures; large and never changed' },
  'BOARDS/players/': { decision: 'in place', reason: 'rows of captures; large and never changed' },
  'BOARDS/packs/': { decision: 'in place', reason: 'packed rows of captures; large and never changed' },
  'BOARDS/totals/': { decision: 'derived', reason: 'counted again from the captures' },
  'BOARDS/reports/': { decision: 'derived', reason: 'computed again from the captures' },
  'BOARDS/raw/': { decision: 'expires', reason: '30 days; the captures have the rows' },
  'BOARDS/market/': { decision: 'expires', reason: '30 days; market_listings has the listings' },
  'OUTBOX/feedback/': { decision: 'expires', reason: 'attachments, one day' },
  'BACKUPS/': { decision: 'derived', reason: 'the backups themselves; npm run backup -- pull copies them out of the account' },
  CACHE: { decision: 'derived', reason: 'copies of feeds and status' },
  RateLimitObject: { decision: 'expires', reason: 'counters, an hour' },
  TokenGateObject: { decision: 'expires', reason: 'copy of a token, counters, single requests of 30 days; daily totals are in usage_days' },
  IdempotencyObject: { decision: 'expires', reason: 'responses of a day' },
  EventCoordinatorObject: { decision: 'expires', reason: 'events of seven days; clients get a snapshot' },
  EventShardObject: { decision: 'derived', reason: 'streams; clients connect again' },
  BoardsIngestObject: { decision: 'derived', reason: 'queue of dumps, which can be replayed' },
  ModDownloadsObject: { decision: 'expires', reason: 'counts of the last minute that are not in mod_downloads_daily yet' },
  ModsMirrorObject: { decision: 'derived', reason: 'progress of the mirror' },
  ArchiveSyncObject: { decision: 'derived', reason: 'progress of a sync' },
  CodexIndexObject: { decision: 'derived', reason: 'progress of a build' },
  WebhookSenderObject: { decision: 'derived', reason: 'alarm of the deliveries in the database' },
  ServiceStatusObject: { decision: 'expires', reason: 'tallies of 90 days, with a copy in KV' },
  BackupObject: { decision: 'derived', reason: 'progress of a backup' },
};

/** Tables of every backup, in order. */
export const BACKED_UP: readonly string[] = Object.keys(TABLES).filter((name) => TABLES[name]?.decision === 'backed up');

/** Rows whose parent is missing. A restore deletes them, in this order, and prints their number. */
export const ORPHANS: readonly { table: string; columns: string; parent: string; parentColumns: string }[] = [
  ...['api_tokens', 'second_factors', 'recovery_codes', 'second_factor_events', 'usage_days', 'webhooks', 'webhook_designs'].map(
    (table) => ({
      table,
      columns: 'user_id',
      parent: 'users',
      parentColumns: 'id',
    }),
  ),
  { table: 'webhook_subscriptions', columns: 'webhook_id', parent: 'webhooks', parentColumns: 'id' },
  { table: 'webhook_conditions', columns: 'webhook_id', parent: 'webhooks', parentColumns: 'id' },
  { table: 'giveaway_entries', columns: 'giveaway_id', parent: 'giveaways', parentColumns: 'id' },
  ...['mod_tags', 'mod_authors', 'mod_images', 'mod_releases'].map((table) => ({
    table,
    columns: 'mod_id',
    parent: 'mods',
    parentColumns: 'id',
  })),
  ...['mod_release_prior_hashes', 'mod_downloads_daily'].map((table) => ({
    table,
    columns: 'release_id',
    parent: 'mod_releases',
    parentColumns: 'id',
  })),
  { table: 'capture_boards', columns: 'anchor, version', parent: 'board_captures', parentColumns: 'anchor, version' },
];

/** Value of `to_ordinal` in rows that are current. */
export const NO_END = 2_147_483_647;
const current = (table: string) => `(SELECT current_ordinal FROM archive_branches AS b WHERE b.branch = ${table}.branch)`;

/** Statements of a restore after the orphans are gone: they make the rows agree with each other, and rebuild what is counted. */
export const REPAIRS: readonly string[] = [
  // Entries of deleted accounts: withdrawn from open giveaways, anonymous in the others, as in a deletion.
  `DELETE FROM giveaway_entries WHERE user_id <> id AND user_id NOT IN (SELECT id FROM users)
    AND giveaway_id IN (SELECT id FROM giveaways WHERE status = 'open')`,
  'UPDATE giveaway_entries SET user_id = id WHERE user_id NOT IN (SELECT id FROM users)',
  'UPDATE giveaways SET winner_user_id = NULL WHERE winner_user_id NOT IN (SELECT id FROM users)',
  `UPDATE giveaways SET revision = revision + 1,
    entry_count = (SELECT count(*) FROM giveaway_entries WHERE giveaway_id = giveaways.id) WHERE status = 'open'`,
  // Links in mails and sessions name the version of the account: those of the time of the backup must not work again.
  'UPDATE users SET token_version = max(token_version + 1, unixepoch())',
  // The version in progress, and versions completed while the backup ran.
  `UPDATE archive_manifest SET is_incomplete = 1 WHERE EXISTS
    (SELECT 1 FROM archive_versions AS v WHERE v.branch = archive_manifest.branch AND v.ordinal > ${current('archive_manifest')})`,
  ...['archive_files', 'archive_dirs'].flatMap((table) => [
    `DELETE FROM ${table} WHERE from_ordinal > ${current(table)}`,
    `UPDATE ${table} SET to_ordinal = ${NO_END} WHERE to_ordinal <> ${NO_END} AND to_ordinal > ${current(table)}`,
  ]),
  ...['archive_changes', 'archive_versions'].map((table) => `DELETE FROM ${table} WHERE ordinal > ${current(table)}`),
  `UPDATE archive_branches SET status = 'idle', sync_content_path = NULL, sync_manifest_digest = NULL, lease_holder = '', lease_until = 0`,
  'DELETE FROM market_items',
  'INSERT INTO market_items (name, listings) SELECT name, count(*) FROM market_listings GROUP BY name',
  `UPDATE market_state SET listings = (SELECT count(*) FROM market_listings),
    live = (SELECT count(*) FROM market_listings WHERE live = 1),
    newest_seen = coalesce((SELECT max(last_seen) FROM market_listings), newest_seen)`,
];
