import type { z } from '@hono/zod-openapi';
import { tokenlessAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { ATOM_TYPE, type AtomEntry, atomReply } from '../../../platform/http/replies/atom.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { cutText, visibleText } from '../../../platform/kit/values/visible-text.ts';
import { modFilesRateLimit, modsCatalogRateLimit } from '../mods-catalog.settings.ts';
import { type AttachedReleases, MAX_ATTACHED_RELEASES, MAX_LOOKUP_BYTES } from '../records/catalog.data.ts';
import type { LinksFor, Mod, ModLinks, Release } from '../records/mod.domain.ts';
import {
  ModDetailBody,
  ModListBody,
  ModListQuery,
  ModLookupBody,
  ModLookupInput,
  ModParams,
  PopularModsBody,
  PopularModsQuery,
  toListedModBody,
  toLookedUpModBody,
  toLookedUpReleaseBody,
  toModDetailBody,
} from './catalog.schemas.ts';
import type { CatalogStore, ListedMod } from './catalog.store.ts';
import { LIST_RELEASE_TEXTS } from './listed-mod.domain.ts';

export const catalogShared = {
  tag: 'Mods',
  access: tokenlessAccess('mods:read', modsCatalogRateLimit),
  feature: 'featureModsHubEnabled',
} as const;

/** Images and downloads. */
export const fileShared = { ...catalogShared, access: tokenlessAccess('mods:read', modFilesRateLimit) } as const;

interface CatalogRouteDeps {
  catalog: CatalogStore;
  linksFor: LinksFor;
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
        'Lists mods of the catalog. `q` is literal text, case-insensitive. Long texts are cut; `truncated` names the cut fields, and `api_url` has all of them.',
      query: ModListQuery,
      errors: ['bad_request'],
      ok: { description: 'A page of mods.', schema: ModListBody },
    }).handle(async ({ query, baseUrl }) => {
      const { limit, offset } = query;
      const { mods, total } = await catalog.list(query);
      const links = linksFor(baseUrl);
      return json({ items: mods.map((mod) => toListedModBody(mod, links)), count: mods.length, total, limit, offset });
    }),

    defineRoute({
      ...catalogShared,
      method: 'get',
      path: '/v1/mods/popular',
      operationId: 'listPopularMods',
      summary: 'List popular mods',
      description:
        'Lists the mods with the highest `popularity_score`, which mainly reflects the downloads of the last seven days. Long texts are cut as in the list of mods.',
      query: PopularModsQuery,
      ok: { description: 'Popular mods.', schema: PopularModsBody },
    }).handle(async ({ query, baseUrl }) => {
      const { mods } = await catalog.list({ sort: 'popular', limit: query.limit, offset: 0 });
      const links = linksFor(baseUrl);
      return json({ items: mods.map((mod) => toListedModBody(mod, links)), count: mods.length });
    }),

    defineRoute({
      ...catalogShared,
      method: 'get',
      path: '/v1/mods/releases.atom',
      operationId: 'getModReleasesFeed',
      summary: 'Get the releases Atom feed',
      description:
        'Returns up to 100 of the most recently released mods with their newest release as an Atom feed (RFC 4287), newest first. The feed takes at most three mods of each owner and hour. It chooses as if each further mod of an owner were a day older than the one before.',
      ok: { contentTypes: [ATOM_TYPE], description: 'Atom feed.' },
    }).handle(async ({ baseUrl }) => {
      const recent = await catalog.listRecent(FEED_ENTRIES);
      const links = linksFor(baseUrl);
      return atomReply({
        title: 'Mod releases',
        author: 'Game Data API',
        selfUrl: `${baseUrl}/v1/mods/releases.atom`,
        pageUrl: baseUrl,
        entries: recent.flatMap(({ mod, release }) => (release ? [releaseEntry(mod, release, links)] : [])),
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
        'Looks up releases by file hash, in any case. A repacked release also matches by its earlier hashes. Text that is not a hex SHA-256 is reported as unknown. `releases` attaches other published releases to each mod. Long texts are cut; `truncated` names the cut fields.',
      body: ModLookupInput,
      bodyLimit: MAX_LOOKUP_BYTES,
      ok: { description: 'Matches by hash.', schema: ModLookupBody },
    }).handle(async ({ body, baseUrl }) => {
      const links = linksFor(baseUrl);
      const matches = await lookUp(catalog, body.hashes, attachedReleases(body));
      const modTexts = new Map<Mod, string>();
      const results = [...matches].map(([hash, { mod, release, attached }]) => {
        const text = modTexts.get(mod) ?? JSON.stringify({ ...toLookedUpModBody(mod, links), ...toAttachedBody(mod, attached, links) });
        modTexts.set(mod, text);
        return `${JSON.stringify(hash)}:{"mod":${text},"release":${JSON.stringify(toLookedUpReleaseBody(mod, release, links))}}`;
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

/** Releases of a mod that a lookup attaches, and the number of those that it omits. */
interface Attached {
  releases: Release[];
  omitted: number;
}

/** Result of a hash lookup. */
interface LookupMatch {
  mod: ListedMod;
  release: Release;
  /** Null if no releases were requested. */
  attached: Attached | null;
}

function toAttachedBody(mod: Mod, attached: Attached | null, links: ModLinks) {
  if (!attached) return {};
  const releases = attached.releases.map((release) => toLookedUpReleaseBody(mod, release, links, true));
  return { releases, omitted_releases: attached.omitted };
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Public releases by hash, in the spelling that was sent first. */
async function lookUp(catalog: CatalogStore, hashes: readonly string[], which: AttachedReleases): Promise<Map<string, LookupMatch>> {
  const sent = new Map<string, string>();
  for (const hash of hashes) {
    const sha256 = foldCase(hash);
    if (SHA256.test(sha256) && !sent.has(sha256)) sent.set(sha256, hash);
  }
  const hits = await catalog.lookup([...sent.keys()]);
  const modIds = [...new Set([...hits.values()].map(({ modId }) => modId))];
  const [mods, releases, attachedOf] = await Promise.all([
    catalog.findListed(modIds),
    catalog.findReleases([...hits.values()].map(({ releaseId }) => releaseId)),
    which === 'none' ? null : findAttached(catalog, modIds, which, Math.floor(MAX_ATTACHED_RELEASES / Math.max(1, hits.size))),
  ]);
  const matches = new Map<string, LookupMatch>();
  for (const [sha256, hash] of sent) {
    const hit = hits.get(sha256);
    const mod = hit && mods.get(hit.modId);
    const release = hit && releases.get(hit.releaseId);
    if (mod && release) matches.set(hash, { mod, release, attached: attachedOf?.(mod.id) ?? null });
  }
  return matches;
}

/** The newest releases of each mod, at most `max` of each. */
async function findAttached(catalog: CatalogStore, modIds: readonly number[], which: 'all' | 'latest', max: number) {
  const [releases, counts] = await Promise.all([catalog.listReleases(modIds, which, max), catalog.countReleases(modIds, which)]);
  return (modId: number): Attached => {
    const listed = releases.get(modId) ?? [];
    return { releases: listed, omitted: Math.max(0, (counts.get(modId) ?? 0) - listed.length) };
  };
}

/** More than the accounts of a hostile day (`test/long/hostile-day.test.ts`), which have one place each before others of the same day. */
const FEED_ENTRIES = 100;

/** Feed entry of the newest release of a mod. */
function releaseEntry(mod: Mod, release: Release, links: ModLinks): AtomEntry {
  return {
    id: links.download(mod, release.id),
    url: links.page(mod),
    title: visibleText(`${mod.title} ${release.tag}`),
    author: visibleText(mod.author),
    publishedAt: mod.lastReleaseAt,
    summary: visibleText(cutText(release.changelog, LIST_RELEASE_TEXTS.changelog) || mod.summary),
  };
}
