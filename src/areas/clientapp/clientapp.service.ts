import type { JobContext } from '../../platform/durable/schedule/job.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { createRevalidatingCache, type TtlCache } from '../../platform/storage/memory-caches.ts';
import { type ChangelogGroup, groupChangelog } from './changelog.domain.ts';
import { CHANNELS, type Channel, PLATFORMS, type Platform, READ_CACHE_TTL_MS } from './clientapp.data.ts';
import type { ClientappStore, ReleasesQuery, StoredChangelog } from './clientapp.store.ts';
import { RateLimited, type ReleaseApi } from './release-api.upstream.ts';
import { assetsForPlatform, type PlatformRelease, type StoredRelease } from './releases.domain.ts';

/** The newest release for each platform. */
export type LatestByPlatform = Record<Platform, PlatformRelease | null>;

export interface Changelog {
  /** `<owner>/<name>`; empty if not configured. */
  repo: string;
  groups: ChangelogGroup[];
  rateLimited: boolean;
  fetchedAt: UnixSeconds | null;
}

interface ClientappServiceDeps {
  api: ReleaseApi | null;
  store: ClientappStore;
  /** `<owner>/<name>`; empty if not configured. */
  repo: string;
}

const NO_CHANGELOG: StoredChangelog = { tags: [], commits: [], rateLimited: false, fetchedAt: null };

export type ClientappService = ReturnType<typeof createClientappService>;

export function createClientappService({ api, store, repo }: ClientappServiceDeps) {
  const latest = Object.fromEntries(
    CHANNELS.map((channel) => [channel, createRevalidatingCache(() => readLatest(store, channel), READ_CACHE_TTL_MS)]),
  ) as Record<Channel, TtlCache<LatestByPlatform>>;
  const changelog = createRevalidatingCache(readChangelog, READ_CACHE_TTL_MS);
  const storedChangelog = async () => (await store.findChangelog(repo)) ?? NO_CHANGELOG;

  async function readChangelog(): Promise<Changelog> {
    const { tags, commits, rateLimited, fetchedAt } = (await store.findPublicChangelog(repo)) ?? NO_CHANGELOG;
    return { repo, groups: groupChangelog(tags, commits), rateLimited, fetchedAt };
  }

  async function refreshReleases(source: ReleaseApi, { now, signal }: Pick<JobContext, 'now' | 'signal'>): Promise<void> {
    const fetched = await source.fetchReleases(signal);
    if (!fetched) return;
    await store.saveReleases(fetched.value.releases, now, fetched.value.isComplete);
    await fetched.confirm();
  }

  /** If the tags cannot be fetched, uses the stored ones; without any, all commits are unreleased. */
  async function refreshChangelog(source: ReleaseApi, { now, signal }: Pick<JobContext, 'now' | 'signal'>): Promise<void> {
    const tags = await attempt(source.fetchTags(signal));
    if (tags.error instanceof RateLimited) throw tags.error;
    const commits = await source.fetchCommits(signal);
    const stored = await storedChangelog();
    await store.saveChangelog(repo, {
      tags: tags.value?.value ?? stored.tags,
      commits: commits?.value ?? stored.commits,
      rateLimited: false,
      fetchedAt: now,
    });
    await tags.value?.confirm();
    await commits?.confirm();
    if (tags.error) throw tags.error;
  }

  return {
    releases: (query: ReleasesQuery): Promise<{ rows: StoredRelease[]; total: number }> => store.listReleases(query),
    latest: (channel: Channel): LatestByPlatform | Promise<LatestByPlatform> => latest[channel].get(),
    changelog: changelog.get,

    /** Fetches and stores releases and changelog; a failure of one does not affect the other. */
    async refresh(context: Pick<JobContext, 'now' | 'signal'>): Promise<void> {
      if (!api) throw new Error('app store is not configured');
      const errors = [(await attempt(refreshReleases(api, context))).error, (await attempt(refreshChangelog(api, context))).error].filter(
        (error) => error !== null,
      );
      if (errors.some((error) => error instanceof RateLimited)) {
        await store.saveChangelog(repo, { ...(await storedChangelog()), rateLimited: true });
      }
      for (const cache of [...Object.values(latest), changelog]) cache.invalidate();
      if (errors[0]) throw errors[0];
    },
  };
}

async function readLatest(store: ClientappStore, channel: Channel): Promise<LatestByPlatform> {
  const newest = await store.newestByPlatform(channel);
  const entries = PLATFORMS.map((platform) => {
    const release = newest[platform];
    return [platform, release && { platform, release, assets: assetsForPlatform(release.assets, platform) }];
  });
  return Object.fromEntries(entries) as LatestByPlatform;
}

/** Result or error of a step. */
async function attempt<Value>(step: Promise<Value>): Promise<{ value: Value | null; error: Error | null }> {
  try {
    return { value: await step, error: null };
  } catch (error) {
    return { value: null, error: error instanceof Error ? error : new Error(String(error)) };
  }
}
