import { z } from '@hono/zod-openapi';
import { enumOf, namedEnum, orNull, string } from '../../platform/http/bodies/body-schemas.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';
import { MAX_ANNOUNCEMENTS } from './announcements.data.ts';
import type { Announcement } from './announcements.domain.ts';
import { AnnouncementBody, toAnnouncementBody } from './announcements.schemas.ts';
import type { DatabaseGrowth } from './database-size.domain.ts';
import { MAX_SHOWN_INCIDENTS, PARTS } from './status.data.ts';
import { type DayCounts, type Incident, PART_NAMES, type View } from './status.domain.ts';

const STATES = namedValues('ServiceState', 'State of a part of the service.', ['green', 'degraded', 'red', 'unknown']);
const FAULTS = namedValues('ServiceFault', 'State that opens an incident.', ['degraded', 'red']);
const state = (description: string) => enumOf(STATES).openapi({ description, example: 'green' });
const at = (description: string) => z.number().int().nullable().openapi({ description, example: 1773156600 });
const PartName = namedEnum('ServicePartName', 'Name of a part of the service.', PART_NAMES).openapi({
  description: 'Part of the service.',
  example: 'database',
});
const minutes = (description: string) => z.record(z.string(), z.number().int()).openapi({ description, example: { cache: 3 } });

const PartBody = z
  .object({
    name: PartName,
    label: string('Display name.', 'Database (D1)'),
    state: state('Result of the last check; `unknown` without a recent check.'),
    detail: z.string().nullable().openapi({ description: 'Reason for a state other than green.', example: null }),
  })
  .openapi('ServicePart', { description: 'A part of the service.' });

const JobBody = z
  .object({
    name: string('Name of the job.', 'mail'),
    state: state('`red` after a failed run and when a run is overdue.'),
    last_run_at: at('Start of the last run.'),
    last_success_at: at('Start of the last successful run.'),
    failures: z.number().int().openapi({ description: 'Failed runs since the last success.', example: 0 }),
    next_run_at: at('Next run. After failures of an upstream job: the end of its backoff of 1, 2, 5, 15 or 30 minutes.'),
  })
  .openapi('ServiceJob', { description: 'A background job.' });

const UpstreamBody = z
  .object({
    name: string('Name of the source.', 'news'),
    state: state('`red` when the last request failed; `unknown` before the first request.'),
    last_success_at: at('Last successful request.'),
    age_seconds: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'Age of the last successful request at the time of the check.', example: 240 }),
    failures: z.number().int().openapi({ description: 'Failed requests since the last success.', example: 0 }),
    next_try_at: at('Next request to a failing source; null for other sources.'),
  })
  .openapi('ServiceUpstream', { description: 'An external service.' });

const DayBody = z
  .object({
    date: string('Day in UTC.', '2026-03-10'),
    checked_minutes: z.number().int().openapi({ description: 'Minutes with a check.', example: 1440 }),
    degraded_minutes: minutes('Degraded minutes by part; parts without any are absent.'),
    red_minutes: minutes('Red minutes by part; parts without any are absent.'),
  })
  .openapi('ServiceDay', { description: 'A day of checks.' });

const IncidentBody = z
  .object({
    part: PartName,
    state: enumOf(FAULTS).openapi({ description: 'Worst state of the incident.', example: 'red' }),
    opened_at: z.number().int().openapi({ description: 'Time of the first check that found it.', example: 1773156600 }),
    closed_at: at('Time of the first green check; null while the incident is open.'),
    detail: z.string().nullable().openapi({ description: 'Reason given by the check.', example: 'the probe failed or timed out' }),
  })
  .openapi('ServiceIncident', { description: 'A period in which a part was not green.' });

