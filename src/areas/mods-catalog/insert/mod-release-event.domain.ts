import type { EventBodies } from '../../../platform/events/event-declaration.ts';
import { toIso } from '../../../platform/time/clock.ts';
import type { ModLinks } from '../catalog/links.domain.ts';
import type { ModAddress, Release } from '../catalog/mod.domain.ts';

/** Event data as JSON. Created at publication, so that retries send the same data. */
export function modReleaseData(
  mod: ModAddress & { title: string },
  release: Pick<Release, 'id' | 'tag' | 'title' | 'branch' | 'format' | 'size' | 'changelog' | 'publishedAt'>,
  links: ModLinks,
): string {
  const { id, tag, title, branch, format, size, changelog, publishedAt } = release;
  const body: EventBodies['mod_release'] = {
    project: { slug: mod.slug, title: mod.title, owner: mod.handle },
    release: { id, tag, title, branch, format, size, changelog, published_at: toIso(publishedAt ?? 0) },
    download_url: links.download(mod, id),
    page_url: links.page(mod),
  };
  return JSON.stringify(body);
}
