import { z } from '@hono/zod-openapi';
import type { AbilityFigures, AbilityHit, ClassFigures, ClassLevelTable } from '../../game/class-figures.ts';
import { CLASS_TECH_NAMES, CLASSES, type ClassAbility, type GameClass } from '../../game/classes.domain.ts';
import { COEFFICIENT_FORMULA, coefficientOf } from '../../game/coefficient.domain.ts';
import { tokenAccess, tokenlessAccess } from '../../platform/access/policy/policy.ts';
import { integer, namedEnum, number, numberOrNull, string } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { choice } from '../../platform/http/pipeline/query-schemas.ts';
import { cachedJson, json, type Representation } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import { applyRule } from '../../platform/kit/errors/input-fault.ts';
import { SECONDS_PER_HOUR } from '../../platform/kit/time/clock.ts';
import { createRevalidatingCache } from '../../platform/storage/memory-caches.ts';
import { STAT_TABLES, type StatSource, type StatTableKey } from './stat-tables.data.ts';

const percentage = z.boolean().openapi({ description: 'Whether the game shows the value as a percentage.', example: false });

const absolute = z.boolean().openapi({
  description: 'Whether the value is the resulting stat instead of an addition; shown without `+`.',
  example: false,
});

const ClassStatBody = z
  .object({
    name: string('Name of the stat.', 'Physical Damage'),
    value: numberOrNull('Value at the last class level; null if the class lacks the stat.', 4850),
    percentage,
    absolute,
  })
  .openapi('ClassStat', { description: 'A stat of a class.' });

const ClassLevelStatBody = z
  .object({
    name: string('Name of the stat; `Maximum Health %` and the like are the percentages on it.', 'Physical Damage'),
    value: numberOrNull('Amount, in display units of the game; null if the class lacks the stat.', 20),
    percentage,
    absolute,
  })
  .openapi('ClassLevelStat', { description: 'What a class gains on a stat at a level.' });

const bonusFields = {
  name: string('Name of the stat.', 'Physical Damage'),
  value: number('Amount, in display units of the game.', 10),
  percentage,
  absolute,
};
const ClassBonusBody = z.object(bonusFields).openapi('ClassBonus', { description: 'Bonus of a class on one of its own stats.' });
const SubclassBonusBody = z
  .object(bonusFields)
  .openapi('SubclassBonus', { description: 'Bonus of a subclass on a stat at one of its levels.' });

const SubclassBody = z
  .object({
    name: string('Name of the subclass ability.', 'Personal Song'),
    description: string(
      'Effect of the ability: a text of the class table of the service, as stored there, not of the game files.',
      'Attacking cycles three self-buffs: Jubilant, Peaceful, Battle.',
    ),
    level: z.record(z.string(), z.array(SubclassBonusBody)).openapi({
      description: 'Passive bonuses by subclass level: 1, 10, 15, 20, 25 and 30.',
      example: { 30: [{ name: 'Critical Damage', value: 15, percentage: true, absolute: false }] },
    }),
    power: z.record(z.string(), z.string()).openapi({
      description:
        'Effect of the ability by subclass power rank: 1, then every 5,000 up to 40,000. Texts of the class table of the service, as stored there.',
      example: { 1: 'heals 30%', 40000: 'heals 50%' },
    }),
  })
  .openapi('Subclass', { description: 'Bonuses of a class used as a subclass.' });

const AbilityStageBody = z
  .object({
    name: string('Name of the stage; not unique.', 'Nimble Dance'),
    base: number('Flat damage.', 10),
    multiplier: number('Share of the damage stat; 2 is 200 %.', 2),
    prefab: string(
      'File of the hit in the newest indexed game files, below `prefabs/`; absent if it is not found.',
      'abilities/bard/epic_riff_buff',
    ).optional(),
    max_health_percent: number(
      'Damage as percent of the maximum health of the target; absent unless the file has the same `multiplier`.',
      1.5,
    ).optional(),
    crit_chance_bonus: number(
      'Percent added to the chance of a critical hit; absent unless the file has the same `multiplier`.',
      0,
    ).optional(),
  })
  .openapi('ClassAbilityStage', { description: 'One hit of an ability.' });

