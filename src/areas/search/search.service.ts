import type { z } from '@hono/zod-openapi';
import type { Caller } from '../../platform/access/policy/admission.ts';
import { grantsScopes, type ScopeRegistry } from '../../platform/access/policy/scopes.ts';
import { SEARCH_TYPES, type SearchSource, type SearchType, type TranslatedDocument } from '../../platform/area/search-source.ts';
import { bind } from '../../platform/kit/bind.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import {
  type Candidate,
  type Hit,
  MAX_HITS,
  MAX_WORDS,
  nearPatternOf,
  parseQuery,
  patternsOf,
  rankCandidates,
  rankNear,
  rankPhrased,
  storedName,
} from './search.domain.ts';
import type { SearchBody, SuggestBody } from './search.schemas.ts';
import type { SearchMode, SearchStore } from './search.store.ts';

interface SearchRequest {
  q: string;
  /** Absent: all types. */
  types?: readonly SearchType[] | undefined;
  /** Absent: English. */
  lang?: string | undefined;
  limit: number;
  /** Null: a page of the service, which shows what public pages show. */
  caller: Caller | null;
  settings: Settings;
  baseUrl: string;
}

export type SearchResults = z.output<typeof SearchBody>;

interface SearchDeps {
  store: Pick<SearchStore, 'listCandidates' | 'listNear'>;
  sources(): readonly SearchSource[];
  scopes: ScopeRegistry;
}

/** Searches with the rights of a client. */
export function createSearch(deps: SearchDeps) {
  return bind(deps, { search, hitsOf, nearest, suggest });
}

const mayRead = ({ scopes }: SearchDeps, { isPublic, scope }: SearchSource, caller: Caller | null) =>
  caller === null || isPublic || scope === null || (caller.kind === 'token' && grantsScopes(caller.scopes, scopes.bitOf(scope)));

/** Candidates of the sources with translations, in a language. All are asked, so that an unknown language is an error for every type. */
async function listTranslated(
  { sources }: SearchDeps,
  language: string | undefined,
  q: string,
  allowed: readonly SearchSource[],
): Promise<Translated[]> {
  if (language === undefined) return [];
  const words = languageWords(q);
  const asked = sources().filter(({ translations }) => translations !== undefined);
  const found = await Promise.all(
    asked.map(async (source) => ({ source, documents: (await source.translations?.find(language, words, MAX_TRANSLATED)) ?? [] })),
  );
  return found.flatMap(({ source, documents }) =>
    allowed.includes(source) ? documents.map((document, place) => toTranslated(source.type, document, place)) : [],
  );
}

const wantedSources = ({ sources }: SearchDeps, types: readonly SearchType[], settings: Settings) =>
  sources().filter(({ type, feature }) => types.includes(type) && (feature === undefined || settings[feature]));

/** Candidates with a name in any language but English. */
async function listForeign(q: string, allowed: readonly SearchSource[]): Promise<Translated[]> {
  const words = languageWords(q);
  const lists = await Promise.all(
    allowed.map(async ({ type, translations }) =>
      ((await translations?.findInAll(words, MAX_TRANSLATED)) ?? []).map((document, place) => toTranslated(type, document, place)),
    ),
  );
  return lists.flat();
}

async function run(deps: SearchDeps, { q, types = SEARCH_TYPES, lang, limit, caller, settings, baseUrl }: SearchRequest, mode: SearchMode) {
  const language = lang !== undefined && lang.toLowerCase() !== ENGLISH ? lang : undefined;
  const wanted = wantedSources(deps, types, settings);
  const [allowed, refused] = [
    wanted.filter((source) => mayRead(deps, source, caller)),
    wanted.filter((source) => !mayRead(deps, source, caller)),
  ];
  const query = parseQuery(q);
  const indexed = allowed.filter(({ translations }) => language === undefined || translations === undefined).map(({ type }) => type);
  // Pages only, and at once: a client of the API names the language, so its search is one statement.
  const foreignTypes =
    caller === null && lang === undefined && query.required.length > 0 ? allowed.filter(({ translations }) => translations) : [];
  const [listed, translated, foreign] = await Promise.all([
    query.required.length === 0 || indexed.length === 0 ? [] : deps.store.listCandidates(patternsOf(query), indexed, mode),
    listTranslated(deps, language, q, allowed),
    listForeign(q, foreignTypes),
  ]);
  const candidates = [...listed, ...(mode === 'suggest' ? translated.map(withoutText) : translated)];
  const absolute = (url: string) => (url.startsWith('/') ? baseUrl + url : url);
  const wantedHits = mode === 'suggest' ? MAX_HITS : limit;
  let ranked = rankCandidates(query, candidates, wantedHits);
  // Names in other languages count for a query that no English name of their types has.
  const isFound = ranked.some(({ type, matched }) => matched.field === 'name' && foreignTypes.some((source) => source.type === type));
  if (!isFound && foreign.length > 0) {
    const found = new Set(ranked.map(({ link }) => link));
    const others = foreign.filter(({ link }) => !found.has(link.replace(LANGUAGE_PARAMETER, '')));
    ranked = rankCandidates(query, [...candidates, ...others.map(withoutText)], wantedHits);
  }
  const phrased = allowed.flatMap((source) => (source.phrased ? rankPhrased(query, source.phrased(settings), source.type) : []));
  const items = [...phrased, ...ranked]
    .slice(0, wantedHits)
    .map((hit): Hit => ({ ...hit, link: absolute(hit.link), image: hit.image && absolute(hit.image) }));
  const isTranslated = (hit: Hit) => translated.some((one) => one.isTranslated && baseUrl + one.link === hit.link);
  const found = new Set(items.map((hit) => (isTranslated(hit) ? language : ENGLISH)));
  const languages = lang === undefined ? null : found.size === 0 ? (language ?? ENGLISH) : [...found].sort(byEnglishLast).join(', ');
  return { query: q, items, languages, omitted: refused.flatMap(({ type, scope }) => (scope === null ? [] : [{ type, scope }])) };
}

