import { type AreaContext, defineArea } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { shrinkImage } from '../../platform/kit/images/shrink-image.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import { createCachedContents } from '../../platform/storage/pop-cache.ts';
import { nextToDatabase } from '../../platform/storage/regional-objects.ts';
import { createCatalogStore, type ListRequest } from './catalog/catalog.store.ts';
import { announceModWrites, createModSearchSource } from './catalog/search-documents.store.ts';
import { createDownloadsStore } from './downloads/downloads.store.ts';
import { createImageVariants } from './downloads/image-variants.service.ts';
import { createPopularityJob } from './downloads/popularity.jobs.ts';
import { MIRROR } from './mirror/mirror.object.ts';
import { createCommunityCatalog } from './mirror/mirror.upstream.ts';
import { sharedDeps } from './mirror/mirror-parts.service.ts';
import { modReleaseEvent } from './mods-catalog.events.ts';
import { modFilesRateLimit, modsCatalogRateLimit, modsCatalogSettings } from './mods-catalog.settings.ts';
import { createPacksService } from './packs/packs.service.ts';
import { createPacksStore } from './packs/packs.store.ts';
import { createPublishing } from './publishing/index.ts';
import { MIRROR_SOURCES } from './records/catalog.data.ts';
import { catalogTables } from './records/catalog.tables.ts';
import { createFileClaims } from './records/file-claims.store.ts';
import { type LinksFor, linksFrom, type ModAddress, normalizeModAddress } from './records/mod.domain.ts';
import { createAnnouncements, createModWrites, createReleaseFacts } from './records/mod-writes.store.ts';
import { publishingTables } from './records/publishing.tables.ts';

const JOB_TIMEOUT_SECONDS = 60;
/** Of the job that reads the list of the community catalog. */
const LIST_TIMEOUT_SECONDS = 240;
/** Packs on their page. */
const PAGE_PACKS = 100;
/** Mods on a page of the list. */
const PAGE_MODS = 24;

type ModsPageQuery = Omit<ListRequest, 'limit' | 'offset'> & { page: number };

/** Stores and services of the catalog, for its routes, jobs and ports. */
function createCatalog(context: AreaContext) {
  const { db, publicReads, env, memory, outbox, events, upstream, mailer, settings, projectKeys, ports } = context;
  const { store, inspect, newId } = sharedDeps(context);
  const onChanged = (key: string) => ports.searchIndex.changed('mod', [key]);
  // Reads that writes depend on, and reads of administrators, use the primary.
  const catalog = createCatalogStore(db);
  const writes = announceModWrites(db, createModWrites(db), onChanged);
  const contents = createCachedContents(store);
  const announcements = createAnnouncements(outbox, events);
  const linksFor: LinksFor = (baseUrl) => linksFrom({ baseUrl, portalUrl: env.PORTAL_URL || baseUrl });
  const packs = createPacksStore(db, publicReads);
  return {
    catalog,
    publicCatalog: createCatalogStore(publicReads),
    writes,
    store,
    contents,
    inspect,
    newId,
    announcements,
    linksFor,
    variants: createImageVariants({ bucket: env.ARCHIVE, store, contents, memory, shrink: shrinkImage }),
    packs,
    packService: createPacksService({
      packs,
      store,
      contents,
      inspect,
      pack: (...args) => ports.packArtifacts(...args),
      readPaths: (...args) => ports.readArtifactPaths(...args),
    }),
    publishing: createPublishing({
      db,
      catalog,
      writes,
      store,
      bucket: env.ARCHIVE,
      inspect,
      stamp: (...args) => ports.stampArtifact(...args),
      outbox,
      announcements,
      mailer,
      settings,
      projectKeys,
      community: env.MODS_MIRROR_URL === '' ? null : createCommunityCatalog(upstream, env.MODS_MIRROR_URL),
      superusers: () => ports.superusers(),
      appName: env.APP_NAME,
      portalUrl: env.PORTAL_URL,
      linksFor,
      newId,
      onChanged,
    }),
  };
}

type Catalog = ReturnType<typeof createCatalog>;

async function loadEndpoints(created: Catalog, { db, env, memory }: AreaContext): Promise<Endpoint[]> {
  const [
    { createModerationEndpoints },
    { createCatalogEndpoints, createDetailEndpoint },
    { createDownloadLog, createFileEndpoints },
    { createInsertEndpoint },
    { createInsertService },
    { createPackEndpoints },
    { createModFileEndpoints },
    { createModBadgeEndpoint },
  ] = await Promise.all([
    import('./catalog/moderation.routes.ts'),
    import('./catalog/catalog.routes.ts'),
    import('./downloads/files.routes.ts'),
    import('./insert/insert.routes.ts'),
    import('./insert/insert.service.ts'),
    import('./packs/packs.routes.ts'),
    import('./catalog/mod-files.routes.ts'),
    import('./catalog/mod-badge.routes.ts'),
  ]);
  const { catalog, publicCatalog, writes, store, contents, inspect, newId, announcements, linksFor, variants, packs } = created;
  const { noticeToMembers } = created.publishing;
  const downloads = createDownloadLog(env.MOD_DOWNLOADS);
  return [
    ...createCatalogEndpoints({ catalog: publicCatalog, linksFor }),
    createInsertEndpoint({ service: createInsertService({ catalog, writes, store, inspect, announcements, newId }), linksFor }),
    ...createFileEndpoints({ catalog: publicCatalog, contents, downloads, variants }),
    createModBadgeEndpoint(publicCatalog),
    createDetailEndpoint({ catalog: publicCatalog, linksFor }),
    ...createPackEndpoints({ packs, service: created.packService, downloads, memory, linksFor }),
    ...createModFileEndpoints(createFileClaims(db)),
    ...createModerationEndpoints({ catalog, writes, announcements, noticeToMembers, linksFor }),
  ];
}