const AbilityHealingBody = z
  .object({
    prefab: string('File below `prefabs/`, without `.binfab`.', 'abilities/bard/peaceful_song/buff_heal'),
    health: number('Health.', 0),
    max_health_percent: number('Percent of the maximum health.', 20),
    energy: number('Energy.', 0),
    max_energy_percent: number('Percent of the maximum energy.', 0),
  })
  .openapi('ClassAbilityHealing', { description: 'What an ability heals or restores, each time.' });

const AbilityEffectBody = z
  .object({
    prefab: string('File below `prefabs/`, without `.binfab`.', 'abilities/candybarbarian/ragecandy_effect_buff'),
    duration: z.number().nullable().openapi({ description: 'Seconds; null for an effect without an end of its own.', example: 4 }),
    stats: z.array(ClassLevelStatBody).readonly().openapi({ description: 'Stats that the effect changes.' }),
  })
  .openapi('ClassAbilityEffect', { description: 'An effect of an ability that changes stats.' });

const ClassAbilityBody = z
  .object({
    name: string('Name of the ability.', 'Nimble Dance'),
    prefab: z.string().nullable().openapi({
      description: 'File below `prefabs/`, without `.binfab`; null for a manually maintained ability.',
      example: 'abilities/bard/nimble_dance',
    }),
    icon: string('Icon of the ability in the game files; empty if unknown.', ''),
    type: string('`Active`, `Passive` or `Upgrade`; empty if unknown.', 'Active'),
    active: z.boolean().openapi({ description: '`false`: still in the game files, no longer used by the class.', example: true }),
    energy: number('Energy that the ability costs, from the newest indexed game files; absent if they do not tell.', 35).optional(),
    cooldown: number('Cooldown in seconds, from the newest indexed game files; absent if they do not tell.', 8).optional(),
    healing: z
      .array(AbilityHealingBody)
      .readonly()
      .optional()
      .openapi({ description: 'Healing by the ability, from the newest indexed game files; absent without any.' }),
    effects: z
      .array(AbilityEffectBody)
      .readonly()
      .optional()
      .openapi({ description: 'Effects that change stats, from the newest indexed game files; absent without any.' }),
    stages: z.array(AbilityStageBody).openapi({ description: 'Hits of the ability; empty for abilities without damage.' }),
  })
  .openapi('ClassAbility', { description: 'An ability of a class.' });

export const ClassBody = z
  .object({
    tech_name: string('Stable lookup name of the class.', 'icemage'),
    name: string('Display name in the game.', 'Ice Sage'),
    shorts: z
      .array(z.string())
      .readonly()
      .openapi({ description: 'Short names players use.', example: ['IS'] }),
    damage_type: namedEnum('ClassDamageType', 'Damage stat of a class.', ['Physical', 'Magic']).openapi({
      description: 'Damage stat of the class.',
      example: 'Magic',
    }),
    weapons: z
      .array(namedEnum('ClassWeapon', 'Weapon of a class.', ['Sword', 'Bow', 'Gun', 'Staff', 'Spear', 'Fist']))
      .readonly()
      .openapi({ description: 'Weapons the class can use.', example: ['Staff'] }),
    attributes: z
      .array(z.string())
      .readonly()
      .openapi({ description: 'Special attributes of the class.', example: ['Infinite Attack Speed'] }),
    stats: z.array(ClassStatBody).openapi({ description: 'Stats at the last level, the same list for every class.' }),
    bonuses: z.array(ClassBonusBody).openapi({ description: 'Percentage bonuses of the class on its own stats.' }),
    levels: z
      .record(z.string(), z.array(ClassLevelStatBody).readonly())
      .optional()
      .openapi({
        description:
          'What each level from 1 to 30 adds, from the newest indexed game files; absent unless the levels add up to `stats` and `bonuses`.',
        example: { 2: [{ name: 'Physical Damage', value: 20, percentage: false, absolute: false }] },
      }),
    subclass: SubclassBody,
    abilities: z.array(ClassAbilityBody).openapi({ description: 'Abilities, including those no longer used.' }),
  })
  .openapi('Class', { description: 'A playable class, as raw game data.' });

const ClassesBody = z
  .object({
    items: z.array(ClassBody).readonly().openapi({ description: 'All classes, by display name.' }),
    count: integer('Number of classes.', 18),
  })
  .openapi('Classes', { description: 'All playable classes.' });

