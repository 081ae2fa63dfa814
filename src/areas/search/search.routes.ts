import type { z } from '@hono/zod-openapi';
import type { Caller } from '../../platform/access/policy/admission.ts';
import { type BudgetGroup, optionalTokenAccess } from '../../platform/access/policy/policy.ts';
import { grantsScopes, type ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { listTable } from '../../platform/http/tables/table.ts';
import { SEARCH_TYPES, type SearchSource, type SearchType } from '../../platform/search-source.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { type Hit, parseQuery, patternsOf, rankCandidates } from './search.domain.ts';
import { MAX_HITS, SearchBody, SearchQuery, SuggestBody, SuggestQuery } from './search.schemas.ts';
import type { SearchMode, SearchStore } from './search.store.ts';

export interface SearchRequest {
  q: string;
  /** Absent: all types. */
  types?: readonly SearchType[] | undefined;
  limit: number;
  caller: Caller;
  settings: Settings;
  baseUrl: string;
}

export type SearchResults = z.output<typeof SearchBody>;

export interface SearchDeps {
  store: Pick<SearchStore, 'listCandidates'>;
  sources(): readonly SearchSource[];
  scopes: ScopeRegistry;
}

/** Searches with the rights of a client. */
export function createSearch({ store, sources, scopes }: SearchDeps) {
  const mayRead = ({ isPublic, scope }: SearchSource, caller: Caller) =>
    isPublic || scope === null || (caller.kind === 'token' && grantsScopes(caller.scopes, scopes.bitOf(scope)));

  async function run({ q, types = SEARCH_TYPES, limit, caller, settings, baseUrl }: SearchRequest, mode: SearchMode) {
    const wanted = sources().filter(({ type, feature }) => types.includes(type) && (feature === undefined || settings[feature]));
    const [allowed, refused] = [wanted.filter((source) => mayRead(source, caller)), wanted.filter((source) => !mayRead(source, caller))];
    const query = parseQuery(q);
    const isEmpty = query.required.length === 0 || allowed.length === 0;
    const candidates = isEmpty
      ? []
      : await store.listCandidates(
          patternsOf(query),
          allowed.map(({ type }) => type),
          mode,
        );
    const absolute = (url: string) => (url.startsWith('/') ? baseUrl + url : url);
    const items = rankCandidates(query, candidates, mode === 'suggest' ? MAX_HITS : limit).map(
      (hit): Hit => ({ ...hit, link: absolute(hit.link), image: hit.image && absolute(hit.image) }),
    );
    return { query: q, items, omitted: refused.flatMap(({ type, scope }) => (scope === null ? [] : [{ type, scope }])) };
  }

  return {
    async search(request: SearchRequest): Promise<SearchResults> {
      const { query, items, omitted } = await run(request, 'search');
      const shown = items.map((hit) => ({ ...hit, matched: { ...hit.matched, words: [...hit.matched.words] } }));
      return { query, items: shown, count: items.length, omitted };
    },

    /** Names, each once per type. */
    async suggest(request: SearchRequest): Promise<z.output<typeof SuggestBody>> {
      const { query, items, omitted } = await run(request, 'suggest');
      const names = new Set<string>();
      const distinct = items.filter(({ type, name }) => names.size < names.add(`${type} ${name}`).size);
      const shown = distinct.slice(0, request.limit).map(({ type, name, about, image, link }) => ({ type, name, about, image, link }));
      return { query, items: shown, count: shown.length, omitted };
    },
  };
}

export type Search = ReturnType<typeof createSearch>;

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
    }).handle(async ({ query, caller, settings, baseUrl }) => json(await search.search({ ...query, caller, settings, baseUrl }))),

    defineRoute({
      ...shared,
      path: '/v1/search/suggest',
      operationId: 'suggestNames',
      summary: 'Complete a name',
      description: 'Returns names with words that begin like the words of the query, for a search field. Otherwise like `/v1/search`.',
      query: SuggestQuery,
      ok: { description: 'The names.', schema: SuggestBody },
      table: listTable(SuggestBody, 'items'),
    }).handle(async ({ query, caller, settings, baseUrl }) => json(await search.suggest({ ...query, caller, settings, baseUrl }))),
  ];
}
