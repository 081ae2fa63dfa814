import type { Child, FC } from 'hono/jsx';
import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import type { Ports } from '../../../platform/area/area.ts';
import { SORT_CHOICES, SORT_TITLES, type SortChoice, typeTitle } from '../layout/codex-texts.data.ts';
import { type OpenPage, Pager } from '../layout/layout.page.tsx';
import { apiUrl, codexUrl, entryUrl, typeUrl } from './codex-links.domain.ts';

/** Side in pixels of small images: twice that of the largest place that shows one. */
const SMALL_SIDE = 96;
const withSide = (url: string, side: number) => url.replace(/([?&]dim=)\d+/, `$1${side}`);
const sized = (url: string, size: number) => (size * 2 <= SMALL_SIDE ? withSide(url, SMALL_SIDE) : url);

/**
 * An image of a model, or a placeholder. Lists get small images. `alt` is empty for an image next to its name. `isLarge`: sharp on dense
 * screens too.
 */
export const ModelImage: FC<{ url: string | null | undefined; size: number; alt?: string; isEager?: boolean; isLarge?: boolean }> = ({
  url,
  size,
  alt = '',
  isEager = false,
  isLarge = false,
}) =>
  url ? (
    <img
      class="model"
      src={sized(url, size)}
      srcset={isLarge ? `${withSide(url, 2 * size)} 2x` : undefined}
      alt={alt}
      width={size}
      height={size}
      loading={isEager ? undefined : 'lazy'}
      decoding="async"
    />
  ) : (
    <svg class="model none" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <path d="M16 5 26 10.5v11L16 27 6 21.5v-11zM6 10.5 16 16l10-5.5M16 16v11" />
    </svg>
  );

type Reader = Ports['codexReader'];
export type CodexEntry = Awaited<ReturnType<Reader['findEntry']>>;

export const ENTRIES_PER_PAGE = 48;
/** Maximum number of options of the category select. */
const MAX_CATEGORIES = 400;
const LIST_IMAGE_SIZE = 48;
const TYPE_IMAGE_SIZE = 48;
const SCRIPT = 'codex.js';

const numberFormat = new Intl.NumberFormat('en');
export const formatNumber = (value: number) => numberFormat.format(value);

/** A language of names and descriptions. */
export interface LanguageOption {
  code: string;
  ownName: string;
}

export interface ListRequest {
  branch: string;
  /** Language of the address, which links keep; absent: that of the reader. */
  lang?: string | undefined;
  /** Language of names and descriptions; absent for English. */
  shown: string | undefined;
  languages: readonly LanguageOption[];
  q?: string | undefined;
  page: number;
}

interface EntryList {
  items: readonly CodexEntry[];
  total: number;
}

interface IndexFacts extends ListRequest {
  types: readonly { type: string; count: number }[];
  /** Image of an entry of each type. */
  pictures: ReadonlyMap<string, string>;
  /** Results of the search; null without a search. */
  results: EntryList | null;
}

interface TypeFacts extends ListRequest, EntryList {
  type: string;
  category?: string | undefined;
  sort: SortChoice;
  categories: readonly { category: string; count: number }[];
}

/** Parameters that every link of a page keeps. */
type PageQuery = Pick<ListRequest, 'branch' | 'lang'>;
const pageQueryOf = ({ branch, lang }: PageQuery): PageQuery => ({ branch, lang });

const EntryCard: FC<{ entry: CodexEntry; query: PageQuery; showsType: boolean }> = ({ entry, query, showsType }) => {
  const { type, path, name, category, mastery, image_url: image } = entry;
  const facts = [
    showsType ? typeTitle(type) : null,
    category || null,
    typeof mastery === 'number' ? `${formatNumber(mastery)}\u00a0mastery` : null,
  ].filter((fact) => fact !== null);
  return (
    <li class="entry">
      <ModelImage url={image} size={LIST_IMAGE_SIZE} />
      <div>
        <a href={entryUrl(type, path, query)}>{name || path}</a>
        <p class="hint">{facts.join(' · ')}</p>
      </div>
    </li>
  );
};

const Results: FC<EntryList & { page: number; query: PageQuery; showsType: boolean; urlOf(page: number): string }> = ({
  items,
  total,
  page,
  query,
  showsType,
  urlOf,
}) => (
  <>
    <ul class="entries">
      {items.map((entry) => (
        <EntryCard entry={entry} query={query} showsType={showsType} />
      ))}
    </ul>
    <Pager page={page} pages={Math.ceil(total / ENTRIES_PER_PAGE)} urlOf={urlOf} />
  </>
);

/** The number of entries. The script updates it separately from the results. */
const ResultCount: FC<{ total: number | null }> = ({ total }) => (
  <p id="result-count" class="hint" role="status">
    {total === null ? '' : total === 1 ? '1 entry' : `${formatNumber(total)} entries`}
  </p>
);

/** Whether a language of the list is the shown one, of a code in any case; the first, English, without one. */
export const isShown = (shown: string | undefined, code: string, index: number) =>
  shown === undefined ? index === 0 : code === shown.toLowerCase();

/** Not shown for game files in English only. The language of the reader is the empty option. */
const LanguageSelect: FC<{ request: ListRequest }> = ({ request: { lang, shown, languages } }) =>
  languages.length < 2 ? null : (
    <div class="field">
      <label for="lang">Language</label>
      <select id="lang" name="lang">
        {languages.map(({ code, ownName }, index) => (
          <option value={lang === undefined && isShown(shown, code, index) ? '' : code} lang={code} selected={isShown(shown, code, index)}>
            {ownName}
          </option>
        ))}
      </select>
    </div>
  );

