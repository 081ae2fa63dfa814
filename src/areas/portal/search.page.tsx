import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { optionalTokenAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import { SEARCH_TYPES, type SearchType } from '../../platform/area/search-source.ts';
import { Choices } from '../../platform/http/pages/parts.tsx';
import type { Site } from '../../platform/http/pages/site-header.tsx';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { MAX_LANGUAGE_LENGTH, nameList } from '../../platform/http/pipeline/query-schemas.ts';
import { htmlPage } from './html-page.routes.ts';
import { type OpenPage, plainPageReply } from './layout.page.tsx';

type Results = Awaited<ReturnType<Ports['search']['search']>>['body'];
type Hit = Results['items'][number];

const MAX_HITS = 30;
/** In characters. */
const MAX_QUERY = 100;
const IMAGE_SIZE = 48;

const TITLES: Readonly<Record<SearchType, string>> = {
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

const HitItem: FC<{ hit: Hit }> = ({ hit: { type, name, about, image, link, excerpt } }) => (
  <li class="entry">
    {image === null ? null : <img src={image} alt="" width={IMAGE_SIZE} height={IMAGE_SIZE} loading="lazy" />}
    <div>
      <a href={link}>{name}</a>
      <p class="hint">{[TITLES[type], about].filter((part) => part !== '').join(' · ')}</p>
      {excerpt === null ? null : <p>{excerpt}</p>}
    </div>
  </li>
);

const Omitted: FC<Pick<Results, 'omitted'>> = ({ omitted }) =>
  omitted.length === 0 ? null : (
    <p class="hint">
      Not searched: {omitted.map(({ type }) => TITLES[type]).join(', ')}. These types need an API token with their scope:{' '}
      <a href="/docs/search#types-and-scopes">Search</a>.
    </p>
  );

function searchPage(request: SearchPageRequest, results: Results | null): OpenPage {
  const { q, types } = request;
  const main = (
    <>
      <h1>Search</h1>
      {results === null ? (
        <p>Type words into the search field, for example the name of a mount.</p>
      ) : (
        <>
          <TypeLinks {...request} />
          <p role="status">
            {results.count === 0 ? 'Nothing matches' : `${results.count} ${results.count === 1 ? 'result' : 'results'} for`} “{q}”.
          </p>
          <ol class="search-hits">
            {results.items.map((hit) => (
              <HitItem hit={hit} />
            ))}
          </ol>
          <Omitted omitted={results.omitted} />
        </>
      )}
    </>
  );
  const field = { query: q, ...(types === undefined ? {} : { searchTypes: types.join(',') }) };
  return { title: q === '' ? 'Search' : `${q} · Search`, description: 'Search in codex, mods and documentation.', ...field, main };
}

/** `/search`: results without a script. Requests count against the rate limit of the search. */
export function createSearchPageEndpoint(site: Site, { search }: Pick<Ports, 'search'>): Endpoint {
  return defineRoute({
    ...htmlPage,
    path: '/search',
    operationId: 'getSearchPage',
    summary: 'Search page',
    description: 'Results of one search over all areas.',
    access: optionalTokenAccess(search.budget),
    query: SearchPageQuery,
    addresses: () => [],
  }).handle(async ({ query: { q: sent = '', types, lang }, caller, settings, baseUrl }) => {
    const q = sent.trim();
    const found = q === '' ? null : await search.search({ q, types, lang, limit: MAX_HITS, caller, settings, baseUrl });
    return plainPageReply(site, searchPage({ q, types, lang }, found?.body ?? null));
  });
}
