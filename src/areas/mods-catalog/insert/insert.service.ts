import type { ArtifactInspector, InspectedArtifact } from '../../../game/artifact.ts';
import type { Base64Text } from '../../../platform/http/bodies/big-json.ts';
import { ApiError } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { countHiddenCharacters } from '../../../platform/kit/values/visible-text.ts';
import { type ContentStore, sha256Of } from '../../../platform/storage/content-store.ts';
import type { CatalogStore } from '../catalog/catalog.store.ts';
import { MAX_RELEASES } from '../records/catalog.data.ts';
import { FILE_REFUSALS, type FileHashes } from '../records/file-claims.store.ts';
import {
  filenameOf,
  isReservedHandle,
  type Mod,
  type ModAddress,
  type ModDetails,
  type ModLinks,
  type ModReference,
  parseAddress,
  pathOf,
  type Release,
  slugOf,
} from '../records/mod.domain.ts';
import { modReleaseData, type ReleaseHistory } from '../records/mod-release-event.domain.ts';
import type { Announcements, ModWrite, ModWrites, ReleaseRow } from '../records/mod-writes.store.ts';
import { blankDetails, defaultAuthor, type GivenDetails, type GivenRelease, isAnnounced, mergeDetails } from './insert.domain.ts';
import { contentHashOf, decodeBytes, decodeImage, fieldError, type ImageFile, inspectFile } from './uploads.service.ts';

/** Maximum attempts of a write that conflicts with a concurrent change of the mod. */
const MAX_ATTEMPTS = 3;

/** Parsed insert; its files are still base64. */
export interface InsertInput {
  handle: string;
  /** Default: derived from the title. */
  slug: string | undefined;
  given: Omit<GivenDetails, 'banner' | 'previews' | 'forkedFrom' | 'inspiredBy'>;
  banner: Base64Text | null | undefined;
  previews: readonly Base64Text[] | undefined;
  /** `handle/slug` of other mods; null for none. */
  forkedFrom: string | null | undefined;
  inspiredBy: string | null | undefined;
  release: GivenRelease;
  artifact: Base64Text;
}

interface InsertServiceDeps {
  catalog: CatalogStore;
  writes: ModWrites;
  store: ContentStore;
  inspect: ArtifactInspector;
  announcements: Pick<Announcements, 'deliver'>;
  newId(): string;
}

export interface Inserted {
  mod: Mod;
  release: Release;
  /** Summary for the insert log. */
  summary: string;
  /** In the texts of the file that the mod and the release take. */
  hiddenCharacters: number;
}

/** Decoded and checked files of an insert. */
interface Files {
  artifact: Uint8Array<ArrayBuffer>;
  sha256: string;
  contentSha256: string | null;
  inspected: InspectedArtifact | null;
  banner: ImageFile | null | undefined;
  previews: ImageFile[] | undefined;
}

const ARTIFACT = ['release', 'artifact_base64'];

export type InsertService = ReturnType<typeof createInsertService>;

