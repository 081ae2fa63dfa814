import { z } from '@hono/zod-openapi';
import { namedEnum, orNull } from '../../../platform/http/bodies/body-schemas.ts';

export const text = (description: string, example: string) => z.string().openapi({ description, example });
export const textOrNull = (description: string, example: string) => z.string().nullable().openapi({ description, example });
export const integer = (description: string, example: number) => z.number().int().openapi({ description, example });
export const integerOrNull = (description: string, example: number) => z.number().int().nullable().openapi({ description, example });
const number = (description: string, example: number) => z.number().openapi({ description, example });
const flag = (description: string, example: boolean) => z.boolean().openapi({ description, example });

const REF = 'abilities/mounts/pounce';
const PRODUCT = 'item/crafting/ore';

const StatItem = z
  .object({
    stat: text('Stat, as a key.', '$Stat_MovementSpeed'),
    stat_id: integerOrNull('Number of the stat in the game; null when only its label tells it.', 15),
    stat_name: text('Name of the stat.', 'Movement Speed'),
    operation: text('How it is applied.', 'Add'),
    amount: number('As the game stores it.', 90),
    value: number('As players see it.', 90),
    is_percent: flag('Whether `value` is in per cent.', false),
    label: text('Label of the modifier.', 'ground_movespeed'),
    slot: textOrNull('Where it counts; null for everywhere.', 'mount'),
    slot_name: z.string().optional().openapi({ description: 'Name of the slot.', example: 'Mount' }),
    component: integer('Number of modifiers of the array it stands in.', 1),
    level: integer('0: not from a level.', 0),
  })
  .openapi('CodexStatItem', { description: 'A modifier of a stat.' });

const AbilityItem = z
  .object({
    ref: text('Reference of the ability.', REF),
    hidden: flag('Whether the game never shows it; then it has no texts.', false),
    name: z.string().optional().openapi({ description: 'Name; absent when the game has none.', example: 'Pounce' }),
    key: z.string().optional().openapi({ description: 'Key of its description; absent when it has none.', example: '$pounce_description' }),
    description: z
      .string()
      .optional()
      .openapi({ description: 'What it does; absent when the game has none.', example: 'Pounces on its own.' }),
  })
  .openapi('CodexAbilityItem', { description: 'An ability that an entry refers to.' });

const RecipePart = z
  .object({
    path: text('Reference of the item.', PRODUCT),
    name: text('Its name.', 'Ore'),
    amount: number('How many.', 5),
  })
  .openapi('CodexRecipePart', { description: 'What a recipe takes or makes.' });

const Recipe = z
  .object({
    output: orNull(RecipePart, 'What it makes; null when that is unknown.'),
    ingredients: z.array(RecipePart).openapi({ description: 'What it takes.' }),
    requirements: z.array(text('One.', 'Crafting 50')).openapi({ description: 'What one must have reached.' }),
    mastery: integerOrNull('Mastery for learning it; null if unknown.', 5),
    mastery_source: namedEnum('CodexMasterySource', 'Where a mastery value comes from.', ['multipliers', 'prefab', 'review']).openapi({
      description: 'Where the mastery is known from; `review`: nowhere.',
      example: 'multipliers',
    }),
    mastery_prefab_byte: z.number().int().optional().openapi({ description: 'Mastery that its own file states.', example: 5 }),
    in_catalogue: flag("Whether the game's catalogue of recipes lists it.", true),
    catalogue_order: z.number().int().optional().openapi({ description: 'Its place there.', example: 12 }),
    providers: z
      .array(
        z
          .object({
            provider: text('Where it is crafted.', 'placeable/crafting/workbench_interactive'),
            provider_path: text('Its prefab.', 'prefabs/placeable/crafting/workbench_interactive.binfab'),
            lane: namedEnum('CodexRecipeLane', 'Kind of crafting station.', [
              'profession',
              'bench',
              'vendor',
              'guide',
              'interactive',
              'other',
            ]).openapi({ description: 'Kind of place.', example: 'bench' }),
          })
          .openapi('CodexRecipeProvider', { description: 'A place that crafts a recipe.' }),
      )
      .optional()
      .openapi({ description: 'Where it is crafted.' }),
  })
  .openapi('CodexRecipe', { description: 'A recipe.' });

const Style = z
  .object({
    source_id: text('Identifier of its file.', 'equipment/weapon/style_bow'),
    equipment_ref: text('Name of the piece of equipment.', 'style_bow'),
    resolved_id: text('Identifier of the style.', 'equipment/weapon/style_bow'),
    confidence: z.literal('high').openapi({ description: 'How sure the identifier is.', example: 'high' }),
    family: textOrNull('Kind of equipment.', 'Bow'),
    catalogue: z.string().optional().openapi({ description: 'Loot catalogue that lists it.', example: 'weapon_bow' }),
    raw_category: z.number().int().optional().openapi({ description: 'Its category number there.', example: 10 }),
    base_mastery: z.number().int().optional().openapi({ description: 'Mastery before multipliers.', example: 1 }),
  })
  .openapi('CodexStyle', { description: 'A style of equipment.' });

const CompanionStat = z
  .object({
    stat: text('Stat, as a key.', '$Stat_MaxExploration'),
    stat_id: integer('Its number in the game.', 36),
    stat_name: text('Its name.', 'Exploration'),
    amount: number('As the game stores it.', 10),
    value: number('As players see it.', 10),
    is_percent: flag('Whether `value` is in per cent.', false),
  })
  .openapi('CodexCompanionStat', { description: 'A stat of a level.' });

const CompanionAbility = z
  .object({
    ref: text('Reference of the ability.', 'abilities/discovery/companion/finder'),
    key: textOrNull('Key of its name.', '$finder_name'),
    amount: integer('Always 0.', 0),
    description: z.string().optional().openapi({ description: 'What it does.', example: 'Finds crystals.' }),
  })
  .openapi('CodexCompanionAbility', { description: 'An ability of a level.' });

const Companion = z
  .object({
    upgrade_tree: textOrNull('Its upgrade tree.', 'pup_upgrade_tree'),
    rarity: textOrNull('Its rarity.', 'rare'),
    levels: z
      .array(
        z
          .object({
            level: integer('Level.', 1),
            stats: z.array(CompanionStat).openapi({ description: 'What it grants.' }),
            abilities: z.array(CompanionAbility).openapi({ description: 'What it can do.' }),
          })
          .openapi('CodexCompanionLevel', { description: 'A level of a companion.' }),
      )
      .openapi({ description: 'Levels that grant something.' }),
  })
  .openapi('CodexCompanion', { description: 'A companion of the geodes.' });

export const EntryDataBody = z
  .object({
    stats: z.array(StatItem).optional().openapi({ description: 'Modifiers, for types that have any, in the order of the file.' }),
    abilities: z.array(AbilityItem).optional().openapi({ description: 'Abilities, the hidden ones too.' }),
    recipe: Recipe.optional(),
    style: Style.optional(),
    geode_companion: Companion.optional(),
  })
  .openapi('CodexEntryData', { description: 'What the type adds; empty for types that add nothing.' });
