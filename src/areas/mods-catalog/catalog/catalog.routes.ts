import type { z } from '@hono/zod-openapi';
import { tokenlessAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { ATOM_TYPE, type AtomEntry, atomReply } from '../../../platform/http/replies/atom.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { type AttachedReleases, MAX_LOOKUP_BYTES } from '../catalog.data.ts';
import { modsCatalogBudget } from '../mods-catalog.budgets.ts';
import type { CatalogRepository } from './catalog.repository.ts';
import {
  ModDetailBody,
  ModListBody,
  ModListQuery,
  ModLookupBody,
  ModLookupInput,
  ModParams,
  PopularModsBody,
  PopularModsQuery,
  toModBody,
  toModDetailBody,
  toReleaseBody,
} from './catalog.schemas.ts';
import type { CatalogService } from './catalog.service.ts';
import type { LinksFor, ModLinks } from './links.domain.ts';
import type { Mod, Release } from './mod.domain.ts';

export const catalogShared = {
  tag: 'Mods',
  access: tokenlessAccess('mods:read', modsCatalogBudget),
  feature: 'featureModsHubEnabled',
} as const;

export interface CatalogRouteDeps {
  catalog: CatalogRepository;
  service: CatalogService;
  linksFor: LinksFor;
}

/** Endpoints of lists, the releases feed and the hash lookup. Must be registered before paths with parameters. */
export function createCatalogEndpoints({ catalog, service, linksFor }: CatalogRouteDeps): Endpoint[] {
  return [
    defineRoute({
      ...catalogShared,
      method: 'get',
      path: '/v1/mods',
      operationId: 'listMods',
      summary: 'List mods',
      description: 'Lists mods of the catalog. `q` is literal text, case-insensitive.',
      query: ModListQuery,
      errors: ['bad_request'],
      ok: { description: 'A page of mods.', schema: ModListBody },
    }).handle(async ({ query, baseUrl }) => {
      const { limit, offset } = query;
      const { mods, total } = await catalog.list(query);
      const links = linksFor(baseUrl);
      return json({ items: mods.map((mod) => toModBody(mod, links)), count: mods.length, total, limit, offset });
    }),

    defineRoute({
      ...catalogShared,
      method: 'get',
      path: '/v1/mods/popular',
      operationId: 'listPopularMods',
      summary: 'List popular mods',
      description: 'Lists the mods with the highest `popularity_score`, which mainly reflects the downloads of the last seven days.',
      query: PopularModsQuery,
      ok: { description: 'Popular mods.', schema: PopularModsBody },
    }).handle(async ({ query, baseUrl }) => {
      const { mods } = await catalog.list({ sort: 'popular', limit: query.limit, offset: 0 });
      const links = linksFor(baseUrl);
      return json({ items: mods.map((mod) => toModBody(mod, links)), count: mods.length });
    }),

    defineRoute({
      ...catalogShared,
      method: 'get',
      path: '/v1/mods/releases.atom',
      operationId: 'getModReleasesFeed',
      summary: 'Get the releases Atom feed',
      description: 'Returns the most recently released mods with their newest release as an Atom feed (RFC 4287).',
      ok: { contentTypes: [ATOM_TYPE], description: 'Atom feed.' },
    }).handle(async ({ baseUrl }) => {
      const { mods } = await catalog.list({ sort: 'recent', limit: FEED_ENTRIES, offset: 0 });
      const releases = await catalog.listReleases(
        mods.map(({ id }) => id),
        'latest',
      );
      const links = linksFor(baseUrl);
      return atomReply({
        ...{ title: 'Mod releases', author: 'Game Data API', selfUrl: `${baseUrl}/v1/mods/releases.atom`, pageUrl: baseUrl },
        entries: mods.flatMap((mod) => releaseEntry(mod, releases.get(mod.id) ?? [], links)),
      });
    }),

    defineRoute({
      ...catalogShared,
      method: 'post',
      isStateless: true,
      path: '/v1/mods/lookup',
      operationId: 'lookUpMods',
      summary: 'Identify installed mods',
      description:
        'Looks up releases by file hash. A repacked release also matches by its earlier hashes. Text that is not a hex SHA-256 is reported as unknown. `releases` attaches other published releases to each mod.',
      body: ModLookupInput,
      bodyLimit: MAX_LOOKUP_BYTES,
      ok: { description: 'Matches by hash.', schema: ModLookupBody },
    }).handle(async ({ body, baseUrl }) => {
      const links = linksFor(baseUrl);
      const matches = await service.lookup(body.hashes, attachedReleases(body));
      const results = [...matches].map(([hash, { mod, release, releases }]) => {
        const modBody = releases ? toModDetailBody({ mod, releases }, links) : toModBody(mod, links);
        return [hash, { mod: modBody, release: toReleaseBody(mod, release, links) }] as const;
      });
      const unknown = [...new Set(body.hashes)].filter((hash) => !matches.has(hash));
      return json({ results: Object.fromEntries(results), unknown });
    }),
  ];
}

/** `GET /v1/mods/{handle}/{slug}`. Must be registered after every fixed path that it would match. */
export function createDetailEndpoint({ service, linksFor }: Pick<CatalogRouteDeps, 'service' | 'linksFor'>): Endpoint {
  return defineRoute({
    ...catalogShared,
    method: 'get',
    path: '/v1/mods/{handle}/{slug}',
    operationId: 'getMod',
    summary: 'Get a mod',
    description: 'Returns a mod with its published releases, newest first.',
    params: ModParams,
    errors: ['not_found'],
    ok: { description: 'The mod.', schema: ModDetailBody },
  }).handle(async ({ params, baseUrl }) => json(toModDetailBody(await service.detail(params), linksFor(baseUrl))));
}

/** `releases` takes precedence over `include_releases`. */
function attachedReleases({ releases, include_releases: isLatest }: z.output<typeof ModLookupInput>): AttachedReleases {
  return releases ?? (isLatest ? 'latest' : 'none');
}

const FEED_ENTRIES = 50;

/** Feed entry of the newest release of a mod; none if all releases are silent. */
function releaseEntry(mod: Mod, releases: readonly Release[], links: ModLinks): AtomEntry[] {
  const newest = releases[0];
  if (!newest || mod.lastReleaseAt === 0) return [];
  return [
    {
      ...{ id: links.download(mod, newest.id), url: links.page(mod), title: `${mod.title} ${newest.tag}`, author: mod.author },
      ...{ publishedAt: mod.lastReleaseAt, summary: newest.changelog || mod.summary },
    },
  ];
}
