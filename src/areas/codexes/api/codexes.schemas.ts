import { z } from '@hono/zod-openapi';
import { modelImageUrl } from '../../../game/model-image.ts';
import { enumOf, integer, integerOrNull, namedEnum, string } from '../../../platform/http/bodies/body-schemas.ts';
import { NextCursor } from '../../../platform/http/replies/page.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { LINK_DIRECTIONS, LINK_RELS } from '../codex.domain.ts';
import { entryFields } from '../codex-rows.domain.ts';
import { CODEX_TYPES } from '../codex-types.data.ts';
import type { ListedEntry } from './codexes.service.ts';
import { EntryDataBody, textOrNull } from './entry-data.schemas.ts';

const branch = string('Branch.', 'live-us');
const count = integer('Number of items in this response.', 1);
const total = integer('Total number of items.', 1);
const entries = integer('Number of entries.', 3);
const PATH = 'prefabs/collections/mount/cat.binfab';
const type = enumOf(CODEX_TYPES).openapi({ description: 'Type of codex.', example: 'mount' });
const query = (description: string) => textOrNull(description, 'cat');
const imageUrl = textOrNull(
  'URL of an image of the model, 256 x 256 pixels; null without a model.',
  'https://api.example.com/v1/codexes/render?blueprint=c_mount_cat_ui.blueprint&dim=256',
);

/** Fields that a client can select with `fields`. */
export const ENTRY_KEYS = namedValues('CodexEntryField', 'Field of an entry.', [
  ...(['type', 'path', 'name', 'category', 'description', 'tradable', 'mastery', 'mastery_geode', 'power_rank'] as const),
  ...(['blueprint', 'image_url', 'data', 'indexed_at'] as const),
]);
type EntryKey = (typeof ENTRY_KEYS)[number];

export const EntryBody = z
  .object({
    type,
    path: string('Logical path of the prefab; the stable id of the entry.', PATH),
    name: z.string().optional().openapi({ description: 'Name.', example: 'Cat' }),
    category: z.string().optional().openapi({ description: 'Category; empty if none.', example: 'Felines' }),
    description: z.string().optional().openapi({ description: 'Description; may be empty.', example: 'It purrs.' }),
    tradable: z.boolean().nullable().optional().openapi({ description: 'Whether the item can be traded; null if unknown.', example: true }),
    mastery: integerOrNull('Mastery for collecting the item; null if unknown.', 50).optional(),
    mastery_geode: integerOrNull('Geode mastery; null if none.', 10).optional(),
    power_rank: integerOrNull('Power rank; null if none.', 30).optional(),
    blueprint: textOrNull('Model, as a name below `blueprints/`; null if unknown.', 'c_mount_cat_ui.blueprint').optional(),
    image_url: imageUrl.optional(),
    data: EntryDataBody.optional(),
    indexed_at: z
      .string()
      .optional()
      .openapi({ description: 'Time when this content was first seen.', example: '2026-06-08T14:54:12.000Z' }),
    stat_value: z
      .number()
      .nullable()
      .optional()
      .openapi({ description: 'Only in lists with `stat`: best value of the stat; null if unknown.', example: 90 }),
    stat_percent: z
      .boolean()
      .optional()
      .openapi({ description: 'Only in lists with `stat`: whether `stat_value` is a percentage.', example: false }),
  })
  .openapi('CodexEntry', { description: 'A codex entry. `fields` reduces it to `type`, `path` and the named fields.' });
type EntryJson = z.output<typeof EntryBody>;

/** Public URL of the service and branch, for the links of an entry. */
interface EntryContext {
  baseUrl: string;
  branch: string;
}