const ClassParams = z.object({
  tech_name: choice(CLASS_TECH_NAMES, {
    code: 'not_found',
    example: 'icemage',
    description: 'The `tech_name` of the class (exact match).',
  }),
});

/** A number; null is treated as absent. */
const figure = (description: string, example: number) =>
  z
    .number()
    .nullish()
    .openapi({ type: ['number', 'null'], minimum: 0, description, example });

/** Critical Damage and one damage stat are required. The rule checks this, because the status must be 400 instead of 422. */
export const CoefficientInput = z
  .object({
    physical_damage: figure('Physical Damage. One of the two damage stats is required; the larger one is used.', 20_000),
    magic_damage: figure('Magic Damage.', 15_000),
    critical_damage: z
      .number()
      .nullish()
      .openapi({ type: 'number', minimum: 0, description: 'Critical Damage in percent.', example: 1250.5 }),
  })
  .openapi('CoefficientInput', { description: 'Stats of a character.', required: ['critical_damage'] });

const CoefficientBody = z
  .object({
    coefficient: integer('The coefficient, rounded down.', 270_100),
    damage_used: namedEnum('CoefficientDamage', 'Damage stat of a coefficient.', ['physical', 'magic']).openapi({
      description: 'The damage stat used; physical if both are equal.',
      example: 'physical',
    }),
    formula: z.literal(COEFFICIENT_FORMULA).openapi({ description: 'Formula of the coefficient.', example: COEFFICIENT_FORMULA }),
  })
  .openapi('Coefficient', { description: 'Damage of a critical hit.' });

const StatSourceBody = z
  .object({
    name: string('Name of the source.', 'Ally'),
    value: number('Maximum amount, in display units of the game.', 450),
    type: namedEnum('StatSourceType', 'Kind of source.', ['slider', 'switch']).openapi({
      description: '`slider`: any amount up to `value`; `switch`: all or nothing.',
      example: 'slider',
    }),
    percentage: z.boolean().openapi({ description: 'Whether the game shows the value as a percentage.', example: false }),
    step: numberOrNull('Step of a slider; null for switches and if unknown.', 10),
    permanent: z
      .boolean()
      .nullable()
      .openapi({ description: 'Whether the source is permanent; known for Light only, otherwise null.', example: true }),
  })
  .openapi('StatSource', { description: 'One source of a stat.' });

const StatTableBody = z
  .object({
    stat: namedEnum('StatTableName', 'Stat of a table.', ['power-rank', 'magic-find', 'light']).openapi({
      description: 'Last segment of the path.',
      example: 'light',
    }),
    label: string('Name of the stat.', 'Light'),
    sources: z.array(StatSourceBody).readonly().openapi({ description: 'All sources, in the order of the game.' }),
    count: integer('Number of sources.', 18),
  })
  .openapi('StatTable', { description: 'All sources of a stat, without totals.' });

interface StatTable {
  stat: StatTableKey;
  label: string;
  sources: readonly StatSource[];
  count: number;
}

/** All sources of a stat, without totals. */
export function statTable(stat: StatTableKey): StatTable {
  const { label, sources } = STAT_TABLES[stat];
  return { stat, label, sources, count: sources.length };
}

/** Maximum cache age in seconds. Game data changes only with deployments; one hour limits the delay of corrections. */
const MAX_AGE = SECONDS_PER_HOUR;

/** Cache lifetime of the figures of classes, which change with a version of the game. */
const FIGURES_TTL_MS = 300_000;

/** A class with its levels and the figures of its abilities, as far as they are known. */
type ClassWithFigures = Omit<GameClass, 'abilities'> & {
  levels?: ClassLevelTable[string];
  abilities: AbilityWithFigures[];
};

type AbilityWithFigures = Omit<ClassAbility, 'stages'> &
  Omit<AbilityFigures, 'hits'> & { stages: (ClassAbility['stages'][number] & Partial<AbilityHit>)[] };

/** The classes, serialized once for each reading of their figures. */
function createClassBodies(readFigures: () => Promise<ClassFigures | null>) {
  const cached = createRevalidatingCache(readFigures, FIGURES_TTL_MS);
  let built: { for: ClassFigures | null; bodies: ReturnType<typeof bodiesOf> } | null = null;
  return async () => {
    const figures = await cached.get();
    if (built?.for !== figures || built === null) built = { for: figures, bodies: bodiesOf(figures) };
    return built.bodies;
  };
}