/** `languages`: those of the hits, for `Content-Language`; null if the request names none. */
async function search(deps: SearchDeps, request: SearchRequest): Promise<{ body: SearchResults; languages: string | null }> {
  const { query, items, languages, omitted } = await run(deps, request, 'search');
  const shown = items.map((hit) => ({ ...hit, matched: { ...hit.matched, words: [...hit.matched.words] } }));
  return { body: { query, items: shown, count: items.length, omitted }, languages };
}

/** Hits of one type, for pages that show its names to everyone. */
async function hitsOf({ store }: SearchDeps, type: SearchType, q: string, limit: number): Promise<Hit[]> {
  const query = parseQuery(q);
  if (query.required.length === 0) return [];
  return rankCandidates(query, await store.listCandidates(patternsOf(query), [type], 'search'), limit);
}

/** The names that differ least from a query that nothing matches; players are left out. */
async function nearest(
  deps: SearchDeps,
  { q, types = SEARCH_TYPES, settings, baseUrl }: Pick<SearchRequest, 'q' | 'types' | 'settings' | 'baseUrl'>,
) {
  const query = parseQuery(q);
  const near = nearPatternOf(query);
  if (near === null) return [];
  const wanted = wantedSources(deps, types, settings);
  const indexed = wanted.flatMap(({ type, phrased }) => (phrased || type === 'player' ? [] : [type]));
  const listed = indexed.length === 0 ? [] : await deps.store.listNear(near.pattern, near.lengths, indexed);
  const phrased = wanted.flatMap(({ type, phrased }) =>
    (phrased?.(settings) ?? []).flatMap(({ phrases, ...document }) =>
      [document.name, ...phrases].map((phrase) => ({ ...document, type, words: storedName(phrase) })),
    ),
  );
  return rankNear(query, [...phrased, ...listed]).map(({ type, name, about, link, image }) => ({
    type,
    name,
    about,
    image: image?.startsWith('/') ? baseUrl + image : image,
    link: link.startsWith('/') ? baseUrl + link : link,
  }));
}

/** Names, each once per type. */
async function suggest(
  deps: SearchDeps,
  request: SearchRequest,
): Promise<{ body: z.output<typeof SuggestBody>; languages: string | null }> {
  const { query, items, languages, omitted } = await run(deps, request, 'suggest');
  const names = new Set<string>();
  const distinct = items.filter(({ type, name }) => names.size < names.add(`${type} ${name}`).size);
  const shown = distinct.slice(0, request.limit).map(({ type, name, about, image, link }) => ({ type, name, about, image, link }));
  return { body: { query, items: shown, count: shown.length, omitted }, languages };
}

export type Search = ReturnType<typeof createSearch>;

/** Language of the index. */
const ENGLISH = 'en';
/** Documents of a source that are ranked for a query in another language. */
const MAX_TRANSLATED = 60;

const LANGUAGE_PARAMETER = /&lang=[^&]*/;

type Translated = Candidate & { isTranslated: boolean };

/** Words of a query in lower case with their accents. */
function languageWords(q: string): string[] {
  return [...new Set(q.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])].slice(0, MAX_WORDS);
}

function toTranslated(type: SearchType, document: TranslatedDocument, place: number): Translated {
  const { name, about, text, link, image, isTranslated } = document;
  return { type, name, words: storedName(name), about, text, link, image, place, isTranslated };
}

/** A candidate whose text does not count. */
const withoutText = (candidate: Translated): Translated => ({ ...candidate, text: '', place: null });

const byEnglishLast = (one: string | undefined, other: string | undefined) => Number(one === ENGLISH) - Number(other === ENGLISH);
