import { z } from '@hono/zod-openapi';
import { BRANCH_NAMES } from '../../../game/branches.data.ts';
import {
  choice,
  integerWithDefault,
  MAX_LANGUAGE_LENGTH,
  nameList,
  optionalBoolean,
  optionalInteger,
  requiredInteger,
} from '../../../platform/http/pipeline/query-schemas.ts';
import { LINK_DIRECTIONS, LINK_RELS } from '../codex.domain.ts';
import { CODEX_TYPES } from '../codex-types.data.ts';
import { ENTRY_KEYS } from './codexes.schemas.ts';
import { SORTS } from './entry-filter.domain.ts';

const MAX_ITEMS = 1_000_000_000;
const MAX_ROUTE_PATH_LENGTH = 1024;
const MAX_TEXT_LENGTH = 200;
const MAX_PATHS = 200;
/** Base64 of the JSON of a path. */
const MAX_CURSOR_LENGTH = 6000;
const PATH_EXAMPLE = 'prefabs/collections/mount/cat.binfab';
const STAT_EXAMPLE = '$Stat_MovementSpeed';

export const branch = choice(BRANCH_NAMES, { code: 'not_found', description: 'Branch.', example: 'live-us' }).default('live-us');
const limit = (defaultLimit: number) =>
  integerWithDefault({
    min: 1,
    max: 200,
    default: defaultLimit,
    description: 'Maximum number of items on the page, 1 to 200.',
    example: defaultLimit,
  });
const offset = integerWithDefault({ min: 0, max: MAX_ITEMS, default: 0, description: 'Number of items to skip.', example: 0 });
const page = { limit: limit(50), offset };
const path = z.string().min(1).max(MAX_ROUTE_PATH_LENGTH);
const optionalText = (description: string, example: string) =>
  z.string().max(MAX_ROUTE_PATH_LENGTH).optional().openapi({ description, example });
const type = (description: string) => choice(CODEX_TYPES, { code: 'not_found', description, example: 'mount' });
const optionalType = type('Only entries of this type.').optional();
const text = z.string().max(MAX_TEXT_LENGTH).optional().openapi({
  description:
    'Literal text contained in name or description, case-insensitive; blank for any. With `lang`, in the texts of that language.',
  example: 'cat',
});
const fields = nameList(ENTRY_KEYS, {
  description: 'Comma-separated fields to return besides `type` and `path`.',
  example: ['name', 'blueprint'],
}).optional();

const lang = z.string().max(MAX_LANGUAGE_LENGTH).optional().openapi({
  description:
    'Language of names and descriptions, one of `/v1/codexes/languages`; what is not translated is in English. `Content-Language` names the languages of the response. Default: English.',
  example: 'en',
});

const filters = {
  branch,
  category: optionalText('Only this category (exact match).', 'Felines'),
  tradable: optionalBoolean({
    description: 'Only tradable or only untradable entries; unknown ones match neither.',
    example: true,
  }),
  stat: optionalText(
    'Only entries that grant this stat: its key, or the name after `$Stat_`, case-insensitive. Adds `stat_value` and `stat_percent` to every entry.',
    STAT_EXAMPLE,
  ),
  ability: optionalText('Only entries that show this ability.', 'abilities/mounts/pounce'),
  sort: choice(SORTS, {
    code: 'bad_request',
    description: 'Sort order; prefix `-` for descending. `stat_value` requires `stat`; without it, entries are sorted by name.',
    example: 'name',
  }).default('name'),
  fields,
  lang,
  ...page,
};

export const BranchQuery = z.object({ branch });
export const SearchQuery = z.object({ q: text, type: optionalType, ...filters });
export const EntriesQuery = z.object({ search: text, ...filters });
export const TypeParams = z.object({ type: type('Type of codex.') });
export const EntryQuery = z.object({
  branch,
  path: path.openapi({ description: 'Logical path of the prefab (exact match).', example: PATH_EXAMPLE }),
  fields,
  lang,
});
export const EntryListQuery = z.object({
  branch,
  paths: z
    .array(path)
    .min(1)
    .max(MAX_PATHS)
    .openapi({ description: 'Path of an entry; repeatable, up to 200 times.', example: [PATH_EXAMPLE] }),
  fields,
  lang,
});
export const LinksQuery = z.object({
  branch,
  path: path.openapi({
    description: 'Entry, item or upgrade node (`<system>:<node>`). Accepts any form of a path.',
    example: PATH_EXAMPLE,
  }),
  direction: choice(LINK_DIRECTIONS, {
    code: 'bad_request',
    description: '`out`: relations from the entry; `in`: relations to the entry.',
    example: 'out',
  }).default('out'),
  rel: choice(LINK_RELS, { code: 'bad_request', description: 'Only this relation.', example: 'member_of' }).optional(),
  lang,
  limit: limit(200),
  offset,
});
export const HoldersQuery = z.object({
  branch,
  stat: z
    .string()
    .min(1)
    .max(MAX_TEXT_LENGTH)
    .openapi({ description: 'Stat: its key, or the name after `$Stat_`, case-insensitive.', example: STAT_EXAMPLE }),
  type: optionalType,
  lang,
  ...page,
});
export const RequirementsQuery = z.object({
  branch,
  collection: path.openapi({ description: 'Badge; accepts any form of its path.', example: 'collections/badge/mining_bronze' }),
});
export const SystemParams = z.object({
  system_key: z.string().max(MAX_TEXT_LENGTH).openapi({ description: 'Progression system.', example: 'module_demo' }),
});
export const ChangesQuery = z.object({
  branch,
  since: integerWithDefault({
    min: 0,
    max: MAX_ITEMS,
    default: 0,
    example: 0,
    description: 'Version of the archive that the client has; 0 for none.',
  }),
  ...page,
});
export const DumpQuery = z.object({
  branch,
  ordinal: optionalInteger({
    min: 1,
    max: MAX_ITEMS,
    example: 2,
    description: 'Version of the archive, one of `/v1/codexes/builds`; defaults to the newest.',
  }),
});
export const BuildParams = z.object({
  ordinal: requiredInteger({ min: 1, max: MAX_ITEMS, description: 'Version of the archive, one of `/v1/codexes/builds`.', example: 2 }),
});
export const BuildChangesQuery = z.object({ branch, ...page });
export const FailuresQuery = z.object({
  branch,
  limit: limit(50),
  cursor: z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .optional()
    .openapi({ description: 'The `next_cursor` of the previous page.', example: 'WyJwcmVmYWJzL2EuYmluZmFiIl0' }),
});