/** Response body of an entry, reduced to `fields`. */
export function toEntryBody(row: ListedEntry, fields: readonly EntryKey[] | undefined, { baseUrl, branch }: EntryContext): EntryJson {
  const image_url = modelImageUrl(baseUrl, row.blueprint, branch);
  const complete: EntryJson = { ...entryFields(row), image_url, data: JSON.parse(row.data), indexed_at: toIso(row.indexed_at) };
  const stat = row.stat && { stat_value: row.stat.value, stat_percent: row.stat.isPercent };
  if (!fields) return { ...complete, ...stat };
  const selected = Object.entries(complete).filter(([key]) => key === 'type' || key === 'path' || fields.includes(key as EntryKey));
  return { ...(Object.fromEntries(selected) as EntryJson), ...stat };
}

const items = z.array(EntryBody).openapi({ description: 'A page of entries.' });

export const TypesBody = z
  .object({
    branch,
    items: z
      .array(z.object({ type, count: entries }).openapi('CodexTypeCount', { description: 'A type with its number of entries.' }))
      .openapi({ description: 'Types with entries, by name.' }),
    count,
  })
  .openapi('CodexTypes', { description: 'Types with entries.' });

export const LanguagesBody = z
  .object({
    branch,
    items: z
      .array(
        z
          .object({
            code: string('Code of the language, for `lang`.', 'de'),
            name: string('Name of the language in English.', 'German'),
            own_name: string('Name of the language in that language.', 'Deutsch'),
            translated: integer('Number of entries whose name is in the language.', 3),
            total: integer('Number of entries of the branch.', 3),
          })
          .openapi('CodexLanguage', { description: 'A language with its number of translated entries.' }),
      )
      .openapi({ description: 'English, then the other languages by code.' }),
    count,
  })
  .openapi('CodexLanguages', { description: 'Languages of names and descriptions.' });

export const SearchBody = z
  .object({
    branch,
    type: textOrNull('Requested type; null for all.', 'mount'),
    query: query('Requested text; null if none.'),
    items,
    count,
    total,
  })
  .openapi('CodexSearch', { description: 'A page of search results.' });

export const EntriesBody = z.object({ branch, type, items, count, total }).openapi('CodexEntries', { description: 'A page of a codex.' });

export const CategoriesBody = z
  .object({
    branch,
    type,
    items: z
      .array(
        z
          .object({ category: string('Category.', 'Felines'), count: entries })
          .openapi('CodexCategory', { description: 'A category with its number of entries.' }),
      )
      .openapi({ description: 'Categories, A to Z.' }),
    count,
  })
  .openapi('CodexCategories', { description: 'The categories of a type.' });

export const StatKeysBody = z
  .object({
    branch,
    type,
    items: z
      .array(
        z
          .object({
            stat: string('Key of the stat.', '$Stat_MovementSpeed'),
            stat_name: string('Name of the stat.', 'Movement Speed'),
            count: entries,
          })
          .openapi('CodexStatKey', { description: 'A stat with the number of entries that grant it.' }),
      )
      .openapi({ description: 'Stats, A to Z by name.' }),
    count,
  })
  .openapi('CodexStatKeys', { description: 'Stats granted by entries of a type.' });

export const AbilitiesBody = z
  .object({
    branch,
    type,
    items: z
      .array(
        z
          .object({
            ref: string('Reference of the ability.', 'abilities/mounts/pounce'),
            name: string('Name.', 'Pounce'),
            description: string('Effect of the ability.', 'Pounces on its own.'),
            count: entries,
          })
          .openapi('CodexAbility', { description: 'An ability with the number of entries that show it.' }),
      )
      .openapi({ description: 'Abilities, most frequent first.' }),
    count,
  })
  .openapi('CodexAbilities', { description: 'Abilities shown by entries of a type.' });

const nullableType = z
  .string()
  .nullable()
  .openapi({ description: 'Type of the entry; null if the target is not an entry.', example: 'recipe' });
