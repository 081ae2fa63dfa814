import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../platform/access/policy/policy.ts';
import { enumOf, integer, orNull, string } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { choice, integerWithDefault } from '../../platform/http/pipeline/query-schemas.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { type ChangelogGroup, limitChangelog } from './changelog.domain.ts';
import {
  CHANNELS,
  type Channel,
  DEFAULT_CHANNEL,
  DEFAULT_RELEASES,
  MAX_COMMITS_PER_GROUP,
  MAX_GROUPS,
  MAX_RELEASES,
  PLATFORMS,
} from './clientapp.data.ts';
import type { Changelog, ClientappService, LatestByPlatform } from './clientapp.service.ts';
import { type Asset, channelOf, checkForUpdate, type PlatformRelease, type StoredRelease, type UpdateCheck } from './releases.domain.ts';

const isoInstant = (description: string) => z.string().openapi({ description, example: '2026-03-10T15:30:00.000Z' });

const channelParameter = (description: string) => choice(CHANNELS, { code: 'bad_request', description, example: 'release' });
const channel = channelParameter('Stable or beta releases.').default(DEFAULT_CHANNEL);
const platform = choice(PLATFORMS, { code: 'not_found', description: 'Platform of the device.', example: 'windows' });

export const ReleasesQuery = z.object({
  channel: channelParameter('Only this channel; both by default.').optional(),
  limit: integerWithDefault({
    min: 1,
    max: MAX_RELEASES,
    default: DEFAULT_RELEASES,
    description: `Releases on the page, 1 to ${MAX_RELEASES}.`,
    example: 50,
  }),
  offset: integerWithDefault({ min: 0, max: 1_000_000, default: 0, description: 'Releases to skip, newest first.', example: 0 }),
});
const ChannelQuery = z.object({ channel });
const PlatformParams = z.object({ platform });
const CheckQuery = z.object({
  installed: z.string().max(100).openapi({ description: 'Installed version, with or without `v`.', example: 'v1.3.2' }),
  platform,
  channel,
});
const ChangelogQuery = z.object({
  limit_groups: integerWithDefault({
    min: 0,
    max: MAX_GROUPS,
    default: 0,
    description: `Maximum number of versions, newest first, up to ${MAX_GROUPS}; 0 for all.`,
    example: 5,
  }),
  commits_per_group: integerWithDefault({
    min: 0,
    max: MAX_COMMITS_PER_GROUP,
    default: 0,
    description: `Maximum number of commits per version, newest first, up to ${MAX_COMMITS_PER_GROUP}; 0 for all.`,
    example: 20,
  }),
});

const AssetBody = z
  .object({
    name: string('File name.', 'companion-1.4.0.msi'),
    url: string('Download URL.', 'https://github.com/owner/companion/releases/download/v1.4.0/companion-1.4.0.msi'),
    size: integer('Size in bytes; 0 if unknown.', 8_388_608),
    content_type: z.string().nullable().openapi({ description: 'Media type, or null.', example: 'application/x-msi' }),
    download_count: integer('Number of downloads.', 120),
  })
  .openapi('ClientappAsset', { description: 'A file of a release.' });

const META = {
  release_id: integer('Id of the release.', 4001),
  tag_name: string('Tag of the release: its version.', 'v1.4.0'),
  name: string('Title.', 'Companion 1.4.0'),
  body: string('Release notes in Markdown; empty if none.', 'Faster start.'),
  html_url: string('URL of the release page.', 'https://github.com/owner/companion/releases/tag/v1.4.0'),
  prerelease: z.boolean().openapi({ description: 'Whether the release is a beta.', example: false }),
  channel: enumOf(CHANNELS).openapi({ description: 'Channel of the release.', example: 'release' }),
  published_at: isoInstant('Time when the release was published.'),
  fetched_at: isoInstant('Time when the release was last fetched.'),
};
const ReleaseMetaBody = z.object(META).openapi('ClientappReleaseMeta', { description: 'A release without its files.' });
const assets = (description: string) => z.array(AssetBody).openapi({ description });
const ReleaseBody = z
  .object({ ...META, assets: assets('All files of the release.') })
  .openapi('ClientappRelease', { description: 'A release with its files.' });

export const ReleasesBody = z
  .object({
    channel: enumOf(CHANNELS).nullable().openapi({ description: 'Requested channel; null for both.', example: null }),
    items: z.array(ReleaseBody).openapi({ description: 'Newest first.' }),
    count: integer('Number of releases in this response.', 1),
    total: integer('Total number of releases.', 1),
  })
  .openapi('ClientappReleases', { description: 'Releases of the companion app.' });

