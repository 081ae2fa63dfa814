import type { TableDecision } from '../../platform/kit/backup-decision.ts';

/** `in place`: exists once, outside the database, and is not part of a backup: copy its bucket (runbook). */
interface StoreDecision {
  decision: TableDecision['decision'] | 'in place';
  reason: string;
}

/** Every store besides the database: buckets with the prefixes of their keys, namespaces, and classes of objects. */
export const STORES: Readonly<Record<string, StoreDecision>> = {
  'ARCHIVE/cas/': {
    decision: 'in place',
    reason: 'files of mods and of old builds; large, never changed, and keyed by the hash of their content',
  },
  'ARCHIVE/drafts/': { decision: 'in place', reason: 'files of unpublished releases of mods; deleted with their release' },
  'ARCHIVE/projects/': { decision: 'in place', reason: 'published files and images of projects of mods; deleted when no row has them' },
  'ARCHIVE/codex-images/': { decision: 'derived', reason: 'drawn again on demand' },
  'ARCHIVE/mod-images/': { decision: 'derived', reason: 'resized again on demand' },
  'ARCHIVE/previews/': { decision: 'derived', reason: 'drawn again on demand' },
  'BOARDS/boards/': { decision: 'in place', reason: 'rows of captures; large and never changed' },
  'BOARDS/players/': { decision: 'in place', reason: 'rows of captures; large and never changed' },
  'BOARDS/packs/': { decision: 'in place', reason: 'packed rows of captures; large and never changed' },
  'BOARDS/totals/': { decision: 'derived', reason: 'counted again from the captures' },
  'BOARDS/reports/': { decision: 'derived', reason: 'computed again from the captures' },
  'BOARDS/raw/': { decision: 'expires', reason: '30 days; the captures have the rows' },
  'ARCHIVE/market-archive/': { decision: 'in place', reason: 'archived listings; large and never changed' },
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
