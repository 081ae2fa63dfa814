import { z } from '@hono/zod-openapi';
import { CLASS_TECH_NAMES } from '../../game/classes.domain.ts';
import { COEFFICIENT_FORMULA } from '../../game/coefficient.domain.ts';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import { choice } from '../../platform/http/pipeline/query-schemas.ts';

const text = (description: string, example: string) => z.string().openapi({ description, example });
const percentage = z.boolean().openapi({ description: 'Whether the game shows the value as a percentage.', example: false });

const absolute = z.boolean().openapi({
  description: 'Whether the value is the resulting stat instead of an addition; shown without `+`.',
  example: false,
});

const ClassStatBody = z
  .object({
    name: text('Name of the stat.', 'Physical Damage'),
    value: z
      .number()
      .nullable()
      .openapi({ description: 'Value at the last class level; null if the class lacks the stat.', example: 4850 }),
    percentage,
    absolute,
  })
  .openapi('ClassStat', { description: 'A stat of a class.' });

const bonusFields = {
  name: text('Name of the stat.', 'Physical Damage'),
  value: z.number().openapi({ description: 'Amount, in display units of the game.', example: 10 }),
  percentage,
  absolute,
};
const ClassBonusBody = z.object(bonusFields).openapi('ClassBonus', { description: 'Bonus of a class on one of its own stats.' });
const SubclassBonusBody = z
  .object(bonusFields)
  .openapi('SubclassBonus', { description: 'Bonus of a subclass on a stat at one of its levels.' });

const SubclassBody = z
  .object({
    name: text('Name of the subclass ability.', 'Personal Song'),
    description: text(
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
    name: text('Name of the stage; not unique.', 'Nimble Dance'),
    base: z.number().openapi({ description: 'Flat damage.', example: 10 }),
    multiplier: z.number().openapi({ description: 'Share of the damage stat; 2 is 200 %.', example: 2 }),
  })
  .openapi('ClassAbilityStage', { description: 'One hit of an ability.' });

const ClassAbilityBody = z
  .object({
    name: text('Name of the ability.', 'Nimble Dance'),
    prefab: z.string().nullable().openapi({
      description: 'File below `prefabs/`, without `.binfab`; null for a manually maintained ability.',
      example: 'abilities/bard/nimble_dance',
    }),
    icon: text('Icon of the ability in the game files; empty if unknown.', ''),
    type: text('`Active`, `Passive` or `Upgrade`; empty if unknown.', 'Active'),
    active: z.boolean().openapi({ description: '`false`: still in the game files, no longer used by the class.', example: true }),
    stages: z.array(AbilityStageBody).openapi({ description: 'Hits of the ability; empty for abilities without damage.' }),
  })
  .openapi('ClassAbility', { description: 'An ability of a class.' });

export const ClassBody = z
  .object({
    tech_name: text('Stable lookup name of the class.', 'icemage'),
    name: text('Display name in the game.', 'Ice Sage'),
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
    subclass: SubclassBody,
    abilities: z.array(ClassAbilityBody).openapi({ description: 'Abilities, including those no longer used.' }),
  })
  .openapi('Class', { description: 'A playable class, as raw game data.' });

export const ClassesBody = z
  .object({
    items: z.array(ClassBody).readonly().openapi({ description: 'All classes, by display name.' }),
    count: z.number().int().openapi({ description: 'Number of classes.', example: 18 }),
  })
  .openapi('Classes', { description: 'All playable classes.' });

export const ClassParams = z.object({
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

export const CoefficientBody = z
  .object({
    coefficient: z.number().int().openapi({ description: 'The coefficient, rounded down.', example: 270_100 }),
    damage_used: namedEnum('CoefficientDamage', 'Damage stat of a coefficient.', ['physical', 'magic']).openapi({
      description: 'The damage stat used; physical if both are equal.',
      example: 'physical',
    }),
    formula: z.literal(COEFFICIENT_FORMULA).openapi({ description: 'Formula of the coefficient.', example: COEFFICIENT_FORMULA }),
  })
  .openapi('Coefficient', { description: 'Damage of a critical hit.' });

const StatSourceBody = z
  .object({
    name: z.string().openapi({ description: 'Name of the source.', example: 'Ally' }),
    value: z.number().openapi({ description: 'Maximum amount, in display units of the game.', example: 450 }),
    type: namedEnum('StatSourceType', 'Kind of source.', ['slider', 'switch']).openapi({
      description: '`slider`: any amount up to `value`; `switch`: all or nothing.',
      example: 'slider',
    }),
    percentage: z.boolean().openapi({ description: 'Whether the game shows the value as a percentage.', example: false }),
    step: z.number().nullable().openapi({ description: 'Step of a slider; null for switches and if unknown.', example: 10 }),
    permanent: z
      .boolean()
      .nullable()
      .openapi({ description: 'Whether the source is permanent; known for Light only, otherwise null.', example: true }),
  })
  .openapi('StatSource', { description: 'One source of a stat.' });

export const StatTableBody = z
  .object({
    stat: namedEnum('StatTableName', 'Stat of a table.', ['power-rank', 'magic-find', 'light']).openapi({
      description: 'Last segment of the path.',
      example: 'light',
    }),
    label: z.string().openapi({ description: 'Name of the stat.', example: 'Light' }),
    sources: z.array(StatSourceBody).readonly().openapi({ description: 'All sources, in the order of the game.' }),
    count: z.number().int().openapi({ description: 'Number of sources.', example: 18 }),
  })
  .openapi('StatTable', { description: 'All sources of a stat, without totals.' });
