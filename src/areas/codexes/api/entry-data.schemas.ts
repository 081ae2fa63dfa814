import { z } from '@hono/zod-openapi';
import { integer, integerOrNull, namedEnum, number, orNull, string } from '../../../platform/http/bodies/body-schemas.ts';

export const textOrNull = (description: string, example: string) => z.string().nullable().openapi({ description, example });
const flag = (description: string, example: boolean) => z.boolean().openapi({ description, example });

const REF = 'abilities/mounts/pounce';
const PRODUCT = 'item/crafting/ore';

const StatItem = z
  .object({
    stat: string('Key of the stat.', '$Stat_MovementSpeed'),
    stat_id: integerOrNull('Number of the stat in the game; null if only its label is known.', 15),
    stat_name: string('Name of the stat.', 'Movement Speed'),
    operation: string('How the modifier is applied.', 'Add'),
    amount: number('Value as stored by the game.', 90),
    value: number('Value as displayed in the game.', 90),
    is_percent: flag('Whether `value` is a percentage.', false),
    label: string('Label of the modifier.', 'ground_movespeed'),
    slot: textOrNull('Where the modifier applies; null for everywhere.', 'mount'),
    slot_name: z.string().optional().openapi({ description: 'Name of the slot.', example: 'Mount' }),
    component: integer('Number of modifiers in the same array.', 1),
    level: integer('Level of the modifier; 0 if not from a level.', 0),
  })
  .openapi('CodexStatItem', { description: 'A modifier of a stat.' });

const AbilityItem = z
  .object({
    ref: string('Reference of the ability.', REF),
    hidden: flag('Whether the game never shows the ability; it then has no texts.', false),
    name: z.string().optional().openapi({ description: 'Name; absent if the game has none.', example: 'Pounce' }),
    key: z.string().optional().openapi({ description: 'Key of the description; absent if none.', example: '$pounce_description' }),
    description: z
      .string()
      .optional()
      .openapi({ description: 'Description; absent if the game has none.', example: 'Pounces on its own.' }),
  })
  .openapi('CodexAbilityItem', { description: 'An ability referenced by an entry.' });

const RecipePart = z
  .object({
    path: string('Reference of the item.', PRODUCT),
    name: string('Name of the item.', 'Ore'),
    amount: number('Quantity.', 5),
  })
  .openapi('CodexRecipePart', { description: 'An ingredient or product of a recipe.' });

const Recipe = z
  .object({
    output: orNull(RecipePart, 'Product: the first of `outputs`; null if unknown.'),
    outputs: z.array(RecipePart).openapi({ description: 'All products; most recipes have one.' }),
    ingredients: z.array(RecipePart).openapi({ description: 'Ingredients.' }),
    requirements: z.array(string('Requirement.', 'Crafting 50')).openapi({ description: 'Requirements.' }),
    mastery: integerOrNull('Mastery for learning the recipe; null if unknown.', 5),
    mastery_source: namedEnum('CodexMasterySource', 'Source of a mastery value.', ['multipliers', 'prefab', 'review']).openapi({
      description: 'Source of the mastery value; `review`: unknown.',
      example: 'multipliers',
    }),
    mastery_prefab_byte: z.number().int().optional().openapi({ description: 'Mastery stated in the file of the recipe.', example: 5 }),
    in_catalogue: flag('Whether the recipe catalogue of the game lists the recipe.', true),
    catalogue_order: z.number().int().optional().openapi({ description: 'Position in the catalogue.', example: 12 }),
    providers: z
      .array(
        z
          .object({
            provider: string('Crafting station.', 'placeable/crafting/workbench_interactive'),
            provider_path: string('Path of the prefab.', 'prefabs/placeable/crafting/workbench_interactive.binfab'),
            lane: namedEnum('CodexRecipeLane', 'Kind of crafting station.', [
              'profession',
              'bench',
              'vendor',
              'guide',
              'interactive',
              'other',
            ]).openapi({ description: 'Kind of crafting station.', example: 'bench' }),
          })
          .openapi('CodexRecipeProvider', { description: 'A crafting station of a recipe.' }),
      )
      .optional()
      .openapi({ description: 'Crafting stations.' }),
  })
  .openapi('CodexRecipe', { description: 'A recipe.' });

const Style = z
  .object({
    source_id: string('Identifier of the file of the style.', 'equipment/weapon/style_bow'),
    equipment_ref: string('Name of the piece of equipment.', 'style_bow'),
    resolved_id: string('Identifier of the style.', 'equipment/weapon/style_bow'),
    confidence: z.literal('high').openapi({ description: 'Certainty of the identifier.', example: 'high' }),
    family: textOrNull('Kind of equipment.', 'Bow'),
    catalogue: z.string().optional().openapi({ description: 'Loot catalogue that lists the style.', example: 'weapon_bow' }),
    raw_category: z.number().int().optional().openapi({ description: 'Category number in the catalogue.', example: 10 }),
    base_mastery: z.number().int().optional().openapi({ description: 'Mastery before multipliers.', example: 1 }),
  })
  .openapi('CodexStyle', { description: 'A style of equipment.' });

const CompanionStat = z
  .object({
    stat: string('Key of the stat.', '$Stat_MaxExploration'),
    stat_id: integer('Number of the stat in the game.', 36),
    stat_name: string('Name of the stat.', 'Exploration'),
    amount: number('Value as stored by the game.', 10),
    value: number('Value as displayed in the game.', 10),
    is_percent: flag('Whether `value` is a percentage.', false),
  })
  .openapi('CodexCompanionStat', { description: 'A stat of a level.' });

const CompanionAbility = z
  .object({
    ref: string('Reference of the ability.', 'abilities/discovery/companion/finder'),
    key: textOrNull('Key of the name.', '$finder_name'),
    amount: integer('Always 0.', 0),
    description: z.string().optional().openapi({ description: 'Effect of the ability.', example: 'Finds crystals.' }),
  })
  .openapi('CodexCompanionAbility', { description: 'An ability of a level.' });

const Companion = z
  .object({
    upgrade_tree: textOrNull('Upgrade tree.', 'pup_upgrade_tree'),
    rarity: textOrNull('Rarity.', 'rare'),
    levels: z
      .array(
        z
          .object({
            level: integer('Level.', 1),
            stats: z.array(CompanionStat).openapi({ description: 'Stats granted.' }),
            abilities: z.array(CompanionAbility).openapi({ description: 'Abilities granted.' }),
          })
          .openapi('CodexCompanionLevel', { description: 'A level of a companion.' }),
      )
      .openapi({ description: 'Levels that grant something.' }),
  })
  .openapi('CodexCompanion', { description: 'A geode companion.' });

export const EntryDataBody = z
  .object({
    stats: z.array(StatItem).optional().openapi({ description: 'Modifiers, for types that have any, in the order of the file.' }),
    abilities: z.array(AbilityItem).optional().openapi({ description: 'Abilities, including hidden ones.' }),
    recipe: Recipe.optional(),
    style: Style.optional(),
    geode_companion: Companion.optional(),
  })
  .openapi('CodexEntryData', { description: 'Type-specific data; empty if the type has none.' });
