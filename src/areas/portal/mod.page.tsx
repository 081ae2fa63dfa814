import type { FC } from 'hono/jsx';
import type { Ports } from '../../platform/area/area.ts';
import type { PageContent } from './layout.page.tsx';
import { authorUrl, Day } from './mods.pages.tsx';

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

export const ExternalLink: FC<{ href: string | null; label: string }> = ({ href, label }) =>
  href === null ? null : (
    <a href={href} rel="nofollow noopener noreferrer">
      {label}
    </a>
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
      <Day iso={published_at} /> · {Math.ceil(size / BYTES_PER_KIB)} KiB · {download_count} downloads
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

/** `/mods/{handle}/{slug}`. */
export function modPage(mod: PublicMod): Omit<PageContent, 'viewer'> {
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
      {mod.summary === '' ? null : <p class="lead">{mod.summary}</p>}
      <p class="hint">
        {mod.download_count} downloads · updated <Day iso={mod.updated_at} />
      </p>
      <ul class="chips" aria-label="Tags">
        {mod.tags.map((tag) => (
          <li>
            <a href={`/mods?${new URLSearchParams({ tag })}`}>{tag}</a>
          </li>
        ))}
      </ul>
      {mod.banner_url === null ? null : <img class="screenshot" src={mod.banner_url} alt="" />}
      <Warnings text={mod.warnings} />
      <Prose title="Description" text={mod.description} />
      <Prose title="Readme" text={mod.readme_text} />
      {mod.preview_urls.map((url, index) => (
        <img class="screenshot" src={url} alt={`Preview ${index + 1}`} loading="lazy" />
      ))}
      <p class="links">
        <ExternalLink href={mod.website_url} label="Website" />
        <ExternalLink href={mod.discord_url} label="Chat" />
        {mod.donation_urls.map((url) => (
          <ExternalLink href={url} label={`Donate (${new URL(url).hostname})`} />
        ))}
        <a href={mod.api_url}>JSON</a>
      </p>
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
    </article>
  );
  return { title: `${mod.title} by ${mod.author}`, section: '/mods', main };
}
