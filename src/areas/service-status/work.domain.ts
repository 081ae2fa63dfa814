import { healthOf } from '../../platform/durable/schedule/job-health.domain.ts';
import type { JobStatus } from '../../platform/durable/schedule/scheduler.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { UpstreamState } from '../../platform/upstream/upstream-states.ts';
import type { Check, JobItem, State, UpstreamItem } from './status.domain.ts';

/** Enabled jobs with their states. */
export function jobItems(jobs: readonly JobStatus[], now: UnixSeconds): JobItem[] {
  return enabled(jobs).map((job) => ({
    name: job.name,
    state: jobState(job, now),
    lastRunAt: job.lastRunAt,
    lastSuccessAt: job.lastSuccessAt,
    failures: job.failures,
    nextRunAt: job.nextRunAt,
  }));
}

function jobState(job: JobStatus, now: UnixSeconds): State {
  const health = healthOf(job, now);
  if (health === 'waiting') return job.isConditional ? 'unknown' : 'degraded';
  return health === 'ok' ? 'green' : 'red';
}

/** Combined state of all jobs. Failing upstream jobs only degrade it, because their sources are already red. */
export function jobsCheck(jobs: readonly JobStatus[], items: readonly JobItem[]): Check {
  const upstreamJobs = new Set(jobs.filter(({ sources }) => sources.length > 0).map(({ name }) => name));
  const failing = items.filter(({ state }) => state === 'red');
  const internal = failing.filter(({ name }) => !upstreamJobs.has(name));
  const waiting = items.filter(({ state }) => state === 'degraded');
  if (internal.length > 0) return { state: 'red', detail: `failing or late: ${names(internal)}` };
  if (failing.length > 0) return { state: 'degraded', detail: `backing off from external services: ${names(failing)}` };
  if (waiting.length > 0) return { state: 'degraded', detail: `not yet run: ${names(waiting)}` };
  return { state: 'green', detail: null };
}

/** Sources of enabled jobs. */
export function upstreamItems(jobs: readonly JobStatus[], states: readonly UpstreamState[]): UpstreamItem[] {
  const stateBySource = new Map(states.map((state) => [state.source, state]));
  return enabled(jobs)
    .flatMap((job) => job.sources.map((source) => ({ source, job })))
    .map(({ source, job }) => {
      const state = stateBySource.get(source);
      const failures = state?.failures ?? 0;
      const nextTryAt = failures > 0 ? Math.max(job.nextRunAt ?? 0, state?.pausedUntil ?? 0) || null : null;
      const itemState: State = failures > 0 ? 'red' : state?.lastSuccessAt == null ? 'unknown' : 'green';
      return { name: source, state: itemState, lastSuccessAt: state?.lastSuccessAt ?? null, failures, nextTryAt };
    });
}

export function upstreamsCheck(items: readonly UpstreamItem[]): Check {
  const failing = items.filter(({ state }) => state === 'red');
  return failing.length === 0 ? { state: 'green', detail: null } : { state: 'red', detail: `failing: ${names(failing)}` };
}

function enabled(jobs: readonly JobStatus[]): JobStatus[] {
  return jobs.filter(({ state }) => state !== 'disabled' && state !== 'unconfigured');
}

/** At most five names. */
function names(items: readonly { name: string }[]): string {
  const listed = items.slice(0, 5).map(({ name }) => name);
  return items.length > listed.length ? `${listed.join(', ')} and ${items.length - listed.length} more` : listed.join(', ');
}
