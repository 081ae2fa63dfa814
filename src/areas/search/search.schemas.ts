import { z } from '@hono/zod-openapi';
import { SEARCH_TYPES } from '../../platform/area/search-source.ts';
import { documentedValues } from '../../platform/http/bodies/body-schemas.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';

const MATCH_FIELDS = namedValues('SearchMatchField', 'Part of a hit.', ['name', 'text']);

const shown = {
  type: z.enum(SEARCH_TYPES).openapi({ description: 'Type of the hit.', example: 'codex', ...documentedValues(SEARCH_TYPES) }),
  name: z.string().openapi({ description: 'Name.', example: 'Cat' }),
  about: z.string().openapi({ description: 'Category, author or page; may be empty.', example: 'mount, Felines' }),
  image: z.string().nullable().openapi({
    description: 'URL of an image; null if none.',
    example: 'https://api.example.com/v1/codexes/render?blueprint=c_mount_cat_ui.blueprint&dim=256',
  }),
  link: z.string().openapi({
    description: 'URL of the page of the hit, or of its endpoint if it has no page.',
    example: 'https://api.example.com/codex/mount/entry?path=prefabs%2Fcollections%2Fmount%2Fcat.binfab',
  }),
};

const SearchHitBody = z
  .object({
    ...shown,
    score: z.number().openapi({ description: 'From 0 to 1; a name that equals the query has 1. Names have at least 0.5.', example: 1 }),
    matched: z
      .object({
        field: z.enum(MATCH_FIELDS).openapi({
          description: 'Whether the name has the words, or only the text.',
          example: 'name',
          ...documentedValues(MATCH_FIELDS),
        }),
        words: z
          .array(z.string())
          .openapi({ description: 'Words of the hit that matched, in lower case without accents.', example: ['cat'] }),
        typos: z.int().openapi({ description: 'Letters by which these words differ from the query.', example: 0 }),
      })
      .openapi('SearchMatch', { description: 'What matched.' }),
    excerpt: z
      .string()
      .nullable()
      .openapi({ description: 'The text around the first match; null for a match in the name.', example: null }),
  })
  .openapi('SearchHit', { description: 'A search hit.' });

const omitted = z
  .array(
    z
      .object({
        type: shown.type.openapi({ description: 'Type that was not searched.', example: 'item' }),
        scope: z.string().openapi({ description: 'Scope that a token needs for it.', example: 'market:read' }),
      })
      .openapi('SearchOmission', { description: 'A type that the client may not read.' }),
  )
  .openapi({ description: 'Requested types that were left out, because the token lacks their scope.' });
const count = z.int().openapi({ description: 'Number of items.', example: 1 });
const query = z.string().openapi({ description: 'The query.', example: 'cat' });

export const SearchBody = z
  .object({ query, items: z.array(SearchHitBody).openapi({ description: 'Hits, best first.' }), count, omitted })
  .openapi('SearchResults', { description: 'Search hits.' });

const SuggestionBody = z.object(shown).openapi('SearchSuggestion', { description: 'A name that completes the query.' });

export const SuggestBody = z
  .object({ query, items: z.array(SuggestionBody).openapi({ description: 'Names, best first.' }), count, omitted })
  .openapi('SearchSuggestions', { description: 'Names that complete a query.' });
