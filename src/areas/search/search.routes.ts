import { type BudgetGroup, optionalTokenAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import { SearchBody, SearchQuery, SuggestBody, SuggestQuery } from './search.schemas.ts';
import type { Search } from './search.service.ts';

function reply<Body>({ body, languages }: { body: Body; languages: string | null }) {
  return json(body, languages === null ? {} : { headers: { 'Content-Language': languages } });
}

/** `/v1/search`. */
export function createSearchEndpoints(search: Search, budget: BudgetGroup): Endpoint[] {
  const shared = { method: 'get', tag: 'Search', access: optionalTokenAccess(budget) } as const;
  return [
    defineRoute({
      ...shared,
      path: '/v1/search',
      operationId: 'search',
      summary: 'Search everything',
      description:
        'Finds codex entries of the live branch, market items, mods, players, boards and sections of the documentation. Names come before texts. Case, accents, punctuation and the order of words do not matter; in names, one typo is forgiven in five letters of a word. A type whose scope the token lacks is left out and named in `omitted`.',
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
