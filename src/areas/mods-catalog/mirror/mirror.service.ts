import { ArtifactFault, type ArtifactInspector } from '../../../game/artifact.ts';
import { imageTypeOf } from '../../../platform/http/bodies/image-type.ts';
import { bind } from '../../../platform/kit/bind.ts';
import { log, logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { cutText, visibleText } from '../../../platform/kit/values/visible-text.ts';
import { type ContentStore, sha256Of } from '../../../platform/storage/content-store.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import type { CatalogStore } from '../catalog/catalog.store.ts';
import { blankDetails, detailsOf, hasZipSignature } from '../insert/insert.domain.ts';
import { contentHashOf } from '../insert/uploads.service.ts';
import { DEFAULT_BRANCH, MAX_SLUG_LENGTH, MOD_LIMITS, STRAY_HANDLE } from '../records/catalog.data.ts';
import { FILE_REFUSALS } from '../records/file-claims.store.ts';
import { filenameOf, type ModAddress, type ModDetails, type ModImage, slugOf } from '../records/mod.domain.ts';
import type { ModWrites, ReleaseRow } from '../records/mod-writes.store.ts';
import type { CommunityMod } from './mirror.domain.ts';
import type { Mirrored, MirrorQueue, MirrorStore } from './mirror.store.ts';
import type { CommunityCatalog } from './mirror.upstream.ts';

/** Result of mirroring a mod. */
interface MirrorResult {
  outcome: 'imported' | 'updated' | 'unchanged' | 'skipped';
  /** Whether a file was downloaded; if so, the mirror pauses. */
  fetched: boolean;
  reason?: string;
}

interface MirrorDeps {
  community: CommunityCatalog;
  catalog: CatalogStore;
  mirror: MirrorStore;
  writes: ModWrites;
  store: ContentStore;
  inspect: ArtifactInspector;
  newId(): string;
}

/** A downloaded and valid file. */
interface Artifact {
  bytes: Uint8Array<ArrayBuffer>;
  title: string | null;
  author: string | null;
  contentSha256: string | null;
}

interface MirroredImage {
  banner: ModImage | null;
  sourceImage: string | null;
}

/** Values for storing an entry. */
interface ImportContext {
  stored: Mirrored | null;
  /** Null if the stored file is still the newest. */
  artifact: Artifact | null;
  image: MirroredImage;
  isFirst: boolean;
  now: UnixSeconds;
}

type MirrorImporter = ReturnType<typeof createMirrorImporter>;

/** Copies mods of the community catalog with their files and banners. */
export function createMirrorImporter(deps: MirrorDeps) {
  return bind(deps, { importMod });
}

/** Mirrors one mod. Idempotent. Mods of the first import (`isFirst`) need no approval. Throws if a retry may succeed. */
async function importMod(deps: MirrorDeps, entry: CommunityMod, isFirst: boolean, now: UnixSeconds): Promise<MirrorResult> {
  const stored = await deps.mirror.find(entry.sourceId);
  // A claimed mod belongs to its author: only the counts of the community catalog are mirrored.
  if (stored && !stored.mod.isStray) return updateCounts(entry, stored, deps.mirror);
  if (stored && stored.sourceFileId === entry.file.fileId) {
    const image = await loadBanner(deps, entry, stored);
    if (isSame(entry, stored, image)) return updateCounts(entry, stored, deps.mirror);
    await save(deps, entry, { stored, artifact: null, image, isFirst, now });
    return { outcome: 'updated', fetched: false };
  }
  const artifact = await downloadArtifact(deps, entry);
  if (typeof artifact === 'string') return { outcome: 'skipped', fetched: true, reason: artifact };
  const hashes = { sha256: await sha256Of(artifact.bytes), contentSha256: artifact.contentSha256 };
  // Before the images are downloaded: a refused file has no mod.
  const refusal = await deps.writes.findRefusal(hashes, STRAY_HANDLE);
  if (refusal !== null) return { outcome: 'skipped', fetched: true, reason: FILE_REFUSALS[refusal] };
  await save(deps, entry, { stored, artifact, image: await loadBanner(deps, entry, stored), isFirst, now });
  return { outcome: stored ? 'updated' : 'imported', fetched: true };
}

/** Downloads the file of an entry. Returns a reason if it is not mirrored. */
async function downloadArtifact({ community, inspect }: MirrorDeps, { file }: CommunityMod): Promise<Artifact | string> {
  const bytes = await community.file(file.fileId);
  if (!bytes) return 'file is missing or too large';
  if (file.format === 'zip')
    return hasZipSignature(bytes) ? { bytes, title: null, author: null, contentSha256: null } : 'file is not a zip archive';
  try {
    const inspected = await inspect(bytes);
    return { bytes, title: inspected.title, author: inspected.author, contentSha256: await contentHashOf(bytes, inspected) };
  } catch (error) {
    if (error instanceof ArtifactFault) return `file cannot be read: ${error.message}`;
    throw error;
  }
}

/** Banner of an entry: the stored one if the URL is unchanged or the image is unavailable. */
async function loadBanner({ community, store }: MirrorDeps, entry: CommunityMod, stored: Mirrored | null): Promise<MirroredImage> {
  if (entry.imageUrl === null) return { banner: null, sourceImage: null };
  if (stored?.sourceImage === entry.imageUrl) return { banner: stored.mod.banner, sourceImage: entry.imageUrl };
  const bytes = await community.image(entry.imageUrl);
  const contentType = bytes && imageTypeOf(bytes);
  if (!bytes || !contentType) return { banner: stored?.mod.banner ?? null, sourceImage: stored?.sourceImage ?? null };
  const { sha256 } = await store.put(bytes);
  return { banner: { sha256, contentType, size: bytes.length }, sourceImage: entry.imageUrl };
}

async function chooseAddress({ catalog }: MirrorDeps, entry: CommunityMod): Promise<ModAddress> {
  const slug = slugOf(entry.title) || 'mod';
  const existing = await catalog.find({ handle: STRAY_HANDLE, slug });
  if (!existing) return { handle: STRAY_HANDLE, slug };
  const suffix = `-${slugOf(entry.sourceId)}`;
  return { handle: STRAY_HANDLE, slug: slug.slice(0, MAX_SLUG_LENGTH - suffix.length) + suffix };
}

/** Stores an entry, with its file if it is new. */
async function save(deps: MirrorDeps, entry: CommunityMod, { stored, artifact, image, isFirst, now }: ImportContext): Promise<void> {
  const address = stored?.mod ?? (await chooseAddress(deps, entry));
  const { banner, sourceImage } = image;
  const author = artifact ? visibleText(artifact.author ?? '').trim() || entry.username || 'Unknown' : (stored?.mod.author ?? '');
  const details = { ...detailsFrom(entry, stored), banner, author: cutText(author, MOD_LIMITS.author) };
  const release = artifact && (await storeRelease(deps, entry, artifact, { stored, slug: address.slug, isFirst, now }));
  const isSaved = await deps.writes.save({
    address: { handle: address.handle, slug: address.slug },
    details,
    release,
    announcement: null,
    before: stored?.mod ?? null,
    isApproved: stored?.mod.isApproved ?? isFirst,
    createdAt: entry.createdAt ?? now,
    updatedAt: stored ? now : (release?.publishedAt ?? now),
    mirrored: { sourceId: entry.sourceId, sourceImage, starCount: entry.likes, mirroredDownloads: entry.downloads },
    replaces: stored?.release ?? null,
  });
  if (!isSaved) throw new Error('the mod was changed concurrently');
}

async function storeRelease(
  { store, newId }: MirrorDeps,
  { file }: CommunityMod,
  artifact: Artifact,
  { stored, slug, isFirst, now }: { stored: Mirrored | null; slug: string; isFirst: boolean; now: UnixSeconds },
): Promise<ReleaseRow> {
  const { sha256 } = await store.put(artifact.bytes);
  return {
    id: stored?.release?.id ?? newId(),
    tag: file.version || file.fileId,
    branch: DEFAULT_BRANCH,
    title: '',
    changelog: file.changes,
    titleI18n: {},
    changelogI18n: {},
    format: file.format,
    filename: filenameOf({ slug, format: file.format, headerTitle: artifact.title }),
    size: artifact.bytes.length,
    sha256,
    contentSha256: artifact.contentSha256,
    isPublished: true,
    // The first import and replaced files send no event; later mods send one when approved.
    isSilent: stored?.release?.isSilent ?? isFirst,
    publishedAt: file.publishedAt ?? now,
    sourceFileId: file.fileId,
  };
}

async function updateCounts(entry: CommunityMod, { mod, mirroredDownloads }: Mirrored, mirror: MirrorStore): Promise<MirrorResult> {
  if (mod.starCount !== entry.likes || mirroredDownloads !== entry.downloads) {
    await mirror.saveCounts(mod.id, { starCount: entry.likes, mirroredDownloads: entry.downloads });
  }
  return { outcome: 'unchanged', fetched: false };
}

function detailsFrom({ title, description, tags }: CommunityMod, stored: Mirrored | null): ModDetails {
  return { ...(stored ? detailsOf(stored.mod) : blankDetails(title, '')), title, description, tags };
}

function isSame(entry: CommunityMod, { mod, sourceImage }: Mirrored, image: MirroredImage): boolean {
  const isSameText = entry.title === mod.title && entry.description === mod.description;
  return isSameText && image.sourceImage === sourceImage && JSON.stringify(entry.tags) === JSON.stringify(mod.tags);
}

/** Dependencies of the mirror, provided by the composition. */
export interface MirrorParts {
  /** Lists the mods of the community catalog that have a file. */
  listMods(): Promise<Iterable<CommunityMod>>;
  importer: MirrorImporter;
  /** Whether the mirror is enabled; checked before every step. */
  isEnabled(): Promise<boolean>;
}

/** Maximum number of mods per run. */
const MAX_MODS = 20_000;
const MAX_ATTEMPTS = 3;
/** Milliseconds before the next step: after an entry without download, a download, a failure, and while the upstream client pauses. */
const PAUSES_MS = { none: 0, file: 250, failure: 5000, paused: 60_000 } as const;

/** Mirrors the community catalog, one mod per step. */
export class MirrorRun {
  readonly #queue: MirrorQueue;
  readonly #parts: MirrorParts;

  constructor(queue: MirrorQueue, parts: MirrorParts) {
    this.#queue = queue;
    this.#parts = parts;
  }

  /** Queues all mods of the community catalog, unless a run is in progress. */
  async start(): Promise<void> {
    if (this.#queue.run() === null) this.#queue.start(await this.#parts.listMods(), MAX_MODS);
  }

  /** Mirrors one mod. Returns the milliseconds until the next step; null at the end of the run or if the mirror is disabled. */
  async step(now: UnixSeconds): Promise<number | null> {
    const run = this.#queue.run();
    if (run === null || !(await this.#parts.isEnabled())) return null;
    const item = this.#queue.next();
    if (item === null) {
      log({ level: 'info', message: 'mods mirror finished', listed: run.listed, ...run.counts });
      this.#queue.end();
      return null;
    }
    try {
      const { outcome, fetched, reason } = await this.#parts.importer.importMod(item.mod, run.isFirst, now);
      if (reason !== undefined) log({ level: 'info', message: `mod was not mirrored: ${reason}`, source_id: item.mod.sourceId });
      // After the mod is stored: an object that ends before repeats the step, which is idempotent.
      this.#queue.finish(item, outcome);
      return fetched ? PAUSES_MS.file : PAUSES_MS.none;
    } catch (error) {
      // No request was sent, so the attempt does not count.
      if (error instanceof UpstreamError && error.kind === 'paused') return PAUSES_MS.paused;
      logError('mod could not be mirrored', error, { source_id: item.mod.sourceId, tries: item.tries + 1 });
      if (item.tries + 1 < MAX_ATTEMPTS) this.#queue.postpone(item);
      else this.#queue.finish(item, 'failed');
      return PAUSES_MS.failure;
    }
  }
}