const rel = enumOf(LINK_RELS).openapi({ description: 'Relation.', example: 'ingredient' });
export const LinksBody = z
  .object({
    branch,
    path: string('Source of the relation.', PATH),
    direction: enumOf(LINK_DIRECTIONS).openapi({ description: 'Direction.', example: 'out' }),
    items: z
      .array(
        z
          .object({
            rel,
            path: string('Target of the relation: a path, or the id of an upgrade node.', 'prefabs/collections/collection_mount.binfab'),
            type: nullableType,
            name: string('Name; empty if the target is not an entry.', 'Cat'),
            category: string('Category of the entry.', 'Felines'),
            blueprint: textOrNull('Model of the entry.', 'c_mount_cat_ui.blueprint'),
            image_url: imageUrl,
            qty: z.number().nullable().openapi({ description: 'Quantity; null if not applicable.', example: 5 }),
            data: z.record(z.string(), z.string()).openapi({
              description: 'Details of the relation: `lane`, `group`, or the upgrade node.',
              example: { group: 'Felines' },
            }),
          })
          .openapi('CodexLink', { description: 'A relation, as seen from its source.' }),
      )
      .openapi({ description: 'By relation, then in the order of the source.' }),
    count,
    total,
  })
  .openapi('CodexLinks', { description: 'A page of the relations of a path.' });

export const StatHoldersBody = z
  .object({
    branch,
    stat: string('Key of the requested stat.', '$Stat_MovementSpeed'),
    items: z
      .array(
        z
          .object({
            ...{
              path: string('Path of the entry.', PATH),
              type,
              name: string('Name of the entry.', 'Cat'),
              category: string('Category of the entry.', 'Felines'),
            },
            blueprint: textOrNull('Model of the entry.', 'c_mount_cat_ui.blueprint'),
            image_url: imageUrl,
            stat: string('Stat.', '$Stat_MovementSpeed'),
            stat_name: string('Name of the stat.', 'Movement Speed'),
            value: z.number().nullable().openapi({ description: 'Best value of the entry; null if unknown.', example: 90 }),
            is_percent: z.boolean().openapi({ description: 'Whether `value` is a percentage.', example: false }),
            slot: textOrNull('Where the modifier applies; null for everywhere.', 'mount'),
          })
          .openapi('CodexStatHolder', { description: 'An entry that grants a stat.' }),
      )
      .openapi({ description: 'Entries, highest value first.' }),
    count,
    total,
  })
  .openapi('CodexStatHolders', { description: 'A page of entries that grant a stat.' });

export const EntryListBody = z
  .object({
    branch,
    items: z.array(EntryBody).openapi({ description: 'In the requested order.' }),
    missing: z.array(string('Path.', PATH)).openapi({ description: 'Requested paths without an entry.' }),
    count,
  })
  .openapi('CodexEntryList', { description: 'Entries by path.' });

/** Kind of change of an entry. */
export const changeKind = namedEnum('ChangeType', 'Kind of change.', ['added', 'modified', 'removed']);

export const CodexChangesBody = z
  .object({
    branch,
    since: integer('Requested version.', 0),
    ordinal: integer('Indexed version.', 2),
    items: z
      .array(
        z
          .object({
            path: string('Path of the entry.', PATH),
            type,
            change: changeKind.openapi({ description: 'Last change.', example: 'modified' }),
            ordinal: integer('Version of the change.', 2),
          })
          .openapi('CodexChange', { description: 'The newest change of an entry.' }),
      )
      .openapi({ description: 'By version, then path.' }),
    count,
    total,
  })
  .openapi('CodexChanges', { description: 'Entries that changed after a version.' });

export const CodexFailuresBody = z
  .object({
    branch,
    items: z
      .array(
        z
          .object({ path: string('Path of the file.', PATH), problem: string('Reason of the failure.', 'structure could not be decoded') })
          .openapi('CodexFailure', { description: 'A file that could not be decoded.' }),
      )
      .openapi({ description: 'By path.' }),
    count,
    next_cursor: NextCursor,
  })
  .openapi('CodexFailures', { description: 'A page of the files that could not be decoded.' });