function withFigures({ stages, ...ability }: ClassAbility, { hits, ...figures }: AbilityFigures = {}): AbilityWithFigures {
  return { ...ability, ...figures, stages: stages.map((stage, index) => ({ ...stage, ...hits?.[index] })) };
}

function bodiesOf(figures: ClassFigures | null) {
  const classes = CLASSES.map((entry): ClassWithFigures => {
    const levels = figures?.levels[entry.tech_name];
    const abilities = entry.abilities.map((ability) => withFigures(ability, figures?.abilities[ability.prefab ?? '']));
    return { ...entry, abilities, ...(levels ? { levels } : {}) };
  });
  const byName = new Map(classes.map((entry) => [entry.tech_name, cachedJson(() => entry, MAX_AGE)]));
  return {
    all: cachedJson(() => ({ items: classes, count: classes.length }), MAX_AGE),
    /** Throws for an unknown name. */
    of(techName: string): Representation<ClassWithFigures> {
      const body = byName.get(techName);
      if (!body) throw new RangeError(`class not found: ${techName}`);
      return body();
    },
  };
}

const readRoute = { method: 'get', tag: 'Stats', access: tokenAccess('stats:read') } as const;

interface StatTableRoute {
  path: string;
  stat: StatTableKey;
  label: string;
  operationId: string;
  note: string;
}

function statTableRoute({ path, stat, label, operationId, note }: StatTableRoute): Endpoint {
  const table = statTable(stat);
  return defineRoute({
    ...readRoute,
    path,
    operationId,
    summary: `List ${label} sources`,
    description: `Lists all sources of ${label} as raw game data, without totals. ${note}`,
    ok: { description: `The sources of ${label}.`, schema: StatTableBody, example: { ...table, sources: table.sources.slice(0, 1) } },
    table: listTable(StatTableBody, 'sources'),
  }).handle(cachedJson(() => table, MAX_AGE));
}

/** Endpoints of stat tables, classes and the coefficient. `readFigures`: what the game files tell of classes. */
export const createStatsEndpoints = (readFigures: () => Promise<ClassFigures | null>): Endpoint[] => {
  const classBodies = createClassBodies(readFigures);
  return [
    statTableRoute({
      path: '/v1/stats/power-rank',
      stat: 'power-rank',
      label: 'Power Rank',
      operationId: 'getPowerRankSources',
      note: '`step` and `permanent` are null.',
    }),
    statTableRoute({
      path: '/v1/stats/magic-find',
      stat: 'magic-find',
      label: 'Magic Find',
      operationId: 'getMagicFindSources',
      note: '`step` and `permanent` are null.',
    }),
    statTableRoute({
      path: '/v1/stats/light',
      stat: 'light',
      label: 'Light',
      operationId: 'getLightSources',
      note: '`permanent` is set for all sources, `step` for sliders.',
    }),

    defineRoute({
      ...readRoute,
      path: '/v1/stats/classes',
      operationId: 'listClasses',
      summary: 'List classes',
      description: 'Lists the 18 playable classes with stats, bonuses, subclass and abilities, as raw game data.',
      ok: { description: 'All classes.', schema: ClassesBody },
      table: listTable(ClassesBody, 'items', ['levels']),
    }).handle(async () => (await classBodies()).all()),

    defineRoute({
      ...readRoute,
      path: '/v1/stats/classes/{tech_name}',
      operationId: 'getClass',
      summary: 'Get a class',
      description: 'Returns a class by its technical name, which differs from the display name. Case-sensitive.',
      params: ClassParams,
      errors: ['not_found'],
      ok: { description: 'The class.', schema: ClassBody },
    }).handle(async ({ params }) => (await classBodies()).of(params.tech_name)),

    defineRoute({
      method: 'post',
      tag: 'Stats',
      access: tokenlessAccess('stats:read'),
      isStateless: true,
      path: '/v1/stats/coefficient',
      operationId: 'calculateCoefficient',
      summary: 'Calculate a coefficient',
      description: 'Calculates the damage of a critical hit: the larger damage stat times one plus Critical Damage, rounded down.',
      body: CoefficientInput,
      ok: { description: 'The coefficient.', schema: CoefficientBody },
    }).handle(({ body }) => json(applyRule('body', body, () => coefficientOf(body)))),
  ];
};
