import { asSnapshotBodies, defineArea, type SnapshotBody } from '../../platform/area/area.ts';
import { eventSchemasOf, snapshotParts } from '../../platform/area/resource.ts';
import { periodSeconds } from '../../platform/durable/schedule/period.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { createDelvesStore } from './delves/delves.store.ts';
import { createDelvesUpstream } from './delves/delves.upstream.ts';
import { bindLuxion } from './luxion/luxion.resource.ts';
import { createLuxionStore } from './luxion/luxion.store.ts';
import { createRotationPages } from './pages/rotation-pages.service.ts';
import { challenge } from './reports/challenge.resource.ts';
import { chaosChest } from './reports/chaos-chest.resource.ts';
import { createChaosRelayUpstream } from './reports/chaos-relay.upstream.ts';
import { createRelayJobs, createRelaysService } from './reports/relays.jobs.ts';
import { createReportsService, type ItemBlueprints, type LoadItemBlueprints, type ReportListener } from './reports/reports.service.ts';
import { createReportsStore } from './reports/reports.store.ts';
import { rotationEvents } from './rotations.events.ts';
import { biomeRotations, timers } from './rotations.resources.ts';
import { rotationsScopes, rotationsSettings } from './rotations.settings.ts';
import { delveWeekAt } from './schedules/delves.domain.ts';
import { rotationsTables } from './schedules/rotations.tables.ts';
import { delveRules } from './schedules/schedules.data.ts';

interface RotationsAreaDeps {
  db: Database;
  /** Database for public reads; default: `db`. */
  reads?: PublicReads;
  itemBlueprints: ItemBlueprints;
  loadItemBlueprints: LoadItemBlueprints;
  /** Configured public URL of the service, for messages without a request; may be empty. */
  publicUrl: string;
  onReport: ReportListener;
  upstream: UpstreamClient;
  /** Interval of the chaos chest job, in seconds. */
  chaosRelaySeconds: number;
}

/** `/v1/rotations`: endpoints, jobs, snapshot bodies and event stream sources. */
export function createRotationsArea({
  db,
  reads = db,
  itemBlueprints,
  loadItemBlueprints,
  publicUrl,
  onReport,
  upstream,
  chaosRelaySeconds,
}: RotationsAreaDeps) {
  const reports = createReportsStore(db, reads);
  const delves = createDelvesStore(db, reads);
  const service = createReportsService({ reports, itemBlueprints, loadItemBlueprints, onReport });
  const luxionRuns = createLuxionStore({ db, reads, onReport: (now) => onReport('luxion', now) });
  const relays = createRelaysService({
    chaosRelay: createChaosRelayUpstream(upstream),
    reports,
    delvesRelay: createDelvesUpstream(upstream),
    delves,
    async onChaosRelay(now) {
      service.invalidateReads();
      await onReport('chaos', now);
    },
  });

  const computed = {
    timers: timers.map((timer) => timer.bind(null)),
    biomes: biomeRotations.map((one) => one.bind(null)),
  };
  const boundChest = chaosChest.bind(service, publicUrl);
  const boundChallenge = challenge.bind(service);
  const boundLuxion = bindLuxion(luxionRuns);
  const bound = [boundChallenge, boundChest, ...computed.timers, ...computed.biomes, boundLuxion];
  const delveWeeks = async (now: number) => {
    const { toDelveWeeksBody } = await delveRoutes();
    return json(toDelveWeeksBody(delveWeekAt(now, delveRules), await delves.weeks()));
  };

  const endpoints = [
    lazyRoutes(['/v1/rotations'], async () => {
      const [
        { createBadgeEndpoint, merchantCardEndpoint },
        { createCalendarEndpoints },
        { createLuxionEndpoints },
        { createReportEndpoints },
        { computedEndpoint },
        { createDelveEndpoints },
      ] = await Promise.all([
        import('./badges/badges.routes.ts'),
        calendarRoutes(),
        import('./luxion/luxion.routes.ts'),
        import('./reports/reports.routes.ts'),
        import('./computed/computed.routes.ts'),
        delveRoutes(),
      ]);
      return [
        ...[...computed.timers, ...computed.biomes].map(computedEndpoint),
        ...createCalendarEndpoints(luxionRuns.runsOfCalendar),
        ...createLuxionEndpoints({ runs: luxionRuns, luxion: boundLuxion }),
        ...createReportEndpoints({
          service,
          reports,
          itemBlueprints,
          loadItemBlueprints,
          chaosChest: boundChest,
          challenge: boundChallenge,
        }),
        ...createDelveEndpoints(delves, delveWeeks),
        createBadgeEndpoint(service),
        merchantCardEndpoint,
      ];
    }),
  ];
  const bodies: Record<string, Omit<SnapshotBody, 'scope' | 'isDefault'>> = {
    ...snapshotParts([...computed.timers, boundChest, boundChallenge]),
    calendar: {
      source: async (now, settings) => (await calendarRoutes()).calendarBody(now, settings),
      schema: async () => (await calendarRoutes()).CalendarBody,
    },
    'delves/weeks': { source: delveWeeks, schema: async () => (await delveRoutes()).DelveWeeksBody, feature: 'featureDelvesEnabled' },
    ...snapshotParts(computed.biomes),
  };
  return {
    endpoints,
    snapshotBodies: {
      ...asSnapshotBodies(bodies, 'rotations:read', true),
      // Only for clients that name it.
      ...asSnapshotBodies(snapshotParts([boundLuxion]), 'rotations:read', false),
    },
    jobs: createRelayJobs(relays, chaosRelaySeconds),
    eventSources: bound.flatMap(({ eventSource }) => eventSource ?? []),
    eventSchemas: async () => eventSchemasOf(bound),
    provides: { rotationPages: createRotationPages({ reports, luxion: luxionRuns }) },
  };
}

const calendarRoutes = () => import('./calendar/calendar.routes.ts');
const delveRoutes = () => import('./delves/delves.routes.ts');

export const rotationsArea = defineArea({
  settings: rotationsSettings,
  scopes: rotationsScopes,
  tags: {
    Rotations:
      'Server time, buffs, merchants, biomes, challenges, the chaos chest and the calendar. Computed rotations support any point in time with `?at=`.',
  },
  events: rotationEvents,
  tables: rotationsTables,
  create({ db, publicReads, env, upstream, events, ports }) {
    return createRotationsArea({
      db,
      reads: publicReads,
      upstream,
      onReport: events.changed,
      itemBlueprints: (names) => ports.itemBlueprints(names),
      loadItemBlueprints: (statement) => ports.loadItemBlueprints(statement),
      publicUrl: env.BASE_URL,
      chaosRelaySeconds: periodSeconds(env, 'CHAOS_RELAY_REFRESH_SECONDS'),
    });
  },
});
