import { z } from '@hono/zod-openapi';
import { enumOf, namedEnum, orNull } from '../../platform/http/bodies/body-schemas.ts';
import { toIso } from '../../platform/time/clock.ts';
import { namedValues } from '../../platform/values/named-values.ts';
import { PARTS, SHOWN_INCIDENTS } from './status.data.ts';
import { type DayTally, type Incident, PART_NAMES, type View } from './status.domain.ts';

const STATES = namedValues('ServiceState', 'State of a part of the service.', ['green', 'degraded', 'red', 'unknown']);
const FAULTS = namedValues('ServiceFault', 'State that makes an incident.', ['degraded', 'red']);
const state = (description: string) => enumOf(STATES).openapi({ description, example: 'green' });
const at = (description: string) => z.number().int().nullable().openapi({ description, example: 1773156600 });
const name = (description: string, example: string) => z.string().openapi({ description, example });
const PartName = namedEnum('ServicePartName', 'Name of a part of the service.', PART_NAMES).openapi({
  description: 'Part of the service.',
  example: 'database',
});
const minutes = (description: string) => z.record(z.string(), z.number().int()).openapi({ description, example: { cache: 3 } });

const PartBody = z
  .object({
    name: PartName,
    label: name('Name for people.', 'Database (D1)'),
    state: state('Verdict of the last check; `unknown` when no recent check says how it is.'),
    detail: z.string().nullable().openapi({ description: 'Why it is not green.', example: null }),
  })
  .openapi('ServicePart', { description: 'A part of the service.' });

const JobBody = z
  .object({
    name: name('Name of the job.', 'mail'),
    state: state('`red` after a failed run, or when it is late.'),
    last_run_at: at('Start of the last run.'),
    last_success_at: at('Start of the last run that succeeded.'),
    failures: z.number().int().openapi({ description: 'Failed runs since the last success.', example: 0 }),
    next_run_at: at('Next run; after failures of an upstream job the end of its pause of 1, 2, 5, 15 or 30 minutes.'),
  })
  .openapi('ServiceJob', { description: 'A background job.' });

const UpstreamBody = z
  .object({
    name: name('Name of the source.', 'news'),
    state: state('`red` since its last call failed; `unknown` before the first call.'),
    last_success_at: at('Last call that succeeded.'),
    age_seconds: z.number().int().nullable().openapi({ description: 'Age of that call at the time of the check.', example: 240 }),
    failures: z.number().int().openapi({ description: 'Failed calls since then.', example: 0 }),
    next_try_at: at('When a failing source is called next; null otherwise.'),
  })
  .openapi('ServiceUpstream', { description: 'An outside service.' });

const DayBody = z
  .object({
    date: name('Day in UTC.', '2026-03-10'),
    checked_minutes: z.number().int().openapi({ description: 'Minutes with a check.', example: 1440 }),
    degraded_minutes: minutes('Degraded minutes by part; parts without any are left out.'),
    red_minutes: minutes('Red minutes by part; parts without any are left out.'),
  })
  .openapi('ServiceDay', { description: 'A day of checks.' });

const IncidentBody = z
  .object({
    part: PartName,
    state: enumOf(FAULTS).openapi({ description: 'The worst it was.', example: 'red' }),
    opened_at: z.number().int().openapi({ description: 'First check that found it.', example: 1773156600 }),
    closed_at: at('First check that found it over; null while it lasts.'),
    detail: z.string().nullable().openapi({ description: 'What the check found.', example: 'the probe failed or took too long' }),
  })
  .openapi('ServiceIncident', { description: 'A time in which a part was not green.' });

export const ServiceStatusBody = z
  .object({
    status: namedEnum('ServiceVerdict', 'State of the whole service.', ['green', 'degraded', 'red']).openapi({
      description: 'The worst part, except that failing outside services only degrade the service.',
      example: 'green',
    }),
    checked_at: at('Instant of the last check; more than 90 s ago is red by itself.'),
    age_seconds: z.number().int().nullable().openapi({ description: 'Age of that check.', example: 12 }),
    read_from: orNull(namedEnum('ServiceStatusStore', 'Store of the status.', ['object', 'copy']), 'Which store answered; null: none.'),
    parts: z.array(PartBody).openapi({ description: 'Every part of the service.' }),
    jobs: z.array(JobBody).openapi({ description: 'Background jobs that are switched on.' }),
    upstreams: z.array(UpstreamBody).openapi({ description: 'Outside services of those jobs.' }),
    days: z.array(DayBody).openapi({ description: 'The last 90 days, oldest first; days without any check are left out.' }),
    incidents: z.array(IncidentBody).openapi({ description: `Newest first, at most ${SHOWN_INCIDENTS}.` }),
  })
  .openapi('ServiceStatus', { description: 'State of the service itself.' });

/** The body of `/v1/status`. */
export function toServiceStatusBody(view: View, now: number): z.infer<typeof ServiceStatusBody> {
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
    days: days.map(toDayBody),
    incidents: incidents.slice(0, SHOWN_INCIDENTS).map(toIncidentBody),
  };
}

function toDayBody({ day, checked, degraded, red }: DayTally): z.infer<typeof DayBody> {
  return { date: toIso(day).slice(0, 10), checked_minutes: checked, degraded_minutes: { ...degraded }, red_minutes: { ...red } };
}

function toIncidentBody({ part, state, openedAt, closedAt, detail }: Incident): z.infer<typeof IncidentBody> {
  return { part, state, opened_at: openedAt, closed_at: closedAt, detail };
}