export function createInsertService({ catalog, writes, store, inspect, announcements, newId }: InsertServiceDeps) {
  async function decodeFiles(input: InsertInput): Promise<Files> {
    const banner = input.banner && decodeImage(input.banner, ['banner_base64']);
    const previews = input.previews?.map((preview, index) => decodeImage(preview, ['previews_base64', index]));
    const artifact = decodeBytes(input.artifact, ARTIFACT);
    const metadata = await inspectFile(artifact, input.release.format, inspect, ARTIFACT);
    const contentSha256 = await contentHashOf(artifact, metadata);
    return {
      artifact,
      sha256: await sha256Of(artifact),
      contentSha256,
      inspected: metadata,
      banner: banner === '' ? null : banner,
      previews,
    };
  }

  async function referenceTo(path: string | null | undefined, field: string, own: ModAddress): Promise<ModReference | null | undefined> {
    if (path === null || path === undefined) return path;
    const address = parseAddress(path);
    const mod = address && pathOf(address) !== pathOf(own) ? await catalog.find(address) : null;
    if (!mod) throw fieldError([field], 'must be another mod in the form handle/slug');
    return { handle: mod.handle, slug: mod.slug, title: mod.title, owner: mod.handle };
  }

  /** Throws 409 for a release that must not be added. */
  async function checkRelease(before: Mod | null, address: ModAddress, file: FileHashes, { tag, branch }: GivenRelease): Promise<void> {
    const refusal = await writes.findRefusal(file, address.handle);
    if (refusal !== null) throw new ApiError('conflict', FILE_REFUSALS[refusal]);
    if (!before) return;
    const stored = await writes.findRelease(before.id, branch, tag);
    if (stored?.isPublished) throw new ApiError('conflict', `${pathOf(address)} already has a release ${tag} on branch ${branch}`);
    if (!stored && (await writes.countReleases(before.id)) >= MAX_RELEASES) {
      throw new ApiError('conflict', `${pathOf(address)} has the maximum of ${MAX_RELEASES} releases`);
    }
  }

  async function storeImage(image: ImageFile) {
    const { sha256 } = await store.put(image.bytes);
    return { sha256, contentType: image.contentType, size: image.bytes.length };
  }

  /** Stores the files before the rows: a file without a row is harmless, a row without its file is not. */
  async function storeFiles({ artifact, banner, previews }: Files): Promise<Pick<GivenDetails, 'banner' | 'previews'>> {
    await store.put(artifact);
    const stored: Pick<GivenDetails, 'banner' | 'previews'> = { banner: banner && (await storeImage(banner)) };
    if (previews) {
      const images = [];
      for (const preview of previews) images.push(await storeImage(preview));
      stored.previews = images;
    }
    return stored;
  }

  /** Prepares the write for the current state of the mod. Without a history the release has no event. */
  async function planWrite(input: InsertInput, { address, id, files, now }: Attempt): Promise<Plan> {
    const before = await catalog.find(address);
    await checkRelease(before, address, files, input.release);
    const forkedFrom = await referenceTo(input.forkedFrom, 'forked_from', address);
    const inspiredBy = await referenceTo(input.inspiredBy, 'inspired_by', address);
    const blank = blankDetails(input.given.title, defaultAuthor(files.inspected, address.handle));
    const details = mergeOrReject(before ?? blank, { ...input.given, forkedFrom, inspiredBy });
    const release = releaseRow(id, input.release, files, address, now);
    const isApproved = before?.isApproved ?? true;
    const isEventSent = isAnnounced({ visibility: details.visibility, takenDownAt: before?.takenDownAt ?? null, isApproved }, release);
    const history = isEventSent ? await historyBefore(before, release) : null;
    return { write: { address, details, before, isApproved, release, updatedAt: now }, history };
  }

  const historyBefore = async (before: Mod | null, release: ReleaseRow): Promise<ReleaseHistory> =>
    before ? writes.findHistory(before.id, release) : { previous: null, releaseCount: 1 };

  return {
    /** Stores a mod and its release. Throws 400 for invalid input and 409 for an existing release or a foreign file. */
    async insert(input: InsertInput, links: ModLinks, now: UnixSeconds): Promise<Inserted> {
      const address = addressFor(input);
      const attempt = { address, id: newId(), files: await decodeFiles(input), now };
      let images: Awaited<ReturnType<typeof storeFiles>> | null = null;
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
        const { write, history } = await planWrite(input, attempt);
        const { before, release } = write;
        images ??= await storeFiles(attempt.files);
        const details = { ...write.details, ...definedOnly(images) };
        const announcement = history && modReleaseData({ ...address, ...details }, release, history, links);
        if (!(await writes.save({ ...write, details, announcement, createdAt: now }))) continue;
        if (announcement !== null) await announcements.deliver(attempt.id, { now });
        return toInserted(await catalog.find(address), release, { isNew: before === null, inspected: attempt.files.inspected });
      }
      throw new ApiError('conflict', 'the mod was changed concurrently; repeat the request');
    },
  };
}

/** Values of an insert that stay the same across attempts. */
interface Attempt {
  address: ModAddress;
  id: string;
  files: Files;
  now: UnixSeconds;
}

/** A write, and what its release follows; null for a release without an event. */
interface Plan {
  write: Omit<ModWrite, 'createdAt' | 'announcement' | 'release'> & { release: ReleaseRow };
  history: ReleaseHistory | null;
}

function addressFor({ handle, slug, given }: InsertInput): ModAddress {
  if (isReservedHandle(handle)) throw fieldError(['handle'], 'must not be a reserved path of the catalog');
  const modSlug = slug ?? slugOf(given.title);
  if (modSlug === '') throw fieldError(['slug'], 'is required because no slug can be derived from the title');
  return { handle, slug: modSlug };
}

const WIRE_NAMES = {
  discordUrl: 'discord_url',
  websiteUrl: 'website_url',
  donationUrls: 'donation_urls',
  forkedFrom: 'forked_from',
  inspiredBy: 'inspired_by',
} as const;

function mergeOrReject(before: ModDetails, given: GivenDetails): ModDetails {
  const { details, refused } = mergeDetails(before, given);
  const [first] = refused;
  if (first) throw fieldError([WIRE_NAMES[first]], 'must be absent for a mod uploaded on behalf of its creator');
  return details;
}

function definedOnly<Value extends object>(value: Value) {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<ModDetails>;
}

function releaseRow(id: string, release: GivenRelease, files: Files, { slug }: ModAddress, now: UnixSeconds): ReleaseRow {
  return {
    id,
    ...release,
    filename: filenameOf({ slug, format: release.format, headerTitle: files.inspected?.title ?? null }),
    size: files.artifact.length,
    sha256: files.sha256,
    contentSha256: files.contentSha256,
    publishedAt: release.isPublished ? now : null,
  };
}

function toInserted(mod: Mod | null, release: ReleaseRow, { isNew, inspected }: Pick<Files, 'inspected'> & { isNew: boolean }): Inserted {
  if (!mod) throw new Error('stored mod not found');
  const kind = release.isPublished ? 'release' : 'draft';
  const summary = `${isNew ? 'new mod' : 'mod'} ${pathOf(mod)}, ${kind} ${release.tag} on ${release.branch}, ${release.size} bytes`;
  const hiddenCharacters = countHiddenCharacters(`${inspected?.author ?? ''}${inspected?.title ?? ''}`);
  return { mod, release: { ...release, modId: mod.id, downloadCount: 0 }, summary, hiddenCharacters };
}
