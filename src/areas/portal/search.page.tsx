import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { optionalTokenAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import { SEARCH_TYPES, type SearchType } from '../../platform/area/search-source.ts';
import { Choices } from '../../platform/http/pages/parts.tsx';
import type { Site } from '../../platform/http/pages/site-header.tsx';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { MAX_LANGUAGE_LENGTH, nameList } from '../../platform/http/pipeline/query-schemas.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import { htmlPage } from './layout/html-page.routes.ts';
import { type OpenPage, plainPageReply } from './layout/layout.page.tsx';
import {
  type GameNames,
  gameNames,
  inNameLanguage,
  type NameLanguage,
  nameLanguage,
  READER_VARY,
} from './layout/reader-language.service.ts';

type Results = Awaited<ReturnType<Ports['search']['search']>>['body'];
type Hit = Results['items'][number];
type NamedHit = Pick<Hit, 'type' | 'name' | 'about' | 'image' | 'link'>;
type ShownHit = NamedHit & { excerpt?: string | null };

const MAX_HITS = 30;
/** Names below the field of the header. */
const MAX_NAMES = 8;
/** In characters. */
const MAX_QUERY = 100;
const IMAGE_SIZE = 48;

const TITLES: Readonly<Record<SearchType, string>> = {
  page: 'Pages',
  codex: 'Codex',
  item: 'Market',
  mod: 'Mods',
  player: 'Players',
  board: 'Leaderboards',
  doc: 'Documentation',
};

const SearchPageQuery = z.object({
  q: z.string().max(MAX_QUERY).optional().openapi({ description: 'Words to find.', example: 'cat' }),
  types: nameList(SEARCH_TYPES, { description: 'Comma-separated types to search; defaults to all.', example: ['codex'] }).optional(),
  lang: z.string().max(MAX_LANGUAGE_LENGTH).optional().openapi({ description: 'Language of codex entries.', example: 'en' }),
});

function searchUrl(q: string, lang: string | undefined, types?: string): string {
  const query = new URLSearchParams({ q, ...(types === undefined ? {} : { types }), ...(lang === undefined ? {} : { lang }) });
  return `/search?${query}`;
}

interface SearchPageRequest {
  q: string;
  types: readonly SearchType[] | undefined;
  lang: string | undefined;
}

const TypeLinks: FC<SearchPageRequest> = ({ q, types, lang }) => (
  <Choices
    label="Types"
    choices={[
      { href: searchUrl(q, lang), title: 'All', isCurrent: types === undefined },
      ...SEARCH_TYPES.map((type) => ({
        href: searchUrl(q, lang, type),
        title: TITLES[type],
        isCurrent: types?.length === 1 && types[0] === type,
      })),
    ]}
  />
);

const HitItem: FC<{ hit: ShownHit }> = ({ hit: { type, name, about, image, link, excerpt = null } }) => (
  <li class="entry">
    {image === null ? null : <img src={image} alt="" width={IMAGE_SIZE} height={IMAGE_SIZE} loading="lazy" />}
    <div>
      <a href={link}>{name}</a>
      <p class="hint">{[TITLES[type], about].filter((part) => part !== '').join(' · ')}</p>
      {excerpt === null ? null : <p>{excerpt}</p>}
    </div>
  </li>
);

/** Names that are near to a query without results. */
const NearestNames: FC<{ nearest: readonly ShownHit[] }> = ({ nearest }) =>
  nearest.length === 0 ? null : (
    <>
      <h2>Nearest names</h2>
      <ol class="search-hits">
        {nearest.map((hit) => (
          <HitItem hit={hit} />
        ))}
      </ol>
    </>
  );

/** Path of the entry of a hit whose link names no language; null for other hits. */
function pathOf({ type, link }: NamedHit): string | null {
  const { searchParams } = new URL(link);
  return type === 'codex' && !searchParams.has('lang') ? searchParams.get('path') : null;
}

/** A hit with its translated name; the English one, by which it may have been found, is in the line below. */
function inLanguage<Name extends NamedHit>(hit: Name, names: GameNames): Name {
  const path = pathOf(hit);
  const name = path !== null ? names.at(path, hit.name) : hit.type === 'item' ? names.named(hit.name) : hit.name;
  return name === hit.name ? hit : { ...hit, name, about: [hit.about, hit.name].filter((part) => part !== '').join(', ') };
}

/** `hits`: null without a query. */
function searchPage(request: SearchPageRequest, hits: readonly ShownHit[] | null, nearest: readonly ShownHit[]): OpenPage {
  const { q, types } = request;
  const main = (
    <>
      <h1>Search</h1>
      {hits === null ? (
        <p>Type words into the search field, for example the name of a mount, of a player or of a page.</p>
      ) : (
        <>
          <TypeLinks {...request} />
          <p role="status">
            {hits.length === 0 ? 'Nothing matches' : `${hits.length} ${hits.length === 1 ? 'result' : 'results'} for`} “{q}”.
          </p>
          <ol class="search-hits">
            {hits.map((hit) => (
              <HitItem hit={hit} />
            ))}
          </ol>
          <NearestNames nearest={nearest} />
        </>
      )}
    </>
  );
  const field = { query: q, ...(types === undefined ? {} : { searchTypes: types.join(',') }) };
  return {
    title: q === '' ? 'Search' : `${q} · Search`,
    description: 'Search pages, codex, market, players, boards, mods and documentation.',
    section: '/search',
    ...field,
    main,
  };
}

const SuggestQuery = SearchPageQuery.extend({
  q: z.string().min(1).max(MAX_QUERY).openapi({ description: 'Beginning of a name.', example: 'ca' }),
});

const suggestion = z.object({ type: z.string(), name: z.string(), about: z.string(), image: z.string().nullable(), link: z.string() });
const SuggestBody = z
  .object({
    items: z.array(suggestion).openapi({ description: 'Names, best first; of given types also texts.' }),
    nearest: z.array(suggestion).openapi({ description: 'Near names, if nothing matches.' }),
  })
  .openapi('SearchFieldNames');

/** `/search` and the names of the field of the header. Both show what public pages show, and count against the rate limit of the search. */
export function createSearchPageEndpoints(site: Site, { search, codexReader }: Pick<Ports, 'search' | 'codexReader'>): Endpoint[] {
  const access = optionalTokenAccess(search.rateLimit);
  /** The language of a search without one: all names are searched, and those of the codex and the market shown in it. */
  const languageOf = (request: Request, asked: string | undefined, settings: Settings) =>
    nameLanguage(codexReader, request, { asked, isOff: !settings.featureCodexesEnabled });
  async function translate<Name extends NamedHit>({ lang, isReaders }: NameLanguage, ...lists: (readonly Name[])[]): Promise<Name[][]> {
    if (!isReaders || lang === undefined) return lists.map((list) => [...list]);
    const hits = lists.flat();
    const names = await gameNames(
      codexReader,
      { lang },
      {
        names: hits.filter(({ type }) => type === 'item').map(({ name }) => name),
        paths: hits.flatMap((hit) => pathOf(hit) ?? []),
      },
    );
    return lists.map((list) => list.map((hit) => inLanguage(hit, names)));
  }
  return [
    defineRoute({
      ...htmlPage,
      path: '/search',
      operationId: 'getSearchPage',
      summary: 'Search page',
      description: 'Results of one search over all areas.',
      access,
      query: SearchPageQuery,
      addresses: () => [],
    }).handle(async ({ query: { q: sent = '', types, lang }, request, settings, baseUrl }) => {
      const q = sent.trim();
      const wanted = { q, types, lang, limit: MAX_HITS, caller: null, settings, baseUrl };
      const [results, language] = await Promise.all([
        q === '' ? null : search.search(wanted).then(({ body }) => body),
        languageOf(request, lang, settings),
      ]);
      const found = results?.count === 0 ? await search.nearest(wanted) : [];
      const [items = [], nearest = []] = await translate<ShownHit>(language, results?.items ?? [], found);
      return inNameLanguage(plainPageReply(site, searchPage({ q, types, lang }, results && items, nearest)), language);
    }),

    defineRoute({
      method: 'get',
      path: '/search/names',
      operationId: 'getSearchFieldNames',
      tag: 'Portal',
      summary: 'Names for the search field',
      description: 'Returns the names that complete a query, for the field of the header.',
      access,
      surface: 'portal',
      hidden: true,
      query: SuggestQuery,
      ok: { description: 'The names.', schema: SuggestBody },
    }).handle(async ({ query: { q, types, lang }, request, settings, baseUrl }) => {
      const wanted = { q: q.trim(), types, lang, limit: MAX_NAMES, caller: null, settings, baseUrl };
      // The field of the documentation searches its texts.
      const [{ body }, language] = await Promise.all([
        types === undefined ? search.suggest(wanted) : search.search(wanted),
        languageOf(request, lang, settings),
      ]);
      const found = body.items.length === 0 ? await search.nearest(wanted) : [];
      const shown = body.items.map(({ type, name, about, image, link }) => ({ type, name, about, image, link }));
      const [items = [], nearest = []] = await translate<NamedHit>(language, shown, found);
      return json({ items, nearest }, { headers: language.isReaders ? READER_VARY : {} });
    }),
  ];
}
