import type { FC } from 'hono/jsx';
import type { Ports } from '../../platform/area/area.ts';
import { Instant } from '../../platform/http/pages/instant.tsx';
import { Choices } from '../../platform/http/pages/tables.tsx';
import type { OpenPage } from './layout.page.tsx';

type Listed = Awaited<ReturnType<Ports['publicMods']['list']>>;
type Mod = Listed['mods'][number];

/** Width in pixels that the banners are resized to: one of those that the images have. */
const BANNER_WIDTH = 400;
const BANNER_HEIGHT = 225;
const MAX_SHOWN_TAGS = 4;
const countFormat = new Intl.NumberFormat('en');

/** Orders of the list with their titles. */
export const MOD_ORDERS = { recent: 'Newest release', popular: 'Popular', downloads: 'Downloads', title: 'Title' } as const;
export type ModOrder = keyof typeof MOD_ORDERS;

export interface ModsRequest {
  q: string | undefined;
  tag: string | undefined;
  sort: ModOrder;
  page: number;
}

export const authorUrl = (author: string) => `/mods/authors/${encodeURIComponent(author.toWellFormed())}`;

/** The day of a time. */
export const Day: FC<{ iso: string }> = ({ iso }) => <Instant at={Date.parse(iso) / 1000} dayOnly />;

function listUrl(path: string, { q, tag, sort, page }: ModsRequest, change: Partial<ModsRequest>): string {
  const wanted = { q, tag, sort, page, ...change };
  const query = new URLSearchParams();
  if (wanted.q) query.set('q', wanted.q);
  if (wanted.tag) query.set('tag', wanted.tag);
  if (wanted.sort !== 'recent') query.set('sort', wanted.sort);
  if (wanted.page > 1) query.set('page', String(wanted.page));
  return query.size === 0 ? path : `${path}?${query}`;
}

const Banner: FC<{ url: string | null }> = ({ url }) =>
  url === null ? (
    <div class="banner none" />
  ) : (
    <img class="banner" src={`${url}?w=${BANNER_WIDTH}`} alt="" width={BANNER_WIDTH} height={BANNER_HEIGHT} loading="lazy" />
  );

const ModCard: FC<{ mod: Mod }> = ({ mod: { title, author, summary, page_url, banner_url, download_count, updated_at, tags } }) => (
  <li class="card mod-card">
    <Banner url={banner_url} />
    <h2>
      <a href={page_url}>{title}</a>
    </h2>
    <p class="hint">
      by <a href={authorUrl(author)}>{author}</a>
    </p>
    {summary === '' ? null : <p class="summary">{summary}</p>}
    <ul class="chips" aria-label="Tags">
      {tags.slice(0, MAX_SHOWN_TAGS).map((tag) => (
        <li>
          <a href={`/mods?${new URLSearchParams({ tag })}`}>{tag}</a>
        </li>
      ))}
    </ul>
    <p class="hint">
      {countFormat.format(download_count)} downloads · updated <Day iso={updated_at} />
    </p>
  </li>
);

const Cards: FC<{ mods: readonly Mod[] }> = ({ mods }) => (
  <ul class="mod-cards">
    {mods.map((mod) => (
      <ModCard mod={mod} />
    ))}
  </ul>
);

const Pager: FC<{ path: string; request: ModsRequest; pages: number }> = ({ path, request, pages }) =>
  pages < 2 ? null : (
    <nav class="pager" aria-label="Pages">
      {request.page > 1 ? (
        <a class="button" rel="prev" href={listUrl(path, request, { page: request.page - 1 })}>
          Previous
        </a>
      ) : null}
      <span>
        Page {request.page} of {pages}
      </span>
      {request.page < pages ? (
        <a class="button" rel="next" href={listUrl(path, request, { page: request.page + 1 })}>
          Next
        </a>
      ) : null}
    </nav>
  );

/** `/mods`. */
export function modsPage(request: ModsRequest, { mods, total }: Listed, pageSize: number): OpenPage {
  const { q, tag, sort } = request;
  const main = (
    <div class="figures">
      <h1>Mods</h1>
      <p class="lead">The catalog of mods, with their authors and downloads.</p>
      <form action="/mods" class="row codex-search">
        <div class="field">
          <label for="mods-q">Words</label>
          <input id="mods-q" name="q" type="search" maxlength={200} value={q} autocomplete="off" />
        </div>
        <div class="field">
          <label for="mods-tag">Tag</label>
          <input id="mods-tag" name="tag" maxlength={200} value={tag} autocomplete="off" />
        </div>
        <div class="field">
          <label for="mods-sort">Order</label>
          <select id="mods-sort" name="sort">
            {Object.entries(MOD_ORDERS).map(([value, title]) => (
              <option value={value} selected={value === sort}>
                {title}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="primary">
          Search
        </button>
      </form>
      <p role="status">
        {countFormat.format(total)} {total === 1 ? 'mod' : 'mods'}
        {tag === undefined ? '' : ` with the tag ${tag}`}
        {q === undefined ? '' : ` that match “${q}”`}
        {tag === undefined && q === undefined ? null : (
          <>
            {' '}
            · <a href="/mods">All mods</a>
          </>
        )}
      </p>
      <Cards mods={mods} />
      <Pager path="/mods" request={request} pages={Math.ceil(total / pageSize)} />
      <p class="links">
        <a href="/mods/packs">Packs of mods</a>
        <a href="/v1/mods/releases.atom">Feed of releases</a>
        <a href="/v1/mods">JSON</a>
        <a href="/docs/recipes/publish-a-mod">Publish a mod</a>
      </p>
    </div>
  );
  return { title: 'Mods', description: 'The catalog of mods with search, filters and images.', section: '/mods', main };
}

/** `/mods/authors/{author}`. */
export function authorPage(author: string, request: ModsRequest, { mods, total }: Listed, pageSize: number): OpenPage {
  const path = authorUrl(author);
  const main = (
    <div class="figures">
      <nav aria-label="Breadcrumb" class="crumbs">
        <a href="/mods">Mods</a>
      </nav>
      <h1>Mods of {author}</h1>
      <p class="lead">
        {countFormat.format(total)} {total === 1 ? 'mod' : 'mods'} of this author or with their credit.
      </p>
      <Choices
        label="Order"
        choices={(Object.keys(MOD_ORDERS) as ModOrder[]).map((sort) => ({
          href: listUrl(path, request, { sort, page: 1 }),
          title: MOD_ORDERS[sort],
          isCurrent: sort === request.sort,
        }))}
      />
      <Cards mods={mods} />
      <Pager path={path} request={request} pages={Math.ceil(total / pageSize)} />
      <p class="links">
        <a href={`/v1/mods?${new URLSearchParams({ author })}`}>JSON</a>
      </p>
    </div>
  );
  return { title: `Mods of ${author}`, description: `All mods of ${author} in the catalog.`, section: '/mods', main };
}
