import type { FC } from 'hono/jsx';
import type { Ports } from '../../platform/area/area.ts';
import { formatCount } from '../../platform/http/pages/charts.tsx';
import { Choices, Instant } from '../../platform/http/pages/parts.tsx';
import { type OpenPage, type PageContent, Pager } from './layout/layout.page.tsx';
import { ReportLink } from './reports.pages.tsx';

type Listed = Awaited<ReturnType<Ports['publicMods']['list']>>;
type Mod = Listed['mods'][number];

/** Width in pixels that the banners are resized to: one of those that the images have. */
const BANNER_WIDTH = 400;
const BANNER_HEIGHT = 225;
const MAX_SHOWN_TAGS = 4;

/** Orders of the list with their titles. */
export const MOD_ORDERS = { recent: 'Newest release', popular: 'Popular', downloads: 'Downloads', title: 'Title' } as const;
export type ModOrder = keyof typeof MOD_ORDERS;

interface ModsRequest {
  q: string | undefined;
  tag: string | undefined;
  sort: ModOrder;
  page: number;
}

const authorUrl = (author: string) => `/mods/authors/${encodeURIComponent(author.toWellFormed())}`;

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

const Tags: FC<{ tags: readonly string[] }> = ({ tags }) => (
  <ul class="chips" aria-label="Tags">
    {tags.map((tag) => (
      <li>
        <a href={`/mods?${new URLSearchParams({ tag })}`}>{tag}</a>
      </li>
    ))}
  </ul>
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
    <Tags tags={tags.slice(0, MAX_SHOWN_TAGS)} />
    <p class="hint">
      {formatCount(download_count)} downloads · updated <Day iso={updated_at} />
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

/** More consecutive mods of one owner than this fold into one row. */
const MAX_CONSECUTIVE = 3;

/** Mods of several owners: nobody's mods push those of the others off the page. */
const FoldedCards: FC<Pick<Listed, 'mods' | 'owners'>> = ({ mods, owners }) => {
  const runs: Mod[][] = [];
  for (const [index, mod] of mods.entries()) {
    if (index > 0 && owners[index] === owners[index - 1]) runs.at(-1)?.push(mod);
    else runs.push([mod]);
  }
  return (
    <ul class="mod-cards">
      {runs.map((run) =>
        run.length <= MAX_CONSECUTIVE ? (
          run.map((mod) => <ModCard mod={mod} />)
        ) : (
          <li class="mod-run">
            <details>
              <summary>
                {run.length} mods by {run[0]?.author}
              </summary>
              <Cards mods={run} />
            </details>
          </li>
        ),
      )}
    </ul>
  );
};

/** `/mods`. */
export function modsPage(request: ModsRequest, { mods, owners, total }: Listed, pageSize: number): OpenPage {
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
        {formatCount(total)} {total === 1 ? 'mod' : 'mods'}
        {tag === undefined ? '' : ` with the tag ${tag}`}
        {q === undefined ? '' : ` that match “${q}”`}
        {tag === undefined && q === undefined ? null : (
          <>
            {' '}
            · <a href="/mods">All mods</a>
          </>
        )}
      </p>
      <FoldedCards mods={mods} owners={owners} />
      <Pager page={request.page} pages={Math.ceil(total / pageSize)} urlOf={(page) => listUrl('/mods', request, { page })} />
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
        {formatCount(total)} {total === 1 ? 'mod' : 'mods'} of this author or with their credit.
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
      <Pager page={request.page} pages={Math.ceil(total / pageSize)} urlOf={(page) => listUrl(path, request, { page })} />
      <p class="links">
        <a href={`/v1/mods?${new URLSearchParams({ author })}`}>JSON</a>
        <ReportLink path={path} />
      </p>
    </div>
  );
  return { title: `Mods of ${author}`, description: `All mods of ${author} in the catalog.`, section: '/mods', main };
}

type PublicMod = Awaited<ReturnType<Ports['publicMod']>>;
type PublicRelease = PublicMod['releases'][number];

/** Maximum number of releases on the page. The API lists all of them. */
const MAX_RELEASES = 50;
const WARNING_BREAK = /<br\s*\/?>/i;
const BYTES_PER_KIB = 1024;

/** A section with Markdown source as plain text. */
export const Prose: FC<{ title: string; text: string }> = ({ title, text }) =>
  text === '' ? null : (
    <section class="prose">
      <h2>{title}</h2>
      <p class="user-text">{text}</p>
    </section>
  );

const ExternalLink: FC<{ href: string | null; label: string }> = ({ href, label }) =>
  href === null ? null : (
    <a href={href} rel="nofollow noopener noreferrer">
      {label}
    </a>
  );

/** Images, links of the author, and the JSON of a mod or pack. */
export const PreviewsAndLinks: FC<
  Pick<PublicMod, 'preview_urls' | 'website_url' | 'discord_url' | 'donation_urls'> & { apiUrl: string }
