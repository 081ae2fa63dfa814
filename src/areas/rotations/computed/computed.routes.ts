import type { z } from '@hono/zod-openapi';
import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import type { Representation } from '../../../platform/http/replies/reply.ts';
import { SECONDS_PER_DAY } from '../../../platform/kit/time/clock.ts';
import {
  AtQuery,
  BiomeRotationsBody,
  biomesBody,
  type ComputedBody,
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
} from './computed.schemas.ts';

const access = publicAccess('rotations:read');

interface ComputedRoute<Schema extends z.ZodType> {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  schema: Schema;
  body: ComputedBody<z.output<Schema>>;
}

/** Endpoint of a computed rotation, for the current time or the time of `at`. */
function computedRoute<Schema extends z.ZodType>(route: ComputedRoute<Schema>): Endpoint {
  const { path, operationId, summary, description, schema, body } = route;
  return defineRoute({
    method: 'get',
    path,
    operationId,
    tag: 'Rotations',
    summary,
    description,
    access,
    query: AtQuery,
    ok: { description: summary, schema: schema as z.ZodType },
  }).handle(({ query, now, settings }) => (query.at === undefined ? body(now, settings) : toFixedResponse(body(query.at, settings))));
}

/** Response for a given time; constant unless a table or a setting is changed. */
export function toFixedResponse<Body>({ text }: Representation<Body>): Representation<Body> {
  return { kind: 'json', text, maxAge: SECONDS_PER_DAY };
}

/** Endpoints of the rotations that depend only on the time. */
export const computedEndpoints: Endpoint[] = [
  computedRoute({
    path: '/v1/rotations/server-time',
    operationId: 'getServerTime',
    summary: 'Get server time',
    description: 'Returns the current time, the weekday on the game clock (UTC-11), and the next daily and weekly reset.',
    schema: ServerTimeBody,
    body: serverTimeBody,
  }),
  computedRoute({
    path: '/v1/rotations/daily-buffs',
    operationId: 'getDailyBuffs',
    summary: 'List daily buffs',
    description: 'Returns the buff of the game day and those of the whole week.',
    schema: DailyBuffsBody,
    body: dailyBuffsBody,
  }),
  computedRoute({
    path: '/v1/rotations/weekly-buffs',
    operationId: 'getWeeklyBuffs',
    summary: 'List weekly buffs',
    description: 'Returns the buff of the game week and the four of the rotation.',
    schema: WeeklyBuffsBody,
    body: weeklyBuffsBody,
  }),
  computedRoute({
    path: '/v1/rotations/corruxion',
    operationId: 'getCorruxion',
    summary: 'Get the Corruxion timer',
    description:
      'Returns whether the merchant Corruxion is present, the current or next visit, and upcoming visits: three days every two weeks from Friday 11:00 UTC.',
    schema: CorruxionBody,
    body: corruxionBody,
  }),
  computedRoute({
    path: '/v1/rotations/fluxion',
    operationId: 'getFluxion',
    summary: 'Get the Fluxion timer',
    description:
      'Returns the windows of the merchant Fluxion: three days every week from Tuesday 11:00 UTC, alternating between voting and selling.',
    schema: FluxionBody,
    body: fluxionBody,
  }),
  computedRoute({
    path: '/v1/rotations/gardening',
    operationId: 'getGardening',
    summary: 'Get gardening windows',
    description: 'Returns the harvest days of two-day and three-day plants.',
    schema: GardeningBody,
    body: gardeningBody,
  }),
  computedRoute({
    path: '/v1/rotations/biomes',
    operationId: 'getBiomes',
    summary: 'Get biome rotations',
    description: 'Returns the three biomes of the current slot and the slots of the next 48 hours.',
    schema: BiomeRotationsBody,
    body: biomesBody,
  }),
  computedRoute({
    path: '/v1/rotations/wild-mana',
    operationId: 'getWildMana',
    summary: 'Get wild mana rotations',
    description: 'Returns the three biomes of the week from Monday 11:00 UTC and of the following weeks.',
    schema: BiomeRotationsBody,
    body: wildManaBody,
  }),
  computedRoute({
    path: '/v1/rotations/stampy',
    operationId: 'getStampy',
    summary: 'Get Stampy rotations',
    description:
      'Returns the visits of Stampy: one biome for 48 hours every week from Saturday 11:00 UTC, or every two weeks from Monday 11:00 UTC if the service is set to follow the reports of players. Between visits, `current` is the next visit; compare `starts_at` with the current time.',
    schema: BiomeRotationsBody,
    body: stampyBody,
  }),
];
