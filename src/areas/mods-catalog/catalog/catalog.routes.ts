import type { z } from '@hono/zod-openapi';
import { tokenlessAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { ATOM_TYPE, type AtomEntry, atomReply } from '../../../platform/http/replies/atom.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { createResponseSize, MAX_BATCH_BYTES, responseTooLarge } from '../../../platform/http/replies/response-size.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { type AttachedReleases, MAX_LOOKUP_BYTES } from '../catalog.data.ts';
import { modFilesBudget, modsCatalogBudget } from '../mods-catalog.settings.ts';
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
import type { CatalogStore, ModPage } from './catalog.store.ts';
import type { LinksFor, Mod, ModLinks, Release } from './mod.domain.ts';

export const catalogShared = {
  tag: 'Mods',
  access: tokenlessAccess('mods:read', modsCatalogBudget),
  feature: 'featureModsHubEnabled',
} as const;

/** Images and downloads. */
export const fileShared = { ...catalogShared, access: tokenlessAccess('mods:read', modFilesBudget) } as const;

interface CatalogRouteDeps {
  catalog: CatalogStore;
  linksFor: LinksFor;
}

/** Throws 422 for `limit` if the page is too large for one response. */
export function requireWholePage(page: ModPage): ModPage {
  if (page.isCut) throw responseTooLarge('query', 'limit');
  return page;
}

/** Endpoints of lists, the releases feed and the hash lookup. Must be registered before paths with parameters. */
export function createCatalogEndpoints({ catalog, linksFor }: CatalogRouteDeps): Endpoint[] {
  return [
    defineRoute({
      ...catalogShared,
      method: 'get',
      path: '/v1/mods',
      operationId: 'listMods',
      summary: 'List mods',
      description:
        'Lists mods of the catalog. `q` is literal text, case-insensitive. Returns 422 when the response would be larger than 8 MiB: request fewer mods.',
      query: ModListQuery,
      errors: ['bad_request'],
      ok: { description: 'A page of mods.', schema: ModListBody },
    }).handle(async ({ query, baseUrl }) => {
      const { limit, offset } = query;
      const { mods, total } = requireWholePage(await catalog.list(query));
      const links = linksFor(baseUrl);
      return json({ items: mods.map((mod) => toModBody(mod, links)), count: mods.length, total, limit, offset });
    }),

    defineRoute({
      ...catalogShared,
      method: 'get',
      path: '/v1/mods/popular',
      operationId: 'listPopularMods',
      summary: 'List popular mods',
      description:
        'Lists the mods with the highest `popularity_score`, which mainly reflects the downloads of the last seven days. Returns 422 when the response would be larger than 8 MiB: request fewer mods.',
      query: PopularModsQuery,
      ok: { description: 'Popular mods.', schema: PopularModsBody },
    }).handle(async ({ query, baseUrl }) => {
      const { mods } = requireWholePage(await catalog.list({ sort: 'popular', limit: query.limit, offset: 0 }));
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
      const recent = await catalog.listRecent(FEED_ENTRIES);
      const links = linksFor(baseUrl);
      return atomReply({
        title: 'Mod releases',
        author: 'Game Data API',
        selfUrl: `${baseUrl}/v1/mods/releases.atom`,
        pageUrl: baseUrl,
        entries: recent.flatMap(({ mod, releases }) => releaseEntry(mod, releases, links)),
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
        'Looks up releases by file hash, in any case. A repacked release also matches by its earlier hashes. Text that is not a hex SHA-256 is reported as unknown. `releases` attaches other published releases to each mod.',
      body: ModLookupInput,
      bodyLimit: MAX_LOOKUP_BYTES,
      ok: { description: 'Matches by hash.', schema: ModLookupBody },
    }).handle(async ({ body, baseUrl }) => {
      const links = linksFor(baseUrl);
      const matches = await lookUp(catalog, body.hashes, attachedReleases(body));
      const counted = createResponseSize('body', 'hashes');
      const modTexts = new Map<Mod, string>();
      const results = [...matches].map(([hash, { mod, release, releases }]) => {
        const attached = releases && { releases: releases.map((one) => toReleaseBody(mod, one, links)) };
        const modText = modTexts.get(mod) ?? JSON.stringify({ ...toModBody(mod, links), ...attached });
        modTexts.set(mod, modText);
        return counted(`${JSON.stringify(hash)}:{"mod":${modText},"release":${JSON.stringify(toReleaseBody(mod, release, links))}}`);
      });
      const known = new Set([...matches.keys()].map(foldCase));
      const unknown = [...new Set(body.hashes)].filter((hash) => !known.has(foldCase(hash)));
      return { kind: 'json', text: `{"results":{${results.join(',')}},"unknown":${JSON.stringify(unknown)}}` };
    }),
  ];
}

/** `GET /v1/mods/{handle}/{slug}`. Must be registered after every fixed path that it would match. */
export function createDetailEndpoint({ catalog, linksFor }: CatalogRouteDeps): Endpoint {
  return defineRoute({
    ...catalogShared,
    method: 'get',
    path: '/v1/mods/{handle}/{slug}',
    operationId: 'getMod',
    summary: 'Get a mod',
    description:
      'Returns a mod with its published releases, newest first, as many as fit into 8 MiB. `omitted_releases` counts the others.',
    params: ModParams,
    errors: ['not_found'],
    ok: { description: 'The mod.', schema: ModDetailBody },
  }).handle(async ({ params, baseUrl }) => {
    const found = await catalog.findVisible(params);
    if (!found) throw notFound('mod not found');
    return json(toModDetailBody(found, linksFor(baseUrl)));
  });
}

/** `releases` takes precedence over `include_releases`. */
function attachedReleases({ releases, include_releases: isLatest }: z.output<typeof ModLookupInput>): AttachedReleases {
  return releases ?? (isLatest ? 'latest' : 'none');
}

/** Result of a hash lookup. */
interface LookupMatch {
  mod: Mod;
  release: Release;
  /** Other published releases of the mod; null if not requested. */
  releases: Release[] | null;
}

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Public releases by hash, in the spelling that was sent first. Throws 422 when the texts of the mods and their releases are longer than
 * a response may be.
 */
async function lookUp(catalog: CatalogStore, hashes: readonly string[], attached: AttachedReleases): Promise<Map<string, LookupMatch>> {
  const sent = new Map<string, string>();
  for (const hash of hashes) {
    const sha256 = foldCase(hash);
    if (SHA256.test(sha256) && !sent.has(sha256)) sent.set(sha256, hash);
  }
  const hits = await catalog.lookup([...sent.keys()]);
  const modIds = [...new Set([...hits.values()].map(({ modId }) => modId))];
  if ((await catalog.countBytes(modIds, attached)) > MAX_BATCH_BYTES) throw responseTooLarge('body', 'hashes');
  const [mods, releases, attachedOf] = await Promise.all([
    catalog.findMods(modIds),
    catalog.findReleases([...hits.values()].map(({ releaseId }) => releaseId)),
    attached === 'none' ? null : catalog.listReleases(modIds, attached),
  ]);
  const matches = new Map<string, LookupMatch>();
  for (const [sha256, hash] of sent) {
    const hit = hits.get(sha256);
    const mod = hit && mods.get(hit.modId);
    const release = hit && releases.get(hit.releaseId);
    if (mod && release) matches.set(hash, { mod, release, releases: attachedOf && (attachedOf.get(mod.id) ?? []) });
  }
  return matches;
}

const FEED_ENTRIES = 50;

/** Feed entry of the newest release of a mod; none if all releases are silent. */
function releaseEntry(mod: Mod, releases: readonly Release[], links: ModLinks): AtomEntry[] {
  const newest = releases[0];
  if (!newest || mod.lastReleaseAt === 0) return [];
  return [
    {
      id: links.download(mod, newest.id),
      url: links.page(mod),
      title: `${mod.title} ${newest.tag}`,
      author: mod.author,
      publishedAt: mod.lastReleaseAt,
      summary: newest.changelog || mod.summary,
    },
  ];
}