const requestedChannel = enumOf(CHANNELS).openapi({ description: 'Requested channel.', example: 'release' });
const requestedPlatform = enumOf(PLATFORMS).openapi({ description: 'Platform of the device.', example: 'windows' });

export const PlatformReleaseBody = z
  .object({ platform: requestedPlatform, release: ReleaseMetaBody, assets: assets('Files for this platform, preferred type first.') })
  .openapi('ClientappPlatformRelease', { description: 'The newest release that has a file for the platform.' });

export const LatestBody = z
  .object({
    channel: requestedChannel,
    platforms: z
      .object({
        windows: orNull(PlatformReleaseBody, 'Newest release for Windows, or null.'),
        linux: orNull(PlatformReleaseBody, 'Newest release for Linux, or null.'),
        android: orNull(PlatformReleaseBody, 'Newest release for Android, or null.'),
      })
      .openapi({ description: 'The newest release for each platform.' }),
  })
  .openapi('ClientappLatest', { description: 'The newest release for each platform.' });

export const CheckBody = z
  .object({
    installed: string('Installed version, as sent.', 'v1.3.2'),
    channel: requestedChannel,
    platform: requestedPlatform,
    update_available: z.boolean().openapi({ description: 'Whether the newest release is newer.', example: true }),
    comparable: z.boolean().openapi({ description: 'Whether both versions can be compared.', example: true }),
    latest: orNull(PlatformReleaseBody, 'The newest release for the platform, or null.'),
  })
  .openapi('ClientappCheck', { description: 'Result of an update check.' });

const CommitBody = z
  .object({
    sha: string('Hash of the commit.', '0f3c9a1be5d7486c9d02a4be17c35f8a9e6b1d24'),
    short_sha: string('First seven characters of the hash.', '0f3c9a1'),
    message: string('First line of the commit message.', 'feat(map): show biomes'),
    type: z.string().nullable().openapi({ description: 'Conventional commit type (`feat`), or null.', example: 'feat' }),
    url: string('URL of the commit page; empty if none.', 'https://github.com/owner/companion/commit/0f3c9a1'),
  })
  .openapi('ClientappCommit', { description: 'A change of the companion app.' });
const GroupBody = z
  .object({
    version: string('Tag of the version, or `Unreleased`.', 'v1.4.0'),
    commits: z.array(CommitBody).openapi({ description: 'Newest first.' }),
  })
  .openapi('ClientappChangelogGroup', { description: 'Changes in a version.' });

export const ChangelogBody = z
  .object({
    repo: string('Repository, `owner/name`; empty if not configured.', 'owner/companion'),
    groups: z.array(GroupBody).openapi({ description: 'Newest version first; `Unreleased` comes first if not empty.' }),
    rate_limited: z
      .boolean()
      .openapi({ description: 'Whether the upstream rate limited the last refresh; the groups are then older.', example: false }),
    fetched_at: isoInstant('Time when the changelog was last fetched; the time of the response before the first success.'),
  })
  .openapi('ClientappChangelog', { description: 'Changes of the companion app by version.' });

const toAssetBody = ({ name, url, size, contentType, downloadCount }: Asset): z.infer<typeof AssetBody> => ({
  name,
  url,
  size,
  content_type: contentType,
  download_count: downloadCount,
});

function toReleaseMeta(release: StoredRelease): z.infer<typeof ReleaseMetaBody> {
  return {
    release_id: release.releaseId,
    tag_name: release.tagName,
    name: release.name,
    body: release.body,
    html_url: release.htmlUrl,
    prerelease: release.prerelease,
    channel: channelOf(release),
    published_at: toIso(release.publishedAt),
    fetched_at: toIso(release.fetchedAt),
  };
}

function toReleasesBody(channel: Channel | null, rows: readonly StoredRelease[], total: number): z.infer<typeof ReleasesBody> {
  const items = rows.map((release) => ({ ...toReleaseMeta(release), assets: release.assets.map(toAssetBody) }));
  return { channel, items, count: items.length, total };
}

function toPlatformReleaseBody({ platform, release, assets }: PlatformRelease): z.infer<typeof PlatformReleaseBody> {
  return { platform, release: toReleaseMeta(release), assets: assets.map(toAssetBody) };
}

const toBodyOrNull = (latest: PlatformRelease | null) => latest && toPlatformReleaseBody(latest);

function toLatestBody(channel: Channel, { windows, linux, android }: LatestByPlatform): z.infer<typeof LatestBody> {
  return { channel, platforms: { windows: toBodyOrNull(windows), linux: toBodyOrNull(linux), android: toBodyOrNull(android) } };
}

