import { z } from '@hono/zod-openapi';
import { defineResource, type ReadAt } from '../../../platform/area/resource.ts';
import type { ChatEvent } from '../../../platform/events/event-declaration.ts';
import { orNull } from '../../../platform/http/bodies/body-schemas.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type BiomeRotationRules, biomeRotationsAt, biomeRotationsNextChangeAt } from '../schedules/computed.domain.ts';
import { isWithin } from '../schedules/cycle.domain.ts';
import { biomesRules, stampyRulesOf, wildManaRules } from '../schedules/schedules.data.ts';
import { constantUntil, rotation, windowAround, windowFields } from './computed.schemas.ts';

declare module '../../../platform/events/event-declaration.ts' {
  interface EventBodies {
    longshade: Biomes;
    wild_mana: Biomes;
    stampy: Biomes;
  }
}

const BiomeBody = z
  .object({
    name: z.string().openapi({ description: 'Name of the biome.', example: 'Volcanic Fields' }),
    final_name: z.string().openapi({ description: 'Name on the map, often the parent biome.', example: 'Dragonfire Peaks' }),
    icon: z.string().openapi({ description: 'Icon token, not a URL.', example: 'dragon' }),
  })
  .openapi('Biome', { description: 'A biome of the game.' });

const BiomeRotationBody = z
  .object({ ...windowFields, biomes: z.array(BiomeBody).openapi({ description: 'One or three biomes.' }) })
  .openapi('BiomeRotation', { description: 'The biomes of one window.' });

const BiomeRotationsBody = z
  .object({
    current: orNull(BiomeRotationBody, 'Open window; between visits the next one.'),
    upcoming: z.array(BiomeRotationBody).openapi({ description: 'Following windows, earliest first.' }),
  })
  .openapi('BiomeRotations', { description: 'Biomes of the current and upcoming windows.' });

type Biomes = z.infer<typeof BiomeRotationsBody>;

const GREEN = '#46D39A';

const constantBiomes = (rules: BiomeRotationRules) =>
  constantUntil(
    (now) => biomeRotationsNextChangeAt(now, rules),
    (now) => biomeRotationsAt(now, rules),
  );

/** Chat message of biomes that change with each window. */
const biomesChat = (type: string, title: string): ChatEvent<Biomes> => ({
  text: { title: `${title}: {biomes}`, color: GREEN, fields: [['{next}', '{changes_at:R}']] },
  keyOf: ({ current }) => `${type}:${current?.starts_at}:${current?.ends_at}`,
  variablesOf({ current }, at) {
    if (current === null) return null;
    const { starts_at: startsAt, ends_at: endsAt } = current;
    const isOpen = at >= startsAt;
    return {
      biomes: current.biomes.map(({ name }) => name).join(', '),
      next: isOpen ? 'Ends' : 'Starts',
      changes_at: isOpen ? endsAt : startsAt,
      starts_at: startsAt,
      ends_at: endsAt,
    };
  },
});

const biomesSample = (seconds: number) => (now: UnixSeconds) => ({
  current: {
    ...windowAround(now, seconds),
    biomes: [{ name: 'Volcanic Fields', final_name: 'Dragonfire Peaks', icon: 'dragon' }],
  },
  upcoming: [],
});

export const biomes = defineResource(BiomeRotationsBody)({
  ...rotation,
  path: '/v1/rotations/biomes',
  operationId: 'getBiomes',
  summary: 'Get biome rotations',
  description: 'Returns the three biomes of the current slot and the slots of the next 48 hours.',
  ...constantBiomes(biomesRules),
  event: {
    type: 'longshade',
    row: 5,
    label: 'Biomes (3 h)',
    summary: 'The 3-hour biomes changed',
    hint: 'every three hours',
    sample: biomesSample(3 * SECONDS_PER_HOUR),
    chat: biomesChat('longshade', 'Biomes'),
    changesAt: (now) => biomeRotationsNextChangeAt(now, biomesRules),
    signature: ({ current }) => `${current?.starts_at}`,
  },
});

export const wildMana = defineResource(BiomeRotationsBody)({
  ...rotation,
  path: '/v1/rotations/wild-mana',
  operationId: 'getWildMana',
  summary: 'Get wild mana rotations',
  description: 'Returns the three biomes of the week from Monday 11:00 UTC and of the following weeks.',
  ...constantBiomes(wildManaRules),
  event: {
    type: 'wild_mana',
    row: 6,
    label: 'Wild mana',
    summary: 'The biomes of wild mana changed',
    hint: 'once a week',
    sample: biomesSample(7 * SECONDS_PER_DAY),
    chat: biomesChat('wild_mana', 'Wild mana'),
    changesAt: (now) => biomeRotationsNextChangeAt(now, wildManaRules),
    signature: ({ current }) => `${current?.starts_at}`,
  },
});

const stampyOf = { weekly: constantBiomes(stampyRulesOf.weekly), fortnightly: constantBiomes(stampyRulesOf.fortnightly) };

export const stampy = defineResource(BiomeRotationsBody)({
  ...rotation,
  path: '/v1/rotations/stampy',
  operationId: 'getStampy',
  summary: 'Get Stampy rotations',
  description:
    'Returns the visits of Stampy: one biome for 48 hours every week from Saturday 11:00 UTC, or every two weeks from Monday 11:00 UTC if the service is set to follow the reports of players. Between visits, `current` is the next visit; compare `starts_at` with the current time.',
  read: (at: ReadAt) => stampyOf[at.settings.stampyPeriod].read(at),
  represent: (body, at) => stampyOf[at.settings.stampyPeriod].represent(body, at),
  event: {
    type: 'stampy',
    row: 7,
    label: 'Stampy',
    summary: 'Stampy arrived or left',
    hint: 'when Stampy arrives or leaves',
    sample: biomesSample(SECONDS_PER_DAY),
    chat: {
      ...biomesChat('stampy', 'Stampy'),
      // The window that opens was already announced as the next one.
      keyOf: ({ current }) => `stampy:${current?.starts_at}`,
      variablesOf: (body, at) =>
        body.current && at >= body.current.starts_at ? biomesChat('stampy', 'Stampy').variablesOf(body, at) : null,
    },
    // Boundaries of both periods: a check in between finds no change.
    changesAt: (now) => Math.min(...Object.values(stampyRulesOf).map((rules) => biomeRotationsNextChangeAt(now, rules))),
    signature: ({ current }, now) => `${current?.starts_at}:${current !== null && isWithin(now, current)}`,
  },
});
