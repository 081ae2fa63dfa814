import { z } from '@hono/zod-openapi';
import { BRANCH_NAMES, LIVE_BRANCH } from '../../../game/branches.data.ts';
import { choice, integerWithDefault, MAX_LANGUAGE_LENGTH, requiredInteger } from '../../../platform/http/pipeline/query-schemas.ts';
import { DEFAULT_SORT, SORT_CHOICES } from './codex-texts.data.ts';

/** No branch has more than 5,000 pages of 48 entries. */
const MAX_PAGE = 5000;
const MAX_PATH_LENGTH = 1024;
const MAX_TEXT_LENGTH = 200;

const branch = choice(BRANCH_NAMES, { code: 'not_found', description: 'Branch.', example: LIVE_BRANCH }).default(LIVE_BRANCH);
const lang = z.string().max(MAX_LANGUAGE_LENGTH).optional().openapi({ description: 'Language of names and descriptions.', example: 'en' });
const page = integerWithDefault({ min: 1, max: MAX_PAGE, default: 1, description: 'Page, from 1.', example: 1 });
const q = z.string().max(MAX_TEXT_LENGTH).optional().openapi({ description: 'Text to find in names and descriptions.', example: 'cat' });

const path = z
  .string()
  .min(1)
  .max(MAX_PATH_LENGTH)
  .openapi({ description: 'Exact logical path of the entry.', example: 'prefabs/collections/mount/cat.binfab' });

export function codexPageSchemas<Type extends string, Rel extends string>(types: readonly Type[], rels: readonly Rel[]) {
  const exampleType = types.find((type) => type === 'mount') ?? ('' as Type);
  const exampleRel = rels.find((rel) => rel === 'ingredient') ?? ('' as Rel);
  return {
    IndexQuery: z.object({ branch, lang, q, page }),
    TypeParams: z.object({ type: choice(types, { code: 'not_found', description: 'Type of codex.', example: exampleType }) }),
    ListQuery: z.object({
      branch,
      lang,
      q,
      page,
      category: z.string().max(MAX_PATH_LENGTH).optional().openapi({ description: 'Exact category.', example: 'Felines' }),
      sort: choice(SORT_CHOICES, { code: 'bad_request', description: 'Order of the entries.', example: DEFAULT_SORT }).default(
        DEFAULT_SORT,
      ),
    }),
    BuildsQuery: z.object({ branch }),
    PatchParams: z.object({
      ordinal: requiredInteger({ min: 1, max: 1_000_000_000, description: 'Version of the archive.', example: 2 }),
    }),
    PatchQuery: z.object({ branch, page }),
    TreeQuery: z.object({
      branch,
      path,
      quantity: integerWithDefault({ min: 1, max: 1_000_000, default: 1, description: 'Quantity to make.', example: 1 }),
    }),
    PreviewQuery: z.object({ branch, path }),
    EntryQuery: z.object({
      branch,
      lang,
      page,
      path,
      direction: choice(['out', 'in'] as const, {
        code: 'bad_request',
        description: 'Direction of the relation in `rel`.',
        example: 'in',
      }).default('in'),
      rel: choice(rels, { code: 'bad_request', description: 'Only this relation, paginated.', example: exampleRel }).optional(),
    }),
  };
}
