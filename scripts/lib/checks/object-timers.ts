import { statementsOf } from './import-check.ts';

/** The module that exports the Durable Objects. They share the composition with the Worker, so each file it loads may run in an object. */
const ROOT = 'index.ts';

const TIMER = /\b(?:setTimeout|setInterval|setImmediate)\s*\(|\bscheduler\.wait\s*\(|\bfrom 'node:timers/;

/** Files that may set a timer, with the reason why no object stays in memory for it. */
export const TIMERS_WITH_REASON: Readonly<Record<string, string>> = {
  'areas/game-status/probes.upstream.ts': 'cleared when the socket responds; the prober runs in the cron job',
  'areas/secret-scanning/index.ts': 'a pause within one request of the Worker',
  'areas/updates/sync/build-source.upstream.ts': 'cleared when the data arrives, before the alarm handler ends',
  'platform/kit/errors/infrastructure-fault.ts': 'a pause of at most 200 ms within one call',
  'platform/kit/heavy-work.ts': 'a pause within one request of the Worker, or one step of an alarm',
  'platform/http/bodies/body.ts': 'cleared at the end of the body',
  'platform/http/idempotency/idempotency.ts': 'renews the lock of a request of the Worker; cleared when the request ends',
  'platform/access/limits/rate-limiter.ts': 'renews a reservation of the Worker; cleared when the request ends',
  'platform/durable/schedule/scheduler.ts': 'cleared when the cron job ends',
  'platform/storage/memory-caches.ts': 'cleared before the read returns',
  'platform/upstream/http-call.ts': 'cleared when the request ends',
  'platform/upstream/retry.ts': 'a pause within one job, cleared when the job is aborted',
  'platform/access/usage/traffic.ts': 'runs in the Worker, within waitUntil of a request',
  'platform/access/usage/usage-buffer.ts': 'runs in the Worker, within waitUntil of a request',
  'platform/kit/tasks.ts': 'cleared when the work ends',
};

/**
 * Timers in files that an object can load, except those of `allowed`. A pending timer keeps an object from hibernating, and an object in
 * memory is billed for its duration: use the alarm of the object. Keys are paths below `src/`.
 */
export function checkTimers(
  sources: ReadonlyMap<string, string>,
  allowed: Readonly<Record<string, string>> = TIMERS_WITH_REASON,
): string[] {
  const loaded = loadedFrom(ROOT, sources);
  const files = [...loaded].filter((path) => linesWithTimers(sources.get(path) ?? '').length > 0);
  const found = files.flatMap((path) =>
    path in allowed
      ? []
      : linesWithTimers(sources.get(path) ?? '').map((line) => `src/${path}:${line}  a timer keeps an object in memory: use its alarm`),
  );
  const stale = Object.keys(allowed).filter((path) => !files.includes(path));
  return [...found, ...stale.map((path) => `src/${path}  sets no timer: delete its entry in scripts/lib/checks/object-timers.ts`)];
}

/** The file and every file that it loads, directly or indirectly. */
function loadedFrom(root: string, sources: ReadonlyMap<string, string>): Set<string> {
  const loaded = new Set([root]);
  // A set visits the members that are added during the loop.
  for (const path of loaded) {
    for (const { specifier, isTypeOnly } of statementsOf(path, sources.get(path) ?? '')) {
      if (!isTypeOnly && sources.has(specifier)) loaded.add(specifier);
    }
  }
  return loaded;
}

/** Numbers of the lines that set a timer, without comments. */
function linesWithTimers(text: string): number[] {
  return text.split('\n').flatMap((line, index) => (!/^\s*(?:\/\/|\/?\*)/.test(line) && TIMER.test(line) ? [index + 1] : []));
}