/** The addresses of a page in each language, for search engines; none for game files in English only. */
export const alternatesOf = (languages: readonly LanguageOption[], urlOf: (lang?: string) => string): OpenPage['alternates'] =>
  languages.length < 2
    ? []
    : [{ language: 'x-default', path: urlOf() }, ...languages.map(({ code }) => ({ language: code, path: urlOf(code) }))];

/** The search form. It works without the script, which sends the same request on input. */
const Search: FC<{ action: string; request: ListRequest; type?: string; label: string; children?: Child }> = ({
  action,
  request,
  type,
  label,
  children,
}) => (
  <search>
    <form
      class="row codex-search"
      method="get"
      action={action}
      data-codex-search={type ?? ''}
      data-branch={request.branch}
      data-shown={request.shown}
    >
      <div class="field">
        <label for="q">{label}</label>
        <input id="q" name="q" type="search" value={request.q ?? ''} maxlength={200} autocomplete="off" spellcheck={false} />
      </div>
      {children}
      <LanguageSelect request={request} />
      {request.branch === LIVE_BRANCH ? null : <input type="hidden" name="branch" value={request.branch} />}
      <button type="submit" class="primary">
        Search
      </button>
    </form>
  </search>
);

/** `/codex`: the types and a search over all entries. */
export function codexIndexPage(facts: IndexFacts): OpenPage {
  const { types, pictures, results, q, page, branch, lang, shown, languages } = facts;
  const urlOf = (target: number) => codexUrl({ branch, lang, q, page: target });
  const main = (
    <div class="codex">
      <h1>Codex</h1>
      <p class="lead">Items, mounts, recipes and other content of the game files.</p>
      <Search action="/codex" request={facts} label="Search all entries" />
      <ResultCount total={results === null ? null : results.total} />
      <div id="codex-results">
        {results === null ? (
          <TypeList types={types} pictures={pictures} query={pageQueryOf(facts)} />
        ) : (
          <Results {...results} page={page} query={pageQueryOf(facts)} showsType urlOf={urlOf} />
        )}
      </div>
      <p class="links">
        <a href={apiUrl('/v1/codexes/search', { branch, lang: shown, q })}>JSON</a>
        <a href="/docs/reference/codexes">API reference</a>
      </p>
    </div>
  );
  return {
    title: q ? `${q} · Codex` : 'Codex',
    description: 'Search the items, mounts, recipes and collections of the game.',
    script: SCRIPT,
    section: '/codex',
    alternates: q ? [] : alternatesOf(languages, (code) => codexUrl({ branch, lang: code })),
    main,
  };
}

const TypeList: FC<Pick<IndexFacts, 'types' | 'pictures'> & { query: PageQuery }> = ({ types, pictures, query }) =>
  types.length === 0 ? (
    <p>
      No game files are indexed yet. The codex is built after the first build is archived. See the job on the{' '}
      <a href="/status">status page</a>.
    </p>
  ) : (
    <ul class="types">
      {types.map(({ type, count }) => (
        <li>
          <a class="card" href={typeUrl(type, query)}>
            <ModelImage url={pictures.get(type)} size={TYPE_IMAGE_SIZE} /> <b>{typeTitle(type)}</b>{' '}
            <span class="hint type-count">{formatNumber(count)}</span>
          </a>
        </li>
      ))}
    </ul>
  );

/** `/codex/{type}`: the entries of a type. */
export function codexTypePage(facts: TypeFacts): OpenPage {
  const { type, items, total, page, q, branch, lang, shown, languages, category, sort, categories } = facts;
  const title = typeTitle(type);
  const urlOf = (target: number) => typeUrl(type, { branch, lang, q, category, sort, page: target });
  const main = (
    <div class="codex">
      <nav aria-label="Breadcrumb" class="crumbs">
        <a href={codexUrl({ branch, lang })}>Codex</a>
      </nav>
      <h1>{title}</h1>
      <Search action={typeUrl(type)} request={facts} type={type} label={`Search ${title.toLowerCase()}`}>
        {categories.length > 1 ? (
          <div class="field">
            <label for="category">Category</label>
            <select id="category" name="category">
              <option value="">All</option>
              {categories.slice(0, MAX_CATEGORIES).map((option) => (
                <option value={option.category} selected={option.category === category}>
                  {`${option.category || 'No category'} (${formatNumber(option.count)})`}
                </option>
              ))}
            </select>
          </div>
        ) : null}
        <div class="field">
          <label for="sort">Order</label>
          <select id="sort" name="sort">
            {SORT_CHOICES.map((name) => (
              <option value={name} selected={name === sort}>
                {SORT_TITLES[name]}
              </option>
            ))}
          </select>
        </div>
      </Search>
      <ResultCount total={total} />
      <div id="codex-results">
        <Results items={items} total={total} page={page} query={pageQueryOf(facts)} showsType={false} urlOf={urlOf} />
      </div>
      <p class="links">
        <a href={apiUrl(`/v1/codexes/${type}`, { branch, lang: shown, search: q, category, sort })}>JSON</a>
      </p>
    </div>
  );
  return {
    title: `${title} · Codex`,
    description: `${title} of the game: ${formatNumber(total)} entries.`,
    script: SCRIPT,
    section: '/codex',
    alternates: q ? [] : alternatesOf(languages, (code) => typeUrl(type, { branch, lang: code, category, sort, page })),
    main,
  };
}