function createJobs({ announcements, variants }: Catalog, { db, env }: AreaContext): Job[] {
  const mirrorObjects = nextToDatabase(env.MODS_MIRROR, env.REGION);
  return [
    createPopularityJob(createDownloadsStore(db)),
    {
      name: 'mods-announce',
      schedule: { everySeconds: SECONDS_PER_MINUTE, text: 'every 60 s, for releases whose event was not published' },
      timeoutSeconds: JOB_TIMEOUT_SECONDS,
      run: (context) => announcements.drain(context),
    },
    {
      name: 'mods-mirror',
      schedule: { everySeconds: SECONDS_PER_DAY, text: 'daily, in steps' },
      timeoutSeconds: LIST_TIMEOUT_SECONDS,
      sources: Object.values(MIRROR_SOURCES),
      availability: ({ modsMirrorEnabled }) => (modsMirrorEnabled ? (env.MODS_MIRROR_URL === '' ? 'unconfigured' : 'enabled') : 'disabled'),
      // A run by hand skips the pause before the next step.
      run: ({ isManual }) => mirrorObjects.getByName(MIRROR).start(isManual),
    },
    {
      name: 'mod-images-expiry',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: JOB_TIMEOUT_SECONDS,
      run: ({ now }) => variants.deleteExpired(now),
    },
  ];
}

/** The bodies of mods and packs for pages. */
function createPublicBodies({ publicCatalog, packs, packService, linksFor }: Catalog) {
  return {
    async publicMod(address: ModAddress, baseUrl: string) {
      const [found, { toModDetailBody }] = await Promise.all([publicCatalog.findVisible(address), import('./catalog/catalog.schemas.ts')]);
      if (!found) throw notFound('mod not found');
      return toModDetailBody(found, linksFor(baseUrl));
    },
    publicMods: {
      pageSize: PAGE_MODS,
      /** A page of mods, from 1. `owners`: the owner of each. */
      async list({ page, ...query }: ModsPageQuery, baseUrl: string) {
        const [{ mods, total }, { toListedModBody }] = await Promise.all([
          publicCatalog.list({ ...query, limit: PAGE_MODS, offset: (page - 1) * PAGE_MODS }),
          import('./catalog/catalog.schemas.ts'),
        ]);
        return { mods: mods.map((mod) => toListedModBody(mod, linksFor(baseUrl))), owners: mods.map(({ owner }) => owner), total };
      },
    },
    publicPacks: {
      /** The first public packs in an order of the API. */
      async list(baseUrl: string) {
        const [{ packs: listed }, { toPackBody }] = await Promise.all([
          packs.list({ sort: 'recent', limit: PAGE_PACKS, offset: 0 }),
          import('./packs/packs.schemas.ts'),
        ]);
        return listed.map((pack) => toPackBody(pack, linksFor(baseUrl)));
      },
      async detail(address: ModAddress, baseUrl: string) {
        const [detail, { toPackDetailBody }] = await Promise.all([
          packService.detail(normalizeModAddress(address)),
          import('./packs/packs.schemas.ts'),
        ]);
        return toPackDetailBody(detail, linksFor(baseUrl));
      },
    },
  };
}

type PublicBodies = ReturnType<typeof createPublicBodies>;

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** Body of `GET /v1/mods/{handle}/{slug}`. Throws 404 for a hidden mod. */
    publicMod: PublicBodies['publicMod'];
    /** Bodies of `GET /v1/mods`, a page at a time. */
    publicMods: PublicBodies['publicMods'];
    /** Bodies of packs, for pages. `detail` throws 404 for a draft. */
    publicPacks: PublicBodies['publicPacks'];
  }
}

/** The mods catalog: lists, downloads, inserts, mirror and moderation. */
export const modsCatalogArea = defineArea({
  settings: modsCatalogSettings,
  rateLimitGroups: [modsCatalogRateLimit, modFilesRateLimit],
  tags: {
    Publishing: 'Projects of mods, for their authors and their pipelines: texts, releases and downloads.',
  },
  events: [modReleaseEvent],
  stored: [
    {
      title: 'Mods',
      what: 'Authors of mods and packs and their links, as published.',
      until: 'Without a time limit, as a record of the game.',
    },
    {
      title: 'Mod projects',
      what: 'Your handles, the projects you are a member of, your invitations, your request to publish, your claims of mods, project keys (only a hash of each) and their allowlists as hashes; and, for the members of a project, what you did to it, under your handle.',
      until:
        'Until you leave the project or delete the account; claims and keys for 90 days after they end, invitations for 14 days. A handle stays reserved without your account. The newest 500 actions of a project stay, under the handle.',
    },
  ],
  tables: { ...catalogTables, ...publishingTables },
  create(context) {
    const { db, env } = context;
    const created = createCatalog(context);
    const { publishing } = created;
    return {
      endpoints: [...publishing.endpoints, lazyRoutes(['/v1/mods', '/v1/modpacks', '/admin'], () => loadEndpoints(created, context))],
      jobs: [...createJobs(created, context), ...publishing.jobs],
      accountData: publishing.accountData,
      eventFacts: { mod_release: createReleaseFacts(db) },
      eventSchemas: async () => ({ mod_release: (await import('./records/mod-release-event.schemas.ts')).ModReleaseEventBody }),
      searchSources: [createModSearchSource(db, linksFrom({ baseUrl: '', portalUrl: env.PORTAL_URL }))],
      provides: createPublicBodies(created),
    };
  },
});
