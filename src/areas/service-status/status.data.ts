/** Every part of the service that is watched, in the order of the page, with its name for people. */
export const PARTS = {
  scheduler: 'Minute schedule (cron)',
  store: 'Status store',
  database: 'Database (D1)',
  cache: 'Cache (KV)',
  files: 'File storage (R2)',
  objects: 'Durable Objects',
  stream: 'Event stream',
  jobs: 'Background jobs',
  upstreams: 'Outside services',
} as const;

/** Age in seconds after which a snapshot says nothing any more: the cron trigger fires every 60 s. */
export const STALE_SECONDS = 90;
/** Gap in seconds between two snapshots that counts as an outage of the schedule. A copy read from KV may be up to 60 s old. */
export const OUTAGE_GAP_SECONDS = { object: STALE_SECONDS, copy: 300 } as const;
export const HISTORY_DAYS = 90;
/** Incidents kept, newest first. */
export const MAX_INCIDENTS = 200;
/** Incidents in a response and in the feed. */
export const SHOWN_INCIDENTS = 50;

/** Time one probe may take. */
export const PROBE_TIMEOUT_MS = 3000;
/** Time a reader waits for the object, and then for the copy in KV. */
export const READ_TIMEOUT_MS = 1500;
/** Life of what an isolate read: a crowd of readers costs one call. */
export const READ_TTL_MS = 5000;

/** Slack in seconds after which a job that did not start counts as late. */
export const LATE_SECONDS = 60;
/** Age in seconds at which the alarm of the event stream counts as missed. */
export const ALARM_SLACK_SECONDS = 60;
