import type { EventBodies } from '../../../platform/events/event-declaration.ts';
import { SECONDS_PER_DAY, toIso } from '../../../platform/kit/time/clock.ts';
import { cutText, visibleText } from '../../../platform/kit/values/visible-text.ts';
import { MAX_EVENT_CHANGELOG_LENGTH } from './catalog.data.ts';
import type { ModAddress, ModImage, ModLinks, Release } from './mod.domain.ts';

/** Type of the event, and kind of its entry in the outbox. */
export const MOD_RELEASE = 'mod_release';

type EventRelease = Pick<
  Release,
  'id' | 'tag' | 'title' | 'branch' | 'format' | 'size' | 'changelog' | 'publishedAt' | 'sha256' | 'isPublished' | 'image'
>;
type EventMod = ModAddress & { title: string; banner: ModImage | null; previews: readonly ModImage[] };

/** What a release follows. */
export interface ReleaseHistory {
  /** Newest release of the branch that was published strictly earlier; null for the first. */
  previous: EventRelease | null;
  /** Published releases of the branch, including this one. */
  releaseCount: number;
}

type Dated = Pick<EventRelease, 'id' | 'branch' | 'isPublished' | 'publishedAt'>;

/** The release that a release of the same mod follows, and the number of published releases of its branch with it. */
export function historyOf<Stored extends Dated>(
  release: Dated,
  stored: readonly Stored[],
): { previous: Stored | null; releaseCount: number } {
  const published = stored.filter(({ branch, isPublished, id }) => branch === release.branch && isPublished && id !== release.id);
  const at = (one: Dated) => one.publishedAt ?? 0;
  const earlier = published.filter((one) => at(one) < at(release)).toSorted((one, other) => at(other) - at(one));
  return { previous: earlier[0] ?? null, releaseCount: published.length + 1 };
}

/** Event data as JSON. Created at publication, so that retries send the same data. `isAnnounced`: whether chats post it. */
export function modReleaseData(mod: EventMod, release: EventRelease, history: ReleaseHistory, links: ModLinks, isAnnounced = true): string {
  const image = release.image ?? mod.banner ?? mod.previews[0];
  const body: EventBodies['mod_release'] = {
    project: { slug: mod.slug, title: mod.title, owner: mod.handle },
    release: releaseData(release),
    previous: history.previous && releaseData(history.previous),
    change: changeOf(release, history),
    image_url: image ? links.image(image.sha256) : null,
    download_url: links.download(mod, release.id),
    page_url: links.page(mod),
    announced: isAnnounced,
  };
  return JSON.stringify(body);
}

function releaseData({ id, tag, title, branch, format, size, changelog, publishedAt }: EventRelease) {
  const shortChangelog = visibleText(cutText(changelog, MAX_EVENT_CHANGELOG_LENGTH));
  return { id, tag, title, branch, format, size, changelog: shortChangelog, published_at: toIso(publishedAt ?? 0) };
}

/** The difference to the previous release of the branch. Days have two decimals. */
export function changeOf(release: EventRelease, { previous, releaseCount }: ReleaseHistory) {
  const seconds = (release.publishedAt ?? 0) - (previous?.publishedAt ?? 0);
  return {
    kind: previous ? ('update' as const) : ('initial' as const),
    is_first_release: previous === null,
    from_tag: previous?.tag ?? null,
    to_tag: release.tag,
    size_delta: previous && release.size - previous.size,
    days_since_previous: previous && Math.round((seconds / SECONDS_PER_DAY) * 100) / 100,
    release_count: releaseCount,
    artifact_unchanged: previous?.sha256 === release.sha256,
  };
}
