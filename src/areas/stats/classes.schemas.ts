import { z } from '@hono/zod-openapi';
import { CLASS_TECH_NAMES } from '../../game/classes.domain.ts';
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
