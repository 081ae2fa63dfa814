import { asSnapshotBodies, defineArea, type SnapshotBody } from '../../platform/area/area.ts';
import { periodSeconds } from '../../platform/durable/schedule/period.ts';
import type { EventSchemas } from '../../platform/events/event-declaration.ts';
import type { BodySource } from '../../platform/http/pipeline/define-route.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { FeatureName, Settings } from '../../platform/settings/settings.data.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import {
  BiomeRotationsBody,
  biomesBody,
  CorruxionBody,
  corruxionBody,
  DailyBuffsBody,
  dailyBuffsBody,
  FluxionBody,
  fluxionBody,
  GardeningBody,
  gardeningBody,
  ServerTimeBody,
  serverTimeBody,
  stampyBody,
  WeeklyBuffsBody,
  weeklyBuffsBody,
  wildManaBody,
} from './computed/computed.schemas.ts';
import { delveWeekAt } from './delves/delves.domain.ts';
import { createDelvesStore } from './delves/delves.store.ts';
import { createDelvesUpstream } from './delves/delves.upstream.ts';
import { createRotationSources } from './event-sources.service.ts';
import { LuxionBody, luxionBody } from './luxion/luxion.schemas.ts';
import { createLuxionStore } from './luxion/luxion.store.ts';
import { createRotationPages } from './pages/rotation-pages.service.ts';
import { createChaosRelayUpstream } from './reports/chaos-relay.upstream.ts';
import { createRelayJobs, createRelaysService } from './reports/relays.jobs.ts';
import { ChallengeBody, ChaosChestBody, challengeBody, chaosChestBody } from './reports/reports.schemas.ts';
import { createReportsService, type ItemBlueprints, type LoadItemBlueprints, type ReportListener } from './reports/reports.service.ts';
import { createReportsStore } from './reports/reports.store.ts';
import { rotationEvents } from './rotations.events.ts';
import { rotationsScopes, rotationsSettings } from './rotations.settings.ts';
import { rotationsBackup } from './rotations.tables.ts';
import { delveRules } from './schedules.data.ts';

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

  const chaosChest = async (now: number, _settings: Settings, baseUrl: string) => chaosChestBody(await service.chaosChest(now), baseUrl);
  const challenge = async (now: number) => challengeBody(await service.challenge(now));
  const luxion = async (now: number) => luxionBody(await luxionRuns.luxion(now));
  const delveWeeks = async (now: number) => {
    const { toDelveWeeksBody } = await delveRoutes();
    return json(toDelveWeeksBody(delveWeekAt(now, delveRules), await delves.weeks()));
  };
  const calendar: BodySource = async (now, settings) => (await calendarRoutes()).calendarBody(now, settings);

  const endpoints = [
    lazyRoutes(['/v1/rotations'], async () => {
      const [
        { createBadgeEndpoint, merchantCardEndpoint },
        { createCalendarEndpoints },
        { createLuxionEndpoints },
        { createReportEndpoints },
        { computedEndpoints },
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
        ...computedEndpoints,
        ...createCalendarEndpoints(luxionRuns.runsOfCalendar),
        ...createLuxionEndpoints({ runs: luxionRuns, luxion }),
        ...createReportEndpoints({ service, reports, itemBlueprints, loadItemBlueprints, chaosChest, challenge }),
        ...createDelveEndpoints(delves, delveWeeks),
        createBadgeEndpoint(service),
        merchantCardEndpoint,
      ];
    }),
  ];
  const bodies: Record<string, { source: BodySource; schema: SnapshotBody['schema']; feature?: FeatureName }> = {
    'server-time': { source: serverTimeBody, schema: async () => ServerTimeBody },
    'daily-buffs': { source: dailyBuffsBody, schema: async () => DailyBuffsBody },
    'weekly-buffs': { source: weeklyBuffsBody, schema: async () => WeeklyBuffsBody },
    corruxion: { source: corruxionBody, schema: async () => CorruxionBody },
    fluxion: { source: fluxionBody, schema: async () => FluxionBody },
    luxion: { source: luxion, schema: async () => LuxionBody },
    gardening: { source: gardeningBody, schema: async () => GardeningBody },
    'chaos-chest': { source: chaosChest, schema: async () => ChaosChestBody },
    'challenge/current': { source: challenge, schema: async () => ChallengeBody },
    calendar: { source: calendar, schema: async () => (await calendarRoutes()).CalendarBody },
    'delves/weeks': { source: delveWeeks, schema: async () => (await delveRoutes()).DelveWeeksBody, feature: 'featureDelvesEnabled' },
    biomes: { source: biomesBody, schema: async () => BiomeRotationsBody },
    'wild-mana': { source: wildManaBody, schema: async () => BiomeRotationsBody },
    stampy: { source: stampyBody, schema: async () => BiomeRotationsBody },
  };
  return {
    endpoints,
    bodies,
    jobs: createRelayJobs(relays, chaosRelaySeconds),
    eventSources: createRotationSources(service, luxionRuns, publicUrl),
    provides: { rotationPages: createRotationPages({ reports, luxion: luxionRuns }) },
  };
}

const calendarRoutes = () => import('./calendar/calendar.routes.ts');
const delveRoutes = () => import('./delves/delves.routes.ts');

const eventSchemas: EventSchemas = {
  challenge: ChallengeBody,
  chaos: ChaosChestBody,
  corruxion: CorruxionBody,
  fluxion: FluxionBody,
  longshade: BiomeRotationsBody,
  wild_mana: BiomeRotationsBody,
  stampy: BiomeRotationsBody,
  daily_bonuses: DailyBuffsBody,
  luxion: LuxionBody,
};

export const rotationsArea = defineArea({
  settings: rotationsSettings,
  scopes: rotationsScopes,
  tags: {
    Rotations:
      'Server time, buffs, merchants, biomes, challenges, the chaos chest and the calendar. Computed rotations support any point in time with `?at=`.',
  },
  events: rotationEvents,
  impersonalTables: ['challenge_captures', 'chaos_chest_*', 'delve_weeks', 'luxion_runs'],
  backup: rotationsBackup,
  create({ db, publicReads, env, upstream, events, ports }) {
    const { bodies, ...parts } = createRotationsArea({
      db,
      reads: publicReads,
      upstream,
      onReport: events.changed,
      itemBlueprints: (names) => ports.itemBlueprints(names),
      loadItemBlueprints: (statement) => ports.loadItemBlueprints(statement),
      publicUrl: env.BASE_URL,
      chaosRelaySeconds: periodSeconds(env, 'CHAOS_RELAY_REFRESH_SECONDS'),
    });
    const { luxion, ...specified } = bodies;
    const snapshotBodies = {
      ...asSnapshotBodies(specified, 'rotations:read', true),
      // Only for clients that name it.
      ...asSnapshotBodies(luxion ? { luxion } : {}, 'rotations:read', false),
    };
    return { ...parts, eventSchemas: async () => eventSchemas, snapshotBodies };
  },
});
