import { adminAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import type { Scheduler } from '../../platform/durable/schedule/scheduler.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { logError } from '../../platform/kit/logging.ts';
import { SECONDS_PER_HOUR } from '../../platform/kit/time/clock.ts';
import type { SettingRegistry } from '../../platform/settings/setting-values.ts';
import type { Database } from '../../platform/storage/database.ts';
import { createOverviewBody, toOverviewBody } from './overview.schemas.ts';
import { readOverview } from './overview.store.ts';

/** Open event streams; the area of the stream counts them. */
export interface StreamCounts {
  open: number;
  capacity: number;
  shards: number;
  unreachable: number;
}

export interface OverviewDeps {
  db: Database;
  scheduler(): Scheduler;
  registry: SettingRegistry;
  countStreams(): Promise<StreamCounts>;
  lastBackup: Ports['lastBackup'];
  selectInserts: Ports['selectInserts'];
  trafficShape: Ports['trafficShape'];
}

/** `GET /admin/overview`: the first page of a superuser. */
export async function createOverviewEndpoint({
  db,
  scheduler,
  registry,
  countStreams,
  lastBackup,
  selectInserts,
  trafficShape,
}: OverviewDeps): Promise<Endpoint> {
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
      'Returns failing jobs, rejected inserts, requests by hour, streams, storage, the last backup, changed settings and refused sign-ins.',
    ok: { description: 'The overview.', schema: createOverviewBody(TrafficBody) },
  }).handle(async ({ now }) => {
    // The page must not depend on the store of the backups.
    const readBackup = lastBackup().catch((error: unknown) => {
      logError('the last backup could not be read', error);
      return null;
    });
    const [stored, streams, backup] = await Promise.all([readOverview(db, selectInserts, now), countStreams(), readBackup]);
    const jobs = await scheduler().status(now, stored.jobs);
    const traffic = toTrafficBody(stored.traffic, SECONDS_PER_HOUR);
    return json(toOverviewBody({ stored, traffic, jobs, streams, backup }, registry, now));
  });
}
