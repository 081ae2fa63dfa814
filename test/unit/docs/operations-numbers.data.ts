/** Where a number of a page comes from. */
export type Origin =
  /** A file that contains the text: a constant, whose change must change the page. */
  | { file: string; has: string }
  /** A statement about the platform, with the path of its documentation. docs/operations/platform.md has the statements. */
  | { platform: string }
  /** Measured or computed once; the page says when or how. */
  | 'measured'
  /** An example, or a reference within the page. */
  | 'example';

const file = (path: string, has: string): Origin => ({ file: path, has });
const platform = (path: string): Origin => ({ platform: path });
const LIMITS = {
  workers: platform('/workers/platform/limits/'),
  objects: platform('/durable-objects/platform/limits/'),
  objectPrices: platform('/durable-objects/platform/pricing/'),
  d1: platform('/d1/platform/limits/'),
  d1Prices: platform('/d1/platform/pricing/'),
  timeTravel: platform('/d1/reference/time-travel/'),
  kv: platform('/kv/platform/limits/'),
  rateRules: platform('/waf/rate-limiting-rules/'),
};
const DAYS_OF_BACKUPS = file('src/areas/backup/index.ts', 'RETENTION_SECONDS = 30 * SECONDS_PER_DAY');
const MAX_BACKUP_AGE = file('scripts/lib/backup/rehearse.ts', 'MAX_BACKUP_AGE_SECONDS = 36 * SECONDS_PER_HOUR');
const RAW_DUMP_DAYS = file('src/areas/leaderboards/leaderboards.settings.ts', "key: 'leaderboards_raw_retention_days',\n    default: 30");
const REPORTS = 'src/areas/content-reports/reports.data.ts';
const ROLLOUT = 'scripts/deploy/rollout.ts';
const STATUS = 'src/areas/service-status/status.data.ts';
const SETTINGS_AGE = file('src/platform/settings/settings-cache.ts', 'const REFRESH_MS = 15_000');