const DatabaseBody = z
  .object({
    bytes: z.number().int().openapi({ description: 'Size of the database.', example: 1_200_000_000 }),
    limit_bytes: z.number().int().openapi({ description: 'Size at which it refuses writes.', example: 10_000_000_000 }),
    bytes_per_day: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'Mean growth of the last 30 days; null before the second day.', example: 7_400_000 }),
    full_at: at('When the limit is reached at this growth; null while the size does not grow.'),
  })
  .openapi('ServiceDatabase', { description: 'Size and growth of the database.' });

export const ServiceStatusBody = z
  .object({
    status: namedEnum('ServiceVerdict', 'State of the whole service.', ['green', 'degraded', 'red']).openapi({
      description: 'State of the worst part. Failing external services only degrade the service.',
      example: 'green',
    }),
    checked_at: at('Time of the last check. A check that is 90 s old makes the status red.'),
    age_seconds: z.number().int().nullable().openapi({ description: 'Age of the last check.', example: 12 }),
    read_from: orNull(
      namedEnum('ServiceStatusStore', 'Store of the status.', ['object', 'copy']),
      'Store that the status was read from; null when neither could be read.',
    ),
    parts: z.array(PartBody).openapi({ description: 'Every part of the service.' }),
    jobs: z.array(JobBody).openapi({ description: 'Enabled background jobs.' }),
    upstreams: z.array(UpstreamBody).openapi({ description: 'External services that enabled jobs read.' }),
    database: orNull(DatabaseBody, 'Size of the database; null when it is not known.'),
    days: z.array(DayBody).openapi({ description: 'The last 90 days, oldest first; days without a check are absent.' }),
    announcements: z.array(AnnouncementBody).openapi({
      description: `Incidents and maintenance in the words of the operator, newest first, at most ${MAX_ANNOUNCEMENTS}.`,
      example: [],
    }),
    incidents: z.array(IncidentBody).openapi({ description: `Newest first, at most ${MAX_SHOWN_INCIDENTS}.` }),
  })
  .openapi('ServiceStatus', { description: 'State of the service.' });

export function toServiceStatusBody(view: View, announcements: readonly Announcement[], now: number): z.infer<typeof ServiceStatusBody> {
  const { checkedAt, source, parts, jobs, upstreams, days, incidents } = view;
  return {
    status: view.status,
    checked_at: checkedAt,
    age_seconds: checkedAt === null ? null : Math.max(0, now - checkedAt),
    read_from: source,
    parts: PART_NAMES.map((part) => ({ name: part, label: PARTS[part], ...parts[part] })),
    jobs: jobs.map((job) => ({
      name: job.name,
      state: job.state,
      last_run_at: job.lastRunAt,
      last_success_at: job.lastSuccessAt,
      failures: job.failures,
      next_run_at: job.nextRunAt,
    })),
    upstreams: upstreams.map((upstream) => ({
      name: upstream.name,
      state: upstream.state,
      last_success_at: upstream.lastSuccessAt,
      age_seconds: upstream.lastSuccessAt === null || checkedAt === null ? null : Math.max(0, checkedAt - upstream.lastSuccessAt),
      failures: upstream.failures,
      next_try_at: upstream.nextTryAt,
    })),
    database: view.database && toDatabaseBody(view.database),
    days: days.map(toDayBody),
    announcements: announcements.map(toAnnouncementBody),
    incidents: incidents.map(toIncidentBody),
  };
}

export function toDatabaseBody({ bytes, limitBytes, bytesPerDay, fullAt }: DatabaseGrowth): z.infer<typeof DatabaseBody> {
  return { bytes, limit_bytes: limitBytes, bytes_per_day: bytesPerDay, full_at: fullAt };
}

function toDayBody({ day, checked, degraded, red }: DayCounts): z.infer<typeof DayBody> {
  return { date: toIso(day).slice(0, 10), checked_minutes: checked, degraded_minutes: { ...degraded }, red_minutes: { ...red } };
}

function toIncidentBody({ part, state, openedAt, closedAt, detail }: Incident): z.infer<typeof IncidentBody> {
  return { part, state, opened_at: openedAt, closed_at: closedAt, detail };
}