function toCheckBody(
  request: Pick<z.infer<typeof CheckBody>, 'installed' | 'channel' | 'platform'>,
  { updateAvailable, comparable }: UpdateCheck,
  latest: PlatformRelease | null,
): z.infer<typeof CheckBody> {
  return { ...request, update_available: updateAvailable, comparable, latest: toBodyOrNull(latest) };
}

export function toChangelogBody(
  { repo, groups, rateLimited, fetchedAt }: Changelog,
  { limit_groups, commits_per_group }: z.output<typeof ChangelogQuery>,
  now: UnixSeconds,
): z.infer<typeof ChangelogBody> {
  return {
    repo,
    groups: limitChangelog(groups, limit_groups, commits_per_group).map(toGroupBody),
    rate_limited: rateLimited,
    fetched_at: toIso(fetchedAt ?? now),
  };
}

function toGroupBody({ version, commits }: ChangelogGroup): z.infer<typeof GroupBody> {
  return { version, commits: commits.map(({ shortSha, url, ...commit }) => ({ ...commit, short_sha: shortSha, url: url ?? '' })) };
}

const shared = { method: 'get', tag: 'Client app', access: publicAccess('clientapp:read') } as const;

/** Everything under `/v1/clientapp`. */
export function createClientappEndpoints(service: ClientappService): Endpoint[] {
  return [releasesRoute(service), latestRoute(service), latestForRoute(service), checkRoute(service), changelogRoute(service)];
}

function releasesRoute(service: ClientappService): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/clientapp/releases',
    operationId: 'listClientappReleases',
    summary: 'List app releases',
    description: 'Lists releases with all their files, newest first. An unknown channel returns 400.',
    query: ReleasesQuery,
    errors: ['bad_request'],
    ok: { description: 'The releases.', schema: ReleasesBody },
  }).handle(async ({ query: { channel = null, limit, offset } }) => {
    const { rows, total } = await service.releases({ channel, limit, offset });
    return json(toReleasesBody(channel, rows, total));
  });
}

function latestRoute(service: ClientappService): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/clientapp/latest',
    operationId: 'getLatestClientapp',
    summary: 'List newest versions by platform',
    description:
      'Returns for each platform the newest release of the channel that has a file for it. Releases without such a file are skipped.',
    query: ChannelQuery,
    errors: ['bad_request'],
    ok: { description: 'The newest releases.', schema: LatestBody },
  }).handle(async ({ query: { channel } }) => json(toLatestBody(channel, await service.latest(channel))));
}

function latestForRoute(service: ClientappService): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/clientapp/latest/{platform}',
    operationId: 'getLatestClientappForPlatform',
    summary: 'Get newest version for platform',
    description:
      'Returns the newest release of the channel that has a file for the platform. Returns 404 for an unknown platform, or if no release has such a file.',
    params: PlatformParams,
    query: ChannelQuery,
    errors: ['bad_request', 'not_found'],
    ok: { description: 'The newest release.', schema: PlatformReleaseBody },
  }).handle(async ({ params: { platform }, query: { channel } }) => {
    const latest = (await service.latest(channel))[platform];
    if (!latest) throw notFound(`no release for ${platform} in channel ${channel}`);
    return json(toPlatformReleaseBody(latest));
  });
}

function checkRoute(service: ClientappService): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/clientapp/check',
    operationId: 'checkClientappUpdate',
    summary: 'Check for an update',
    description:
      'Compares the installed version with the newest release for the platform. Follows SemVer, but also accepts any count of numbers, an optional `v` and any suffix. For input that is not a version (`nightly`), `comparable` and the update flag are false.',
    query: CheckQuery,
    errors: ['bad_request', 'not_found'],
    ok: { description: 'Result of the comparison.', schema: CheckBody },
  }).handle(async ({ query }) => {
    const { installed, channel, platform } = query;
    const latest = (await service.latest(channel))[platform];
    return json(toCheckBody(query, checkForUpdate(installed, latest), latest));
  });
}

function changelogRoute(service: ClientappService): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/clientapp/changelog',
    operationId: 'getClientappChangelog',
    summary: 'Get the app changelog',
    description:
      'Lists the newest 100 commits grouped by the version that contains them. Commits after the newest tag come first as `Unreleased`. Refreshed every 30 minutes.',
    query: ChangelogQuery,
    ok: { description: 'The changelog.', schema: ChangelogBody },
  }).handle(async ({ query, now }) => json(toChangelogBody(await service.changelog(), query, now)));
}