/** Every number of the prose of a page, as a part of the page that contains it, with its origin. */
export const NUMBERS: Readonly<Record<string, readonly (readonly [text: string, origin: Origin])[]>> = {
  alarms: [],
  backups: [
    ['status is not 0 when a pull fails', 'example'],
    ['over 36 hours old', MAX_BACKUP_AGE],
    ['folders older than 30 days', DAYS_OF_BACKUPS],
    ['30 days; the captures have the rows', RAW_DUMP_DAYS],
    ['30 days; market_listings has the listings', file('src/areas/market/index.ts', 'RAW_TTL_SECONDS = 30 * SECONDS_PER_DAY')],
    ['single requests of 30 days', file('src/platform/access/usage/token-history.ts', 'REQUEST_TTL_SECONDS = 30 * SECONDS_PER_DAY')],
    ['tallies of 90 days', file(STATUS, 'HISTORY_DAYS = 90')],
  ],
  bill: [
    ['30 days like today cost 30 times as much', 'example'],
    ['error 1103', platform('/workers/platform/spend-management/')],
    ['300 requests in 10 seconds | 10 seconds', LIMITS.rateRules],
    ['600 requests in 1 minute | 10 minutes', LIMITS.rateRules],
    [
      '600 is five times the rate limit of a token. 300 is more',
      file('src/platform/settings/settings.data.ts', "category: 'api_rate_limits',\n    requests: { default: 120"),
    ],
    ['that score is always 0', platform('/ruleset-engine/rules-language/fields/reference/cf.threat_score/')],
    ['within 30 seconds everywhere', SETTINGS_AGE],
  ],
  commands: [
    ['exits with 1', 'example'],
    ['the fuzz suites with 50 times the runs', file('test/long/vitest.config.ts', "FUZZ_SCALE ?? '50'")],
    ['one event for 10,000 chat webhooks', file('scripts/bench/webhooks.ts', "default: '10000'")],
    ['draws 140 stat sheets', file('test/ocr/corpus.ts', 'DEFAULT_COUNT = 140')],
    ['every 20 minutes', file('src/platform/settings/variables.data.ts', "UPDATES_PROBE_SECONDS: { default: '1200'")],
    ['more than 20 % of the', file('scripts/lib/archive/import-folder.ts', 'MAX_MISSING_SHARE = 0.2')],
    ['a version of 72,888 files took 89 s, one of 24,093 files 38 s, and the 10,629 changed files between them 50 s', 'measured'],
    ['in November 2026', 'measured'],
    ['stored after 128 s and all 11,289 entries after 186 s', 'measured'],
    ['have not changed for 10 s', file('scripts/dumps/collector.ts', 'SETTLE_SECONDS = 10')],
    ['deleted after 14 days', file('scripts/dumps/options.ts', 'KEEP_DAYS = 14')],
    ['else after 5 s to 5 min', file('scripts/dumps/collector.ts', 'firstPauseSeconds: 5, factor: 2, longestPauseSeconds: 300')],
    ['the first 50 rejected records', file('src/areas/ingest/ingest.store.ts', 'MAX_PROBLEMS = 50')],
  ],
  deploy: [
    ['Steps 1 to 6', 'example'],
    ['the command of step 6', 'example'],
    ['job of steps 7 and 8', 'example'],
    ['step 6 checks secrets', 'example'],
    ['in step 5', 'example'],
    ['takes steps 4 and 6', 'example'],
    ['steps 4 and 6. is the print', 'example'],
    ['a version of 73,000 files: R2 writes of 72,888 objects ($0.33)', 'measured'],
    ['with 0 % of the requests', file(ROLLOUT, 'version, share: 0 })')],
    ['gets 10, 50 and 100 % of the requests. At 10 and at 50 %', file(ROLLOUT, 'SHARES = [10, 50, 100]')],
    ['(more than three errors and one percentage point)', file(ROLLOUT, 'MAX_FREE_ERRORS = 3;\nconst MAX_EXCESS_RATE = 0.01')],
    ['(default: 5, on staging 0)', file('scripts/deploy/options.ts', "(name === 'production' ? '5' : '0')")],
    ['exits with 1', 'example'],
    ['30,000 ms is the default of the paid plan', LIMITS.workers],
  ],
  moderation: [
    [
      '5 reports an hour, all visitors together 300 a day; at most 1000 reports',
      file('src/areas/content-reports/reports.settings.ts', 'limit: 300'),
    ],
    ['are kept for 400 days', file(REPORTS, 'REPORT_TTL_SECONDS = 400 * SECONDS_PER_DAY')],
    ['"decided" | 400 days', file(REPORTS, 'REPORT_TTL_SECONDS = 400 * SECONDS_PER_DAY')],
    ['the last 10 |', file('src/areas/admin/overview/overview.store.ts', 'MAX_CHANGES = 10')],
  ],
  plans: [
    ['($5 a month)', file('src/areas/admin/bill/prices.data.ts', 'PLAN_DOLLARS = 5')],
    ['CPU: 10 ms per request; the password hash (scrypt) alone takes about 150 ms', LIMITS.workers],
    ['CPU: 18 to 26 ms for a small drawing, at most 1 s', 'measured'],
    ['CPU: 200 ms and more', 'measured'],
    ['up to 40 MiB are inflated', file('src/areas/mods-catalog/records/catalog.data.ts', 'MAX_INSERT_BYTES = 40 * 1024 * 1024')],
    ['CPU: 10 s of steps per dump; a request has 50 subrequests, a dump needs 422 writes', LIMITS.workers],
    ['50 subrequests; D1 is limited to 500 MB per database', LIMITS.d1],
    ['10 ms of CPU, 50 subrequests', LIMITS.workers],
    ['KV allows 1,000 writes a day; they need 1,440 and 2,880', LIMITS.kv],
    ['up to 100,000 requests a day | yes | 1 to 3 ms', LIMITS.workers],
    ['limits to 100,000 a day as well', LIMITS.objectPrices],
    ['up to 1,000 clients', file('src/platform/settings/variables.data.ts', "EVENTS_MAX_CONNECTIONS_PER_SHARD: {\n    default: '1000'")],
    ['13,000 GB-s a day, of which a shard with streams uses 11,059', LIMITS.objectPrices],
    ['100,000 rows written a day', LIMITS.d1Prices],
    ['| 7 days | 30 days |', LIMITS.timeTravel],
    ['up to 300,000', LIMITS.workers],
    ['3 MB gzip in older limits | 10 MB and more | the bundle is 3.2 MiB', LIMITS.workers],
    ['read in November 2026', 'example'],
  ],
  platform: [
    ['read on 2026-11-29', 'example'],
    ['error 1103', platform('/workers/platform/spend-management/')],
    ['Free 10 s and 10 s, one rule, fields Path and Verified Bot; Pro up to 1 min and 1 h', LIMITS.rateRules],
    ['the threat score is always 0', platform('/ruleset-engine/rules-language/fields/reference/cf.threat_score/')],
    ['(31 days)', platform('/d1/observability/metrics-analytics/')],
    ['a version at 0 %', platform('/workers/versions-and-deployments/version-overrides/')],
    ['error 10211', platform('/workers/versions-and-deployments/gradual-deployments/with-durable-objects/')],
    ['goes back 100 versions at most', platform('/workers/versions-and-deployments/rollbacks/')],
    ['pull request 5950 of', 'example'],
    ['at every request: 500,', 'example'],
    ['issue 10585 of', 'example'],
    ['error 10215 of', platform('/workers/configuration/secrets/')],
    ['takes 1,200 requests in five minutes', platform('/fundamentals/api/reference/limits/')],
    ['sends about 50', 'measured'],
    ['error 10220', file('scripts/deploy/platform-api.ts', 'SECRETS_CHANGED = 10220')],
    ['at most 10 GB; a statement 100 kB, a bound value 2 MB, 100 bound parameters, 30 s', LIMITS.d1],
    ['at most 2,000,000 bytes', LIMITS.d1],
    ['30 days (7 on the free plan)', LIMITS.timeTravel],
    ['an object has 10 GB, and takes about 1,000 requests a second', LIMITS.objects],
    ['30 s, at most 300,000 ms; memory 128 MB', LIMITS.workers],
  ],
  runbook: [
    ['no check for 90 s', file(STATUS, 'STALE_SECONDS = 90')],
    ['took over 3 s', file(STATUS, 'PROBE_TIMEOUT_MS = 3000')],
    ['over 60 s late', file(STATUS, 'ALARM_SLACK_SECONDS = 60')],
    ['replay up to 7 days', file('src/platform/settings/variables.data.ts', "EVENTS_REPLAY_DAYS: { default: '7'")],
    [
      'after 1, 2, 5, 15, then every 30 minutes',
      file('src/platform/durable/schedule/job.ts', 'BACKOFF_SECONDS = [60, 120, 300, 900, 1800]'),
    ],
    ['are kept longer than 30 days', DAYS_OF_BACKUPS],
    ['covers 30 days on the paid plan (7 on the free plan)', LIMITS.timeTravel],
    ['less than 30 days old', RAW_DUMP_DAYS],
    ['at 03:00 UTC', file('src/areas/backup/index.ts', 'START_OF_DAY_SECONDS = 3 * SECONDS_PER_HOUR')],
    ['for 30 days. Every change', DAYS_OF_BACKUPS],
    ['over 36 hours old', MAX_BACKUP_AGE],
    ['folders older than 30 days', DAYS_OF_BACKUPS],
    ['300 a minute', file('src/areas/backup/restored-tokens.service.ts', 'BATCH = 300')],
    ['(600,000 market listings, 400,000 boards of captures)', 'measured'],
    ['took 6 s and 53 files of 18 MiB, with 517 MiB for the whole runtime (172 MiB before)', 'measured'],
    ['1 s, and 78 s with 534 MiB', 'measured'],
    ['A restore of 485,000 rows that fill 231 MiB', 'measured'],
    ['took 56 s of processor time (594 s at a load of 25). Computed from that, 1 GB takes', 'measured'],
    ['10 GB 41 minutes', 'measured'],
    ['up to 500,000 characters of rows, about 200', file('scripts/lib/backup/restore.ts', 'MAX_JSON_LENGTH = 500_000')],
    ['the text of a statement to 100 kB and a bound value to 2 MB', LIMITS.d1],
    ['are stored for 30 days', RAW_DUMP_DAYS],
    [', 400 days)', file('src/areas/accounts/accounts.data.ts', 'SECOND_FACTOR_EVENT_TTL_SECONDS = 400 * SECONDS_PER_DAY')],
    ['(20 a minute for each address', file('src/platform/access/tokens/token-gate.ts', 'MAX_FAILED_LOOKUPS = 20')],
    ['sends 500 a minute', file('src/platform/access/tokens/token-changes.ts', 'BATCH = 500')],
    ['within ten minutes', file('src/platform/access/tokens/token-gate.object.ts', 'REFRESH_MS = 600_000')],
    ['(at most 64)', file('src/areas/events/event-variables.domain.ts', 'EVENTS_SHARDS: 64')],
    ['(default 1,000, at most 5,000', file('src/areas/events/event-variables.domain.ts', 'EVENTS_MAX_CONNECTIONS_PER_SHARD: 5000')],
    ['up to 50 KiB', 'measured'],
    ['10 GB per database | from 7 GB on', file(STATUS, 'DATABASE_LIMIT_BYTES = 10_000_000_000;\nexport const DATABASE_ALARM_SHARE = 0.7')],
    ['at 10 GB writes fail', LIMITS.d1],
    ['error 1102', LIMITS.workers],
    ['(at most 300,000)', LIMITS.workers],
    ['128 MB per isolate', LIMITS.workers],
    ['they apply within 30 s', SETTINGS_AGE],
    ['1 write per second to a key', LIMITS.kv],
    ['10 MB gzip on the paid plan', LIMITS.workers],
  ],
};

/** Headings whose sections are measurements as a whole. */
export const MEASURED_SECTIONS: Readonly<Record<string, readonly string[]>> = { plans: ['Processor time by route'] };
