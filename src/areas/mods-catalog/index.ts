import type { ArtifactInspector, ArtifactPacker, ArtifactPathReader, ArtifactStamper } from '../../game/artifact.ts';
import type { ProjectKeys } from '../../platform/access/project-keys/project-keys.ts';
import { defineArea } from '../../platform/area/area.ts';
import type { Outbox } from '../../platform/durable/outbox.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { EventPublisher } from '../../platform/events/event-source.ts';
import type { MemoryPool } from '../../platform/http/bodies/memory-pool.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { shrinkImage } from '../../platform/kit/images/shrink-image.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { ContentStore } from '../../platform/storage/content-store.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { createCachedContents } from '../../platform/storage/pop-cache.ts';
import { type NamedObjects, nextToDatabase } from '../../platform/storage/regional-objects.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { createCatalogStore, type ListRequest } from './catalog/catalog.store.ts';
import { announceModWrites, createModSearchSource } from './catalog/search-documents.store.ts';
import type { ModDownloadsObject } from './downloads/downloads.object.ts';
import { createDownloadsStore } from './downloads/downloads.store.ts';
import { createImageVariants } from './downloads/image-variants.service.ts';
import { createPopularityJob } from './downloads/popularity.jobs.ts';
import { MIRROR, type ModsMirrorObject } from './mirror/mirror.object.ts';
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

interface ModsCatalogDeps {
  memory: MemoryPool;
  db: Database;
  /** Read replica for public data; default `db`. */
  reads?: PublicReads;
  store: ContentStore;
  /** Bucket of resized images. */
  bucket: R2Bucket;
  inspect: ArtifactInspector;
  stamp: ArtifactStamper;
  mailer: Mailer;
  settings: SettingsSource;
  projectKeys: ProjectKeys;
  upstream: UpstreamClient;
  /** Active superusers. */
  superusers(): Promise<readonly { email: string }[]>;
  appName: string;
  packArtifacts: ArtifactPacker;
  readArtifactPaths: ArtifactPathReader;
  outbox: Outbox;
  events: Pick<EventPublisher, 'announce'>;
  downloadObjects: DurableObjectNamespace<ModDownloadsObject>;
  mirrorObjects: NamedObjects<ModsMirrorObject>;
  /** URL of the portal; empty: the URL of the API. */
  portalUrl: string;
  /** URL of the community catalog; empty: no mirror. */
  mirrorUrl: string;
  newId(): string;
  /** Called with the key in the search of each mod that a request changed. */
  onChanged?(key: string): Promise<void>;
}

const JOB_TIMEOUT_SECONDS = 60;
/** Of the job that reads the list of the community catalog. */
const LIST_TIMEOUT_SECONDS = 240;
/** Packs on their page. */
const PAGE_PACKS = 100;
/** Mods on a page of the list. */
const PAGE_MODS = 24;

type ModsPageQuery = Omit<ListRequest, 'limit' | 'offset'> & { page: number };

