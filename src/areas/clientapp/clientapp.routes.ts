import { publicAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import {
  ChangelogBody,
  ChangelogQuery,
  ChannelQuery,
  CheckBody,
  CheckQuery,
  LatestBody,
  PlatformParams,
  PlatformReleaseBody,
  ReleasesBody,
  ReleasesQuery,
  toChangelogBody,
  toCheckBody,
  toLatestBody,
  toPlatformReleaseBody,
  toReleasesBody,
} from './clientapp.schemas.ts';
import type { ClientappService } from './clientapp.service.ts';
import { checkForUpdate } from './releases.domain.ts';

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
