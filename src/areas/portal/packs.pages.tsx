import type { FC } from 'hono/jsx';
import type { Ports } from '../../platform/area/area.ts';
import type { PageContent } from './layout/layout.page.tsx';
import { Day, PreviewsAndLinks, Prose, Warnings } from './mods.pages.tsx';
import { ReportLink } from './reports.pages.tsx';

type PackCard = Awaited<ReturnType<Ports['publicPacks']['list']>>[number];
type PackDetail = Awaited<ReturnType<Ports['publicPacks']['detail']>>;

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const Pack: FC<PackCard> = ({ title, author, summary, page_url, mod_count, download_count, updated_at }) => (
  <li class="card">
    <h2>
      <a href={page_url}>{title}</a>
    </h2>
    <p>by {author}</p>
    {summary === '' ? null : <p>{summary}</p>}
    <p class="hint">
      {plural(mod_count, 'mod')} · {plural(download_count, 'download')} · updated <Day iso={updated_at} />
    </p>
  </li>
);

/** `/mods/packs`. */
export function packsPage(packs: readonly PackCard[]): PageContent {
  const main = (
    <article>
      <h1>Packs of mods</h1>
      <p class="lead">Mods that belong together, in one download. The newest packs come first.</p>
      {packs.length === 0 ? <p>No packs yet.</p> : null}
      <ul class="releases">
        {packs.map((pack) => (
          <Pack {...pack} />
        ))}
      </ul>
      <p class="links">
        <a href="/v1/modpacks">JSON</a>
      </p>
    </article>
  );
  return { title: 'Packs of mods', description: 'Collections of mods with pinned releases, to read and download.', section: '/mods', main };
}

const Variant: FC<PackDetail['variants'][number]> = ({ name, label, mod_count, available_count, download_url, zip_url, mods }) => (
  <li class="card">
    <div class="page-head">
      <h3>{label === '' ? name : label}</h3>
      {available_count === 0 ? null : (
        <span>
          <a class="button" href={download_url}>
            Download
          </a>{' '}
          <a href={zip_url}>zip</a>
        </span>
      )}
    </div>
    <p class="hint">
      {available_count} of {plural(mod_count, 'mod')} available
    </p>
    <ul>
      {mods.map(({ handle, title, author, version, version_locked, is_beta, available, page_url }) => (
        <li>
          {handle === '' || !available ? title : <a href={page_url}>{title}</a>}
          {author === '' ? '' : ` by ${author}`}
          {version === null ? '' : ` · ${version}`}
          {version_locked ? ' (fixed)' : ''} {is_beta ? <span class="badge warn">Beta</span> : null}
          {available ? null : <span class="badge">Unavailable</span>}
        </li>
      ))}
    </ul>
  </li>
);

/** `/mods/packs/{handle}/{slug}`. */
export function packPage(pack: PackDetail, apiUrl: string): PageContent {
  const main = (
    <article class="mod">
      <h1>{pack.title}</h1>
      <p>by {pack.author}</p>
      {pack.summary === '' ? null : <p class="lead">{pack.summary}</p>}
      <p class="hint">
        {plural(pack.download_count, 'download')} · updated <Day iso={pack.updated_at} />
      </p>
      <ul class="chips" aria-label="Tags">
        {pack.tags.map((tag) => (
          <li>{tag}</li>
        ))}
      </ul>
      {pack.banner_url === null ? null : <img class="screenshot" src={pack.banner_url} alt="" />}
      <Warnings text={pack.warnings} />
      <Prose title="Description" text={pack.description} />
      <PreviewsAndLinks {...pack} apiUrl={apiUrl} />
      <section aria-labelledby="variants-title">
        <h2 id="variants-title">Variants</h2>
        <ul class="releases">
          {pack.variants.map((variant) => (
            <Variant {...variant} />
          ))}
        </ul>
      </section>
      <p class="hint">
        <ReportLink path={`/mods/packs/${encodeURIComponent(pack.handle)}/${encodeURIComponent(pack.slug)}`} />
      </p>
    </article>
  );
  return { title: `${pack.title} by ${pack.author}`, section: '/mods', main };
}
