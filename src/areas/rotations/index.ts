import { asSnapshotBodies, defineArea } from '../../platform/area.ts';
import type { BodySource, Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { IngestLog } from '../../platform/ingest/ingest-log.ts';
import { periodFrom } from '../../platform/schedule/period.ts';
import type { FeatureName } from '../../platform/settings/settings.data.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { calendarBody } from './calendar/calendar.bodies.ts';
import { challengeBody, chaosChestBody } from './captures/captures.bodies.ts';
import { createCapturesRepository } from './captures/captures.repository.ts';
import { createCaptureEndpoints } from './captures/captures.routes.ts';
import { type CaptureListener, createCapturesService, type ItemArtSource } from './captures/captures.service.ts';
import { createChaosRelayUpstream } from './captures/chaos-relay.upstream.ts';
import { createRelayJobs } from './captures/relays.jobs.ts';
import { createRelaysService } from './captures/relays.service.ts';
import {
  biomesBody,
  corruxionBody,
  dailyBuffsBody,
  fluxionBody,
  gardeningBody,
  serverTimeBody,
  stampyBody,
  weeklyBuffsBody,
  wildManaBody,
} from './computed/computed.bodies.ts';
import { computedEndpoints } from './computed/computed.routes.ts';
import { delveWeekAt } from './delves/delves.domain.ts';
import { createDelvesRepository } from './delves/delves.repository.ts';
import { createDelveEndpoints } from './delves/delves.routes.ts';
import { toDelveWeeksBody } from './delves/delves.schemas.ts';
import { createDelvesUpstream } from './delves/delves.upstream.ts';
import { createRotationSources } from './event-sources.ts';
import { rotationsScopes } from './rotations.scopes.ts';
import { rotationsSettings } from './rotations.settings.ts';
import { delveRules } from './schedules.data.ts';

const DEFAULT_CHAOS_RELAY_SECONDS = 1800;

export interface RotationsAreaDeps {
  db: Database;
  /** For public data; absent: `db`. */
  reads?: PublicReads;
  itemArt: ItemArtSource;
  ingestLog: IngestLog;
  onCapture: CaptureListener;
  upstream: UpstreamClient;
  /** Seconds between two looks at the community's record of the chaos chest. */
  chaosRelaySeconds: number;
}

/** Everything under `/v1/rotations`, and what the snapshot and the event stream show of it. */
export function createRotationsArea({ db, reads, itemArt, ingestLog, onCapture, upstream, chaosRelaySeconds }: RotationsAreaDeps) {
  const captures = createCapturesRepository(db, reads);
  const delves = createDelvesRepository(db, reads);
  const service = createCapturesService({ captures, itemArt, onCapture });
  const relays = createRelaysService({
    chaosRelay: createChaosRelayUpstream(upstream),
    captures,
    delvesRelay: createDelvesUpstream(upstream),
    delves,
    async onChaosRelay(now) {
      service.forgetReads();
      await onCapture('chaos', now);
    },
  });

  const chaosChest = async (now: number) => chaosChestBody(await service.chaosChest(now));
  const challenge = async (now: number) => challengeBody(await service.challenge(now));
  const delveWeeks = async (now: number) => json(toDelveWeeksBody(delveWeekAt(now, delveRules), await delves.weeks()));

  const endpoints: Endpoint[] = [
    ...computedEndpoints,
    ...createCaptureEndpoints({ service, captures, chaosChest, challenge, ingestLog }),
    ...createDelveEndpoints(delves, delveWeeks),
  ];
  const bodies: Record<string, { source: BodySource; feature?: FeatureName }> = {
    'server-time': { source: serverTimeBody },
    'daily-buffs': { source: dailyBuffsBody },
    'weekly-buffs': { source: weeklyBuffsBody },
    corruxion: { source: corruxionBody },
    fluxion: { source: fluxionBody },
    gardening: { source: gardeningBody },
    'chaos-chest': { source: chaosChest },
    'challenge/current': { source: challenge },
    calendar: { source: calendarBody },
    'delves/weeks': { source: delveWeeks, feature: 'featureDelvesEnabled' },
    biomes: { source: biomesBody },
    'wild-mana': { source: wildManaBody },
    stampy: { source: stampyBody },
  };
  return { endpoints, bodies, jobs: createRelayJobs(relays, chaosRelaySeconds), eventSources: createRotationSources(service) };
}

export const rotationsArea = defineArea({
  settings: rotationsSettings,
  scopes: rotationsScopes,
  tags: {
    Rotations:
      'Server time, bonuses, merchants, biomes, challenges, the chaos chest and the calendar. Computed ones answer for any instant with `?at=`.',
  },
  impersonalTables: ['challenge_captures', 'chaos_chest_*', 'delve_weeks'],
  create({ db, publicReads, env, upstream, ingestLog, events, ports }) {
    const { bodies, ...parts } = createRotationsArea({
      ...{ db, reads: publicReads, upstream, ingestLog, onCapture: events.changed },
      itemArt: async (name) => ({ blueprint: await ports.itemBlueprint(name), imageUrl: null }),
      chaosRelaySeconds: periodFrom(env.CHAOS_RELAY_REFRESH_SECONDS, DEFAULT_CHAOS_RELAY_SECONDS),
    });
    return { ...parts, snapshotBodies: asSnapshotBodies(bodies, 'rotations:read', true) };
  },
});
