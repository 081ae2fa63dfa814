/** Display names of the checked parts, in page order. */
export const PARTS = {
  scheduler: 'Minute schedule (cron)',
  store: 'Status store',
  database: 'Database (D1)',
  cache: 'Cache (KV)',
  files: 'File storage (R2)',
  objects: 'Durable Objects',
  stream: 'Event stream',
  jobs: 'Background jobs',
  upstreams: 'External services',
} as const;

/** Parts that users of the service notice, in page order, with what depends on them. The page folds the others while they are green. */
export const USER_PARTS = {
  database: 'Data: every read of the API',
  stream: 'Event stream and webhooks',
  files: 'Images, downloads and game files',
  upstreams: 'News, merchants and other external sources',
} as const;

/** Parts whose check waits for a response, with the title of their plot. */
export const TIMED_PARTS = {
  database: 'Database',
  stream: 'Event stream',
  files: 'File storage',
  cache: 'Cache',
  objects: 'Durable Objects',
} as const;

/** Age in seconds at which a snapshot is stale. The cron trigger runs every 60 s. */
export const STALE_SECONDS = 90;
/** Gap between two snapshots, in seconds, that counts as an outage of the scheduler. A copy read from KV may be 60 s old. */
export const OUTAGE_GAP_SECONDS = { object: STALE_SECONDS, copy: 300 } as const;
export const HISTORY_DAYS = 90;
/** Stored incidents. */
export const MAX_INCIDENTS = 200;
/** Incidents in a response and in the feed. */
export const MAX_SHOWN_INCIDENTS = 50;

/** Period of the plots of response times, and the time that each of their values covers, in seconds. */
export const LATENCY_SECONDS = 86_400;
export const LATENCY_STEP_SECONDS = 600;

/** Size at which D1 refuses writes, and the share of it from which the database counts as degraded. */
export const DATABASE_LIMIT_BYTES = 10_000_000_000;
export const DATABASE_ALARM_SHARE = 0.7;
/** Days that the growth of the database is computed from. */
export const GROWTH_DAYS = 30;

export const PROBE_TIMEOUT_MS = 3000;
/** Timeout of a read; applies to the object and the KV copy separately. */
export const READ_TIMEOUT_MS = 1500;
/** Cache TTL of the status in an isolate, in milliseconds. */
export const READ_TTL_MS = 5000;

/** Tolerance before the alarm of the event stream counts as missed. */
export const ALARM_SLACK_SECONDS = 60;
