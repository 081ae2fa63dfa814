import type { z } from '@hono/zod-openapi';
import type { Caller } from '../../platform/access/policy/admission.ts';
import { grantsScopes, type ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { SEARCH_TYPES, type SearchSource, type SearchType } from '../../platform/area/search-source.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { type Hit, MAX_HITS, parseQuery, patternsOf, rankCandidates } from './search.domain.ts';
import type { SearchBody, SuggestBody } from './search.schemas.ts';
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
