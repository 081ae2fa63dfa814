import { z } from '@hono/zod-openapi';
import { optionalTokenAccess, type RateLimitGroup } from '../../platform/access/policy/policy.ts';
import { SEARCH_TYPES } from '../../platform/area/search-source.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { integerWithDefault, MAX_LANGUAGE_LENGTH, nameList } from '../../platform/http/pipeline/query-schemas.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import { MAX_HITS, MAX_QUERY_LENGTH } from './search.domain.ts';
import { SearchBody, SuggestBody } from './search.schemas.ts';
import type { Search } from './search.service.ts';

const MAX_SUGGESTIONS = 10;
const DEFAULT_HITS = 20;

const q = z
  .string()
  .min(1)
  .max(MAX_QUERY_LENGTH)
  .openapi({ description: `Words to find, 1 to ${MAX_QUERY_LENGTH} characters; the first eight count.`, example: 'cat' });
const types = nameList(SEARCH_TYPES, {
  description: 'Comma-separated types to search; defaults to all.',
  example: ['codex', 'mod'],
}).optional();
const limitOf = (max: number, defaultLimit: number) =>
  integerWithDefault({ min: 1, max, default: defaultLimit, description: `Maximum number of items, 1 to ${max}.`, example: defaultLimit });

const lang = z.string().max(MAX_LANGUAGE_LENGTH).optional().openapi({
  description:
    'Language of codex entries, one of `/v1/codexes/languages`: finds and returns their names and descriptions in it, in English without a translation. Accents count, and typos are not forgiven. Other types stay in English. Default: English names, and names in every language if few match.',
  example: 'en',
});

export const SearchQuery = z.object({ q, types, lang, limit: limitOf(MAX_HITS, DEFAULT_HITS) });
const SuggestQuery = z.object({
  q: q.openapi({ description: `Beginning of a name, 1 to ${MAX_QUERY_LENGTH} characters.`, example: 'ca' }),
  types,
  lang,
  limit: limitOf(MAX_SUGGESTIONS, 8),
});

function reply<Body>({ body, languages }: { body: Body; languages: string | null }) {
  return json(body, languages === null ? {} : { headers: { 'Content-Language': languages } });
}

/** `/v1/search`. */
export function createSearchEndpoints(search: Search, rateLimit: RateLimitGroup): Endpoint[] {
  const shared = { method: 'get', tag: 'Search', access: optionalTokenAccess(rateLimit) } as const;
  return [
    defineRoute({
      ...shared,
      path: '/v1/search',
      operationId: 'search',
      summary: 'Search everything',
      description:
        'Finds pages of the service, codex entries of the live branch, market items, mods, players, boards and sections of the documentation. Pages come first, and names before texts. Case, accents, punctuation and the order of words do not matter; in names, one typo is forgiven in five letters of a word. A type whose scope the token lacks is left out and named in `omitted`.',
      query: SearchQuery,
      ok: { description: 'The hits.', schema: SearchBody },
      table: listTable(SearchBody, 'items'),
    }).handle(async ({ query, caller, settings, baseUrl }) => reply(await search.search({ ...query, caller, settings, baseUrl }))),

    defineRoute({
      ...shared,
      path: '/v1/search/suggest',
      operationId: 'suggestNames',
      summary: 'Complete a name',
      description: 'Returns names with words that begin like the words of the query, for a search field. Otherwise like `/v1/search`.',
      query: SuggestQuery,
      ok: { description: 'The names.', schema: SuggestBody },
      table: listTable(SuggestBody, 'items'),
    }).handle(async ({ query, caller, settings, baseUrl }) => reply(await search.suggest({ ...query, caller, settings, baseUrl }))),
  ];
}