> = ({ preview_urls, website_url, discord_url, donation_urls, apiUrl }) => (
  <>
    {preview_urls.map((url, index) => (
      <img class="screenshot" src={url} alt={`Preview ${index + 1}`} loading="lazy" />
    ))}
    <p class="links">
      <ExternalLink href={website_url} label="Website" />
      <ExternalLink href={discord_url} label="Chat" />
      {donation_urls.map((url) => (
        <ExternalLink href={url} label={`Donate (${new URL(url).hostname})`} />
      ))}
      <a href={apiUrl}>JSON</a>
    </p>
  </>
);

/** Blocks of a warning. */
export const Warnings: FC<{ text: string }> = ({ text }) =>
  text === '' ? null : (
    <section class="card" aria-label="Warnings">
      {text.split(WARNING_BREAK).map((block) => (
        <p class="user-text">{block.trim()}</p>
      ))}
    </section>
  );

const Release: FC<PublicRelease> = ({ tag, branch, title, changelog, filename, size, download_count, download_url, published_at }) => (
  <li class="card">
    <div class="page-head">
      <h3>
        {tag} <span class="badge">{branch}</span>
      </h3>
      <a class="button" href={download_url}>
        Download {filename}
      </a>
    </div>
    <p class="hint">
      <Day iso={published_at} /> · {Math.ceil(size / BYTES_PER_KIB)} KiB · {formatCount(download_count)} downloads
    </p>
    {title === '' ? null : <p>{title}</p>}
    {changelog === '' ? null : (
      <details>
        <summary>Changes</summary>
        <p class="user-text">{changelog}</p>
      </details>
    )}
  </li>
);

const BADGES = ['downloads', 'version', 'stars'] as const;

/** Badges of a mod with the Markdown of a README. */
const Badges: FC<{ apiUrl: string; pageUrl: string }> = ({ apiUrl, pageUrl }) => {
  const addressOf = (shown: string) => `${apiUrl}/badge.svg?show=${shown}`;
  return (
    <details class="card">
      <summary>Badges for a README</summary>
      <p>
        {BADGES.map((shown) => (
          <>
            <img src={addressOf(shown)} alt={shown} height={20} loading="lazy" />{' '}
          </>
        ))}
      </p>
      <pre tabindex={0}>{BADGES.map((shown) => `[![${shown}](${addressOf(shown)})](${pageUrl})`).join('\n')}</pre>
    </details>
  );
};

/** The downloads of a mod, with the part that its releases do not have: of deleted ones, and of the catalog that the mod is copied from. */
const Downloads: FC<Pick<PublicMod, 'download_count' | 'releases'>> = ({ download_count: total, releases }) => {
  const counted = releases.reduce((sum, release) => sum + release.download_count, 0);
  const more = total > counted ? `, ${formatCount(counted)} of the releases below` : '';
  return <>{`${formatCount(total)} downloads${more}`}</>;
};

/** `/mods/{handle}/{slug}`. */
export function modPage(mod: PublicMod): PageContent {
  const olderCount = mod.releases.length - MAX_RELEASES;
  const main = (
    <article class="mod">
      <div class="page-head">
        <h1>{mod.title}</h1>
        {mod.is_beta ? <span class="badge warn">Beta</span> : null}
      </div>
      <p>
        by <a href={authorUrl(mod.author)}>{mod.author}</a>
      </p>
      {mod.credited === '' ? null : <p class="hint">credited: {mod.credited}</p>}
      {mod.summary === '' ? null : <p class="lead">{mod.summary}</p>}
      <p class="hint">
        <Downloads {...mod} /> · updated <Day iso={mod.updated_at} />
      </p>
      <Tags tags={mod.tags} />
      {mod.banner_url === null ? null : <img class="screenshot" src={mod.banner_url} alt="" />}
      <Warnings text={mod.warnings} />
      <Prose title="Description" text={mod.description} />
      <Prose title="Readme" text={mod.readme_text} />
      <PreviewsAndLinks {...mod} apiUrl={mod.api_url} />
      <section aria-labelledby="releases-title">
        <h2 id="releases-title">Releases</h2>
        {mod.releases.length === 0 ? <p>No releases yet.</p> : null}
        <ul class="releases">
          {mod.releases.slice(0, MAX_RELEASES).map((release) => (
            <Release {...release} />
          ))}
        </ul>
        {olderCount > 0 ? (
          <p class="hint">
            {olderCount} older releases: <a href={mod.api_url}>JSON</a>
          </p>
        ) : null}
      </section>
      <Badges apiUrl={mod.api_url} pageUrl={mod.page_url} />
      <p class="hint">
        <ReportLink path={new URL(mod.page_url).pathname} />
      </p>
    </article>
  );
  return { title: `${mod.title} by ${mod.author}`, section: '/mods', main };
}
