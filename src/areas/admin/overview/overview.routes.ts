import { z } from '@hono/zod-openapi';
import { adminAccess } from '../../../platform/access/policy/policy.ts';
import type { Ports } from '../../../platform/area/area.ts';
import { healthOf, type JobHealth } from '../../../platform/durable/schedule/job-health.domain.ts';
import type { JobStatus, Scheduler } from '../../../platform/durable/schedule/scheduler.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { logError } from '../../../platform/kit/logging.ts';
import { SECONDS_PER_HOUR, toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { SettingRegistry } from '../../../platform/settings/setting-values.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { BILL_SOURCES, isOverDailyAmount, type StoredBill } from '../bill/bill.domain.ts';
import type { BillStore } from '../bill/bill.store.ts';
import { MASK } from '../config.routes.ts';
import { JobBody, toJobBody } from '../jobs.routes.ts';
import { type Overview, readOverview } from './overview.store.ts';

/** Maximum number of jobs with a problem in the body. */
const MAX_JOBS = 20;
const EXAMPLE_TIME = '2026-03-10T15:30:00.000Z';

const count = (description: string, example = 0) => z.number().int().openapi({ description, example });
const time = (description: string) => z.string().openapi({ description, example: EXAMPLE_TIME });
const dollars = (description: string, example: number) => z.number().openapi({ description, example });
const email = z
  .string()
  .nullable()
  .openapi({ description: 'Email address of the account; null if it was deleted.', example: 'ada@example.com' });
const settingValue = (description: string) => z.string().nullable().openapi({ description, example: '30' });

type TrafficShape = Awaited<ReturnType<Ports['trafficShape']>>;

const JobsOverview = z
  .object({
    total: count('Number of jobs.', 40),
    failing: count('Jobs whose last run failed.'),
    late: count('Jobs with an overdue run.'),
    waiting: count('Jobs that have not run yet.'),
    items: z.array(JobBody).openapi({ description: `Failing and late jobs, at most ${MAX_JOBS}.` }),
  })
  .openapi('JobsOverview', { description: 'Background jobs.' });

const InsertsOverview = z
  .object({
    accepted: count('Accepted inserts of the last 24 hours.', 12),
    rejected: count('Rejected inserts of the last 24 hours.'),
    received: count('Inserts of the last 24 hours that are not processed yet.'),
    with_problems: count('Accepted inserts of the last 24 hours with invalid records.'),
    latest_rejected: z
      .array(
        z
          .object({
            receipt_id: z.string().nullable().openapi({ description: 'Id of the receipt, or null.', example: null }),
            endpoint: z.string().openapi({ description: 'Insert endpoint.', example: 'market' }),
            timestamp: time('Time of the insert.'),
            user_email: email,
            error: z.string().nullable().openapi({ description: 'Reason of the rejection.', example: 'dump contains no board' }),
          })
          .openapi('RejectedInsert'),
      )
      .openapi({ description: 'The latest rejected inserts of the last 24 hours, at most 5.' }),
  })
  .openapi('InsertsOverview', { description: 'Inserts.' });

const StreamsOverview = z
  .object({
    open: count('Open event streams.', 120),
    capacity: count('Maximum number of open event streams.', 8000),
    shards: count('Objects that write the streams.', 8),
    unreachable: count('Objects that did not respond; their streams are not counted.'),
  })
  .openapi('StreamsOverview', { description: 'Event streams.' });

const StorageOverview = z
  .object({
    database_bytes: z.number().int().nullable().openapi({ description: 'Size of the database; null if unknown.', example: 1_048_576 }),
    growth: z
      .object({
        limit_bytes: count('Size at which the database refuses writes.', 10_000_000_000),
        bytes_per_day: z
          .number()
          .int()
          .nullable()
          .openapi({ description: 'Mean growth of the last 30 days; null before the second day.', example: 7_400_000 }),
        full_at: z.string().nullable().openapi({
          description: 'When the limit is reached at this growth; null while the size does not grow.',
          example: EXAMPLE_TIME,
        }),
        is_alarm: z.boolean().openapi({ description: 'Whether the size is at least 70 % of the limit.', example: false }),
      })
      .openapi('DatabaseGrowth')
      .nullable()
      .openapi({ description: 'Growth of the database; null when it is not known.' }),
    stores: z
      .array(
        z
          .object({
            name: z.string().openapi({ description: 'Binding of the bucket.', example: 'BOARDS' }),
            objects: count('Number of objects.', 1024),
            bytes: count('Size of all objects.', 73_400_320),
            measured_at: time('Time of the measurement.'),
          })
          .openapi('StoreSize'),
      )
      .openapi({ description: 'Measured buckets.' }),
  })
  .openapi('StorageOverview', { description: 'Storage.' });

const BillOverview = z
  .object({
    computed_at: time('Time of the computation.'),
    source: z.enum(BILL_SOURCES).openapi({
      description:
        "`analytics`: measured by the platform, for the whole account. `estimate`: the model times the service's own counts. `partly`: measured except the lines with `is_estimate`.",
      example: 'estimate',
    }),
    problem: z.string().nullable().openapi({ description: 'Why amounts could not be read, or null.', example: null }),
    today: dollars('Cost of today up to now beyond the share of the included amounts, without the plan.', 0.12),
    yesterday: dollars('The same of the day before; null on the first day of a month.', 0.1).nullable(),
    month: dollars('The calendar month up to now, plan included.', 6.4),
    forecast: dollars('The whole month, plan included, if the remaining days are like the last seven.', 8.05),
    daily_alarm: dollars('The setting `alarm.daily_dollars`; 0: no alarm.', 0),
    is_alarm: z.boolean().openapi({ description: 'Whether today is above the setting.', example: false }),
    lines: z
      .array(
        z
          .object({
            meter: z.string().openapi({ description: 'What is billed.', example: 'Worker requests' }),
            amount: z.number().openapi({ description: 'Amount of the month up to now.', example: 12_000_000 }),
            dollars: dollars('Cost by the end of the month.', 0.91),
            is_estimate: z.boolean().openapi({ description: 'Whether the amount is an estimate.', example: true }),
          })
          .openapi('BillLine'),
      )
      .openapi({ description: 'What costs something beyond the plan by the end of the month, the dearest first.' }),
  })
  .openapi('Bill')
  .nullable()
  .openapi({ description: 'Bill of the month at list prices, in dollars; null before the first computation.' });

const LastBackup = z
  .object({
    finished_at: time('End of the backup.'),
    rows: count('Number of rows.', 120_000),
    bytes: count('Size in bytes.', 9_437_184),
  })
  .openapi('LastBackup')
  .nullable()
  .openapi({ description: 'The last complete backup; null without one.' });

const SettingChanges = z
  .array(
    z
      .object({
        key: z.string().openapi({ description: 'Key of the setting.', example: 'public_anon_rate_limit_max' }),
        old_value: settingValue('Value before the change as JSON, masked for a secret; null: the default.'),
        new_value: settingValue('Value after the change as JSON, masked for a secret; null: the default.'),
        changed_at: time('Time of the change.'),
        user_email: email,
      })
      .openapi('SettingChange'),
  )
  .openapi({ description: 'The latest changes of settings, newest first, at most 10.' });

const SignInsOverview = z
  .object({
    refused: count('Refused sign-ins of the last 24 hours.'),
    refused_before: count('Refused sign-ins of the 24 hours before.'),
    by_code: z
      .array(
        z
          .object({
            code: z.string().openapi({ description: 'Error code of the response.', example: 'invalid_credentials' }),
            count: count('Refused sign-ins of the last 24 hours.', 3),
          })
          .openapi('RefusedSignIns'),
      )
      .openapi({ description: 'By error code, most first.' }),
  })
  .openapi('SignInsOverview', { description: 'Refused sign-ins, counted by the hour.' });

export const createOverviewBody = (traffic: TrafficShape['TrafficBody']) =>
  z
    .object({
      checked_at: time('Time of the overview.'),
      jobs: JobsOverview,
      inserts: InsertsOverview,
      traffic,
      streams: StreamsOverview,
      storage: StorageOverview,
      bill: BillOverview,
      last_backup: LastBackup,
      setting_changes: SettingChanges,
      sign_ins: SignInsOverview,
    })
    .openapi('Overview', { description: 'State of the service for its operator.' });

interface OverviewParts {
  stored: Overview;
  traffic: ReturnType<TrafficShape['toTrafficBody']>;
  jobs: readonly JobStatus[];
  streams: Awaited<ReturnType<Ports['countStreams']>>;
  backup: Awaited<ReturnType<Ports['lastBackup']>>;
  growth: Awaited<ReturnType<Ports['databaseGrowth']>>;
  bill: Awaited<ReturnType<BillStore['find']>>;
  /** The setting. */
  dailyDollars: number;
}

export function toOverviewBody(
  { stored, traffic, jobs, streams, backup, growth, bill, dailyDollars }: OverviewParts,
  registry: SettingRegistry,
  now: UnixSeconds,
): z.infer<ReturnType<typeof createOverviewBody>> {
  const withHealth = (health: JobHealth) => jobs.filter((job) => healthOf(job, now) === health);
  const [failing, late] = [withHealth('failing'), withHealth('late')];
  const refused = sumOf(stored.refusals);
  return {
    checked_at: toIso(now),
    jobs: {
      total: jobs.length,
      failing: failing.length,
      late: late.length,
      waiting: withHealth('waiting').length,
      items: [...failing, ...late].slice(0, MAX_JOBS).map((job) => toJobBody(job, now)),
    },
    inserts: {
      accepted: stored.inserts.accepted,
      rejected: stored.inserts.rejected,
      received: stored.inserts.pending,
      with_problems: stored.inserts.withProblems,
      latest_rejected: stored.rejected.map(({ entry, userEmail }) => ({
        receipt_id: entry.receiptId,
        endpoint: entry.endpoint,
        timestamp: toIso(entry.createdAt),
        user_email: userEmail,
        error: entry.error,
      })),
    },
    traffic,
    streams,
    storage: {
      database_bytes: stored.databaseBytes,
      growth: growth && {
        limit_bytes: growth.limitBytes,
        bytes_per_day: growth.bytesPerDay,
        full_at: growth.fullAt === null ? null : toIso(growth.fullAt),
        is_alarm: growth.isAlarm,
      },
      stores: stored.stores.map(({ store, objects, bytes, measuredAt }) => ({
        name: store,
        objects: objects ?? 0,
        bytes: bytes ?? 0,
        measured_at: toIso(measuredAt ?? 0),
      })),
    },
    bill: bill && toBillBody(bill, dailyDollars),
    last_backup: backup && { finished_at: toIso(backup.at), rows: backup.rows, bytes: backup.bytes },
    setting_changes: stored.changes.map(({ change, userEmail }) => ({
      key: change.key,
      old_value: shownValue(change.oldValue, change.key, registry),
      new_value: shownValue(change.newValue, change.key, registry),
      changed_at: toIso(change.changedAt),
      user_email: userEmail,
    })),
    sign_ins: { refused, refused_before: sumOf(stored.refusalsOfTwoDays) - refused, by_code: stored.refusals },
  };
}

function toBillBody({ bill, problem }: StoredBill, dailyDollars: number) {
  return {
    computed_at: toIso(bill.at),
    source: bill.source,
    problem,
    today: bill.todayDollars,
    yesterday: bill.yesterdayDollars,
    month: bill.monthDollars,
    forecast: bill.forecastDollars,
    daily_alarm: dailyDollars,
    is_alarm: isOverDailyAmount(bill, dailyDollars),
    lines: bill.lines.map(({ meter, amount, dollars: cost, isEstimate }) => ({ meter, amount, dollars: cost, is_estimate: isEstimate })),
  };
}

const sumOf = (rows: readonly { count: number }[]): number => rows.reduce((sum, { count: some }) => sum + some, 0);

/** Masks the value of a secret, and of a setting that no longer exists: it may have been one. */
function shownValue(value: string | null, key: string, registry: SettingRegistry): string | null {
  const name = registry.nameOf(key);
  const isSecret = name === undefined || registry.all[name].secret === true;
  return value === null || !isSecret ? value : MASK;
}

type OverviewPorts = Pick<Ports, 'countStreams' | 'databaseGrowth' | 'lastBackup' | 'selectInserts' | 'trafficShape'>;

/** `GET /admin/overview`: the first page of a superuser. */
export async function createOverviewEndpoint(
  { db, findBill }: { db: Database; findBill: BillStore['find'] },
  scheduler: () => Scheduler,
  registry: SettingRegistry,
  { countStreams, databaseGrowth, lastBackup, selectInserts, trafficShape }: OverviewPorts,
): Promise<Endpoint> {
  const { TrafficBody, toTrafficBody } = await trafficShape();
  return defineRoute({
    tag: 'Administration',
    surface: 'portal',
    hidden: true,
    access: adminAccess,
    method: 'get',
    path: '/admin/overview',
    operationId: 'getOverview',
    summary: 'Get the state of the service',
    description:
      'Returns failing jobs, rejected inserts, requests by hour, streams, storage, the bill, the last backup, changed settings and refused sign-ins.',
    ok: { description: 'The overview.', schema: createOverviewBody(TrafficBody) },
  }).handle(async ({ now, settings }) => {
    // The page must not depend on the store of the backups.
    const readBackup = lastBackup().catch((error: unknown) => {
      logError('the last backup could not be read', error);
      return null;
    });
    const [stored, streams, backup, growth, bill] = await Promise.all([
      readOverview(db, selectInserts, now),
      countStreams(),
      readBackup,
      databaseGrowth(),
      findBill(),
    ]);
    const jobs = await scheduler().status(now, stored.jobs);
    const traffic = toTrafficBody(stored.traffic, SECONDS_PER_HOUR);
    const dailyDollars = settings.alarmDailyDollars;
    return json(toOverviewBody({ stored, traffic, jobs, streams, backup, growth, bill, dailyDollars }, registry, now));
  });
}