/** The mods catalog: lists, downloads, inserts, mirror and moderation. */
export function createModsCatalogArea(deps: ModsCatalogDeps) {
  const { db, reads = db, store, inspect, outbox, events, newId, onChanged = async () => {} } = deps;
  // Reads that writes depend on, and reads of administrators, use the primary.
  const catalog = createCatalogStore(db);
  const publicCatalog = createCatalogStore(reads);
  const writes = announceModWrites(db, createModWrites(db), onChanged);
  const contents = createCachedContents(store);
  const announcements = createAnnouncements(outbox, events);
  const linksFor: LinksFor = (baseUrl) => linksFrom({ baseUrl, portalUrl: deps.portalUrl || baseUrl });
  const variants = createImageVariants({
    bucket: deps.bucket,
    store,
    contents,
    memory: deps.memory,
    shrink: shrinkImage,
  });
  const { noticeToMembers, ...publishing } = createPublishing({
    ...deps,
    catalog,
    writes,
    announcements,
    linksFor,
    onChanged,
    community: deps.mirrorUrl === '' ? null : createCommunityCatalog(deps.upstream, deps.mirrorUrl),
  });
  const packs = createPacksStore(db, reads);
  const packService = createPacksService({
    packs,
    store,
    contents,
    inspect,
    pack: deps.packArtifacts,
    readPaths: deps.readArtifactPaths,
  });
  const endpoints = [
    ...publishing.endpoints,
    lazyRoutes(['/v1/mods', '/v1/modpacks', '/admin'], async () => {
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
      const downloads = createDownloadLog(deps.downloadObjects);
      return [
        ...createCatalogEndpoints({ catalog: publicCatalog, linksFor }),
        createInsertEndpoint({
          service: createInsertService({ catalog, writes, store, inspect, announcements, newId }),
          linksFor,
        }),
        ...createFileEndpoints({
          catalog: publicCatalog,
          contents,
          downloads,
          variants,
        }),
        createModBadgeEndpoint(publicCatalog),
        createDetailEndpoint({ catalog: publicCatalog, linksFor }),
        ...createPackEndpoints({ packs, service: packService, downloads, memory: deps.memory, linksFor }),
        ...createModFileEndpoints(createFileClaims(db)),
        ...createModerationEndpoints({ catalog, writes, announcements, noticeToMembers, linksFor }),
      ];
    }),
  ];
  const jobs: Job[] = [
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
      availability: ({ modsMirrorEnabled }) => (modsMirrorEnabled ? (deps.mirrorUrl === '' ? 'unconfigured' : 'enabled') : 'disabled'),
      // A run by hand skips the pause before the next step.
      run: ({ isManual }) => deps.mirrorObjects.getByName(MIRROR).start(isManual),
    },
    {
      name: 'mod-images-expiry',
      schedule: { everySeconds: SECONDS_PER_DAY },
      timeoutSeconds: JOB_TIMEOUT_SECONDS,
      run: ({ now }) => variants.deleteExpired(now),
    },
  ];
  const publicMod = async (address: ModAddress, baseUrl: string) => {
    const [found, { toModDetailBody }] = await Promise.all([publicCatalog.findVisible(address), import('./catalog/catalog.schemas.ts')]);
    if (!found) throw notFound('mod not found');
    return toModDetailBody(found, linksFor(baseUrl));
  };
  const publicMods = {
    pageSize: PAGE_MODS,
    /** A page of mods, from 1. `owners`: the owner of each. */
    async list({ page, ...query }: ModsPageQuery, baseUrl: string) {
      const [{ mods, total }, { toListedModBody }] = await Promise.all([
        publicCatalog.list({ ...query, limit: PAGE_MODS, offset: (page - 1) * PAGE_MODS }),
        import('./catalog/catalog.schemas.ts'),
      ]);
      return { mods: mods.map((mod) => toListedModBody(mod, linksFor(baseUrl))), owners: mods.map(({ owner }) => owner), total };
    },
  };
  const publicPacks = {
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
  };
  return {
    endpoints,
    jobs: [...jobs, ...publishing.jobs],
    accountData: publishing.accountData,
    publicMod,
    publicMods,
    publicPacks,
  };
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** Body of `GET /v1/mods/{handle}/{slug}`. Throws 404 for a hidden mod. */
    publicMod: ReturnType<typeof createModsCatalogArea>['publicMod'];
    /** Bodies of `GET /v1/mods`, a page at a time. */
    publicMods: ReturnType<typeof createModsCatalogArea>['publicMods'];
    /** Bodies of packs, for pages. `detail` throws 404 for a draft. */
    publicPacks: ReturnType<typeof createModsCatalogArea>['publicPacks'];
  }
}

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
    const { db, publicReads, env, memory, outbox, events, upstream, mailer, settings, projectKeys, ports } = context;
    const { publicMod, publicMods, publicPacks, ...area } = createModsCatalogArea({
      ...sharedDeps(context),
      packArtifacts: (...args) => ports.packArtifacts(...args),
      readArtifactPaths: (...args) => ports.readArtifactPaths(...args),
      reads: publicReads,
      memory,
      mailer,
      settings,
      projectKeys,
      upstream,
      appName: env.APP_NAME,
      superusers: () => ports.superusers(),
      stamp: (...args) => ports.stampArtifact(...args),
      outbox,
      events,
      bucket: env.ARCHIVE,
      downloadObjects: env.MOD_DOWNLOADS,
      mirrorObjects: nextToDatabase(env.MODS_MIRROR, env.REGION),
      portalUrl: env.PORTAL_URL,
      mirrorUrl: env.MODS_MIRROR_URL,
      onChanged: (key) => ports.searchIndex.changed('mod', [key]),
    });
    const searchSources = [createModSearchSource(db, linksFrom({ baseUrl: '', portalUrl: env.PORTAL_URL }))];
    return {
      ...area,
      eventFacts: { mod_release: createReleaseFacts(db) },
      eventSchemas: async () => ({ mod_release: (await import('./records/mod-release-event.schemas.ts')).ModReleaseEventBody }),
      searchSources,
      provides: { publicMod, publicMods, publicPacks },
    };
  },
});
