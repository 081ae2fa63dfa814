import { type AreaContext, asSnapshotBodies, defineArea, type Ports, type SnapshotBody } from '../../platform/area/area.ts';
import { eventSchemasOf, snapshotParts } from '../../platform/area/resource.ts';
import { periodSeconds } from '../../platform/durable/schedule/period.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { createDelvesStore } from './delves/delves.store.ts';
import { createDelvesUpstream } from './delves/delves.upstream.ts';
import { bindLuxion } from './luxion/luxion.resource.ts';
import { createLuxionStore } from './luxion/luxion.store.ts';
import { createRotationPages } from './pages/rotation-pages.service.ts';
import { challenge } from './reports/challenge.resource.ts';
import { chaosChest } from './reports/chaos-chest.resource.ts';
import { createChaosRelayUpstream } from './reports/chaos-relay.upstream.ts';
import { createRelayJobs, createRelaysService } from './reports/relays.jobs.ts';
import { createReportsService } from './reports/reports.service.ts';
import { createReportsStore } from './reports/reports.store.ts';
import { rotationEvents } from './rotations.events.ts';
import { biomeRotations, timers } from './rotations.resources.ts';
import { rotationsScopes, rotationsSettings } from './rotations.settings.ts';
import { delveWeekAt } from './schedules/delves.domain.ts';
import { rotationsTables } from './schedules/rotations.tables.ts';
import { delveRules } from './schedules/schedules.data.ts';

type RotationsContext = Pick<AreaContext, 'db' | 'publicReads' | 'env' | 'upstream' | 'events' | 'ports'>;

/** The stored reports and relayed data, and the resources that read them. */
function createRotations({ db, publicReads: reads, env, upstream, events, ports }: RotationsContext) {
  const reports = createReportsStore(db, reads);
  const delves = createDelvesStore(db, reads);
  const luxionRuns = createLuxionStore({ db, reads, onReport: (now) => events.changed('luxion', now) });
  const items: Pick<Ports, 'itemBlueprints' | 'loadItemBlueprints'> = {
    itemBlueprints: (names) => ports.itemBlueprints(names),
    loadItemBlueprints: (statement) => ports.loadItemBlueprints(statement),
  };
  const service = createReportsService({ reports, ...items, onReport: events.changed });
  const relays = createRelaysService({
    chaosRelay: createChaosRelayUpstream(upstream),
    reports,
    delvesRelay: createDelvesUpstream(upstream),
    delves,
    async onChaosRelay(now) {
      // The event is read from the source, so the reads of this isolate must be new first.
      service.invalidateReads();
      await events.changed('chaos', now);
    },
  });
  return {
    reports,
    delves,
    luxionRuns,
    items,
    service,
    relays,
    timers: timers.map((timer) => timer.bind(null)),
    biomes: biomeRotations.map((one) => one.bind(null)),
    chaosChest: chaosChest.bind(service, env.BASE_URL),
    challenge: challenge.bind(service),
    luxion: bindLuxion(luxionRuns),
    async delveWeeks(now: UnixSeconds) {
      const { toDelveWeeksBody } = await delveRoutes();
      return json(toDelveWeeksBody(delveWeekAt(now, delveRules), await delves.weeks()));
    },
  };
}

type Rotations = ReturnType<typeof createRotations>;

async function loadEndpoints(rotations: Rotations): Promise<Endpoint[]> {
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
  const { reports, delves, luxionRuns: runs, items, service, luxion } = rotations;
  return [
    ...[...rotations.timers, ...rotations.biomes].map(computedEndpoint),
    ...createCalendarEndpoints(runs.runsOfCalendar),
    ...createLuxionEndpoints({ runs, luxion }),
    ...createReportEndpoints({ service, reports, ...items, chaosChest: rotations.chaosChest, challenge: rotations.challenge }),
    ...createDelveEndpoints(delves, rotations.delveWeeks),
    createBadgeEndpoint(service),
    merchantCardEndpoint,
  ];
}

function snapshotBodiesOf({ timers, biomes, chaosChest, challenge, luxion, delveWeeks }: Rotations): Record<string, SnapshotBody> {
  const bodies: Record<string, Omit<SnapshotBody, 'scope' | 'isDefault'>> = {
    ...snapshotParts([...timers, chaosChest, challenge]),
    calendar: {
      source: async (now, settings) => (await calendarRoutes()).calendarBody(now, settings),
      schema: async () => (await calendarRoutes()).CalendarBody,
    },
    'delves/weeks': { source: delveWeeks, schema: async () => (await delveRoutes()).DelveWeeksBody, feature: 'featureDelvesEnabled' },
    ...snapshotParts(biomes),
  };
  return {
    ...asSnapshotBodies(bodies, 'rotations:read', true),
    // Only for clients that name it.
    ...asSnapshotBodies(snapshotParts([luxion]), 'rotations:read', false),
  };
}

const calendarRoutes = () => import('./calendar/calendar.routes.ts');
const delveRoutes = () => import('./delves/delves.routes.ts');

/** `/v1/rotations`: endpoints, jobs, snapshot bodies and event stream sources. */
export const rotationsArea = defineArea({
  settings: rotationsSettings,
  scopes: rotationsScopes,
  tags: {
    Rotations:
      'Server time, buffs, merchants, biomes, challenges, the chaos chest and the calendar. Computed rotations support any point in time with `?at=`.',
  },
  events: rotationEvents,
  tables: rotationsTables,
  create(context) {
    const rotations = createRotations(context);
    const { challenge, chaosChest, timers, biomes, luxion, reports, luxionRuns } = rotations;
    const bound = [challenge, chaosChest, ...timers, ...biomes, luxion];
    return {
      endpoints: [lazyRoutes(['/v1/rotations'], () => loadEndpoints(rotations))],
      snapshotBodies: snapshotBodiesOf(rotations),
      jobs: createRelayJobs(rotations.relays, periodSeconds(context.env, 'CHAOS_RELAY_REFRESH_SECONDS')),
      eventSources: bound.flatMap(({ eventSource }) => eventSource ?? []),
      eventSchemas: async () => eventSchemasOf(bound),
      provides: { rotationPages: createRotationPages({ reports, luxion: luxionRuns }) },
    };
  },
});
