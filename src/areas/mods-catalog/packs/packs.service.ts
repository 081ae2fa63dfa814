import { crc32 } from 'node:zlib';
import pMap from 'p-map';
import { ArtifactFault, type ArtifactInspector, type ArtifactPacker, type ArtifactPathReader } from '../../../game/artifact.ts';
import { createChecksum } from '../../../game/checksum.domain.ts';
import type { Base64Text } from '../../../platform/http/bodies/big-json.ts';
import { digestOf } from '../../../platform/http/replies/reply.ts';
import { bind } from '../../../platform/kit/bind.ts';
import { ApiError, badRequest, notFound } from '../../../platform/kit/errors/api-error.ts';
import { byteChunks } from '../../../platform/kit/streams.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { ContentStore } from '../../../platform/storage/content-store.ts';
import type { CachedContents, WaitUntil } from '../../../platform/storage/pop-cache.ts';
import { decodeBytes, decodeImage, fieldError, inspectFile } from '../insert/uploads.service.ts';
import { MAX_PACK_BYTES, PACK_LIMITS, type PackFormat, RESERVED_PACK_HANDLES } from '../records/catalog.data.ts';
import { filenameOf, type ModAddress, type ModImage, pathOf, slugOf } from '../records/mod.domain.ts';
import type { PackEntry, PackFile, PackVariant } from '../records/pack-entry.domain.ts';
import {
  entryName,
  type FoundMods,
  fileKey,
  firstVariant,
  manifestOf,
  type Pack,
  type PackDetails,
  packFilename,
  type Resolved,
  resolveEntry,
  variantOf,
} from './packs.domain.ts';
import type { PacksStore } from './packs.store.ts';
import { zipArchive } from './zip.domain.ts';

/** An entry of an insert: a mod, or a file. */
interface GivenEntry {
  handle?: string | undefined;
  slug?: string | undefined;
  branch: string;
  /** Locked tag. */
  version: string | null;
  title?: string | undefined;
  author?: string | undefined;
  artifact?: Base64Text | undefined;
}

/** Parsed insert. Absent fields keep the stored value; null clears it. */
export interface PackInput extends Partial<Omit<PackDetails, 'title' | 'banner' | 'previews' | 'variants'>> {
  handle: string;
  /** Default: derived from the title. */
  slug: string | undefined;
  title: string;
  bannerText?: Base64Text | null | undefined;
  previewTexts?: readonly Base64Text[] | undefined;
  variants?: readonly { name: string; label: string; mods: readonly GivenEntry[] }[] | undefined;
}

export interface PackWithVariants {
  pack: Pack;
  variants: { variant: PackVariant; resolved: Resolved[] }[];
}

interface PacksServiceDeps {
  packs: PacksStore;
  store: ContentStore;
  contents: Pick<CachedContents, 'open'>;
  inspect: ArtifactInspector;
  pack: ArtifactPacker;
  readPaths: ArtifactPathReader;
}

/** A download of a variant, before its files are read. */
interface PackDownload {
  pack: Pack;
  filename: string;
  etag: string;
  /** Opens the stream. Throws 400 if no file is stored. */
  open(waitUntil: WaitUntil): Promise<{ length: number; chunks: AsyncIterable<Uint8Array> }>;
}

/** Maximum length of a path in the format of the game, in bytes. */
const MAX_PATH_BYTES = 255;
/** Concurrent reads; Workers allow six open connections. */
const READ_CONCURRENCY = 5;
const MANIFEST_INDENT = 2;
const encoder = new TextEncoder();

/** Packs of mods: their details, their downloads and inserts. */
export function createPacksService(deps: PacksServiceDeps) {
  return bind(deps, { detail, download, insert });
}

/** Throws 404 for a draft and for an unknown pack. */
async function requirePack({ packs }: PacksServiceDeps, address: ModAddress): Promise<{ pack: Pack; found: FoundMods }> {
  const stored = await packs.findWithMods(address);
  if (!stored || stored.pack.visibility === 'draft') throw notFound('pack not found');
  return stored;
}

async function detail(deps: PacksServiceDeps, address: ModAddress): Promise<PackWithVariants> {
  const { pack, found } = await requirePack(deps, address);
  return {
    pack,
    variants: pack.variants.map((variant) => ({ variant, resolved: variant.entries.map((entry) => resolveEntry(entry, found)) })),
  };
}

/** Prepares a download. Throws 400 if no entry is available or the files are too large. */
async function download(deps: PacksServiceDeps, address: ModAddress, name: string | undefined, format: PackFormat): Promise<PackDownload> {
  const { pack, found } = await requirePack(deps, address);
  const variant = variantOf(pack, name);
  if (!variant) throw noFile();
  const resolved = withDistinctFiles(variant.entries.map((entry) => resolveEntry(entry, found)));
  const files = resolved.flatMap(({ file }) => file ?? []);
  if (files.length === 0) throw noFile();
  if (totalOf(files) > MAX_PACK_BYTES) throw badRequest(`the files have more than ${MAX_PACK_BYTES} bytes`);
  const state = JSON.stringify([format, pack.version, manifestOf(pack, variant, resolved), files.map(({ sha256 }) => sha256)]);
  return {
    pack,
    filename: packFilename(pack.title, variant.name, format),
    etag: `"${digestOf(state)}"`,
    open: (waitUntil) => openPack(deps, { pack, variant, resolved, format }, waitUntil),
  };
}

async function insert(deps: PacksServiceDeps, input: PackInput, now: UnixSeconds): Promise<PackWithVariants & { isNew: boolean }> {
  const address = addressOf(input);
  const before = await deps.packs.findForWrite(address);
  const details = await detailsAfter(deps, input, before, address);
  const found = await deps.packs.resolve(details.variants.flatMap(({ entries }) => entries));
  const variants = details.variants.map((variant) => ({
    variant,
    resolved: variant.entries.map((entry) => resolveEntry(entry, found)),
  }));
  // Before the save: a pack with a conflict is not stored.
  const readOnce = new Map<string, Promise<string[]>>();
  for (const { variant, resolved } of variants) await checkConflicts(deps, variant, resolved, readOnce);
  if (!(await deps.packs.save(address, details, before, now)))
    throw new ApiError('conflict', 'the pack was changed concurrently; repeat the request');
  const pack = await deps.packs.findForWrite(address);
  if (!pack) throw new Error('stored pack not found');
  return { pack, variants, isNew: before === null };
}

/** Computes the checksums of a file in one pass; null if it is not stored. */
async function measure({ contents }: PacksServiceDeps, file: PackFile, waitUntil: WaitUntil) {
  const stream = await contents.open(file, undefined, waitUntil);
  if (!stream) return null;
  const checksum = createChecksum();
  let crc = 0;
  let size = 0;
  for await (const chunk of byteChunks(stream)) {
    checksum.update(chunk);
    crc = crc32(chunk, crc);
    size += chunk.length;
  }
  return size === file.size ? { checksum: checksum.digest(), crc } : null;
}

/** The container needs the checksums before the files, so each file is read twice instead of being kept in memory. */
async function openPack(
  deps: PacksServiceDeps,
  { pack, variant, resolved, format }: { pack: Pack; variant: PackVariant; resolved: readonly Resolved[]; format: PackFormat },
  waitUntil: WaitUntil,
) {
  const measured = [];
  const present: Resolved[] = [];
  for (const one of resolved) {
    const sums = one.file && (await measure(deps, one.file, waitUntil));
    present.push(sums ? one : { ...one, file: null });
    if (one.file && sums) measured.push({ ...one.file, ...sums, open: () => readFile(deps, one.file as PackFile, waitUntil) });
  }
  if (measured.length === 0) throw noFile();
  const manifest = manifestOf(pack, variant, present);
  if (format === 'tpack') {
    const properties = [
      ['title', pack.title],
      ['author', pack.author],
      ['packVersion', '1'],
      ['variant', variant.name],
      ['notes', pack.warnings],
      ['manifest', JSON.stringify(manifest)],
    ] as const;
    const { length, chunks } = deps.pack(
      properties,
      measured.map(({ filename, size, checksum, open }) => ({ path: filename, size, checksum, open })),
    );
    return { length, chunks: chunks() };
  }
  const text = encoder.encode(`${JSON.stringify(manifest, null, MANIFEST_INDENT)}\n`);
  const { length, chunks } = zipArchive([
    { name: 'modpack.json', size: text.length, crc: crc32(text), open: () => [text] },
    ...measured.map(({ filename, size, crc, open }) => ({ name: `mods/${filename}`, size, crc, open })),
  ]);
  return { length, chunks: chunks() };
}

async function* readFile({ contents }: PacksServiceDeps, file: PackFile, waitUntil: WaitUntil): AsyncGenerator<Uint8Array> {
  const stream = await contents.open(file, undefined, waitUntil);
  if (!stream) throw new Error('a file of a pack is not stored');
  yield* byteChunks(stream);
}

async function detailsAfter(deps: PacksServiceDeps, input: PackInput, before: Pack | null, address: ModAddress): Promise<PackDetails> {
  const banner = input.bannerText && decodeImage(input.bannerText, ['banner_base64']);
  const previews = input.previewTexts?.map((preview, index) => decodeImage(preview, ['previews_base64', index]));
  const variants = input.variants ? await variantsOf(deps, input.variants) : before?.variants;
  if (!variants) throw fieldError(['variants'], 'is required for a new pack');
  const storeImage = async ({ bytes, contentType }: ReturnType<typeof decodeImage>) => {
    const { sha256 } = await deps.store.put(bytes);
    return { sha256, contentType, size: bytes.length };
  };
  const storedPreviews: ModImage[] | undefined = previews && [];
  for (const preview of previews ?? []) storedPreviews?.push(await storeImage(preview));
  const kept = variants.some(({ name }) => name === before?.defaultVariant) ? before?.defaultVariant : undefined;
  const defaultVariant = input.defaultVariant ?? kept ?? firstVariant(variants);
  if (!variants.some(({ name }) => name === defaultVariant)) throw fieldError(['default_variant'], 'must be the name of a variant');
  return {
    title: input.title,
    summary: input.summary ?? before?.summary ?? '',
    description: input.description ?? before?.description ?? '',
    warnings: input.warnings ?? before?.warnings ?? '',
    tags: input.tags ?? before?.tags ?? [],
    author: input.author ?? before?.author ?? address.handle,
    discordUrl: input.discordUrl === undefined ? (before?.discordUrl ?? null) : input.discordUrl,
    websiteUrl: input.websiteUrl === undefined ? (before?.websiteUrl ?? null) : input.websiteUrl,
    donationUrls: input.donationUrls ?? before?.donationUrls ?? [],
    banner: banner ? await storeImage(banner) : input.bannerText === undefined ? (before?.banner ?? null) : null,
    previews: storedPreviews ?? before?.previews ?? [],
    visibility: input.visibility ?? before?.visibility ?? 'public',
    defaultVariant,
    variants,
  };
}

/** Resolves the mods of an insert and stores its files. */
async function variantsOf(deps: PacksServiceDeps, given: NonNullable<PackInput['variants']>): Promise<PackVariant[]> {
  if (given.reduce((sum, { mods }) => sum + mods.length, 0) > PACK_LIMITS.entries) {
    throw fieldError(['variants'], `must have at most ${PACK_LIMITS.entries} mods in total`);
  }
  const addresses = given.flatMap(({ mods }) => mods.flatMap(({ handle, slug }) => (handle && slug ? [{ handle, slug }] : [])));
  const found = await deps.packs.findMods(addresses);
  const names = new Set<string>();
  const variants: PackVariant[] = [];
  for (const [place, { name, label, mods }] of given.entries()) {
    if (names.has(name)) throw fieldError(['variants', place, 'name'], 'must be unique');
    names.add(name);
    const entries: PackEntry[] = [];
    const used = new Set<string>();
    for (const [index, one] of mods.entries()) {
      const path = ['variants', place, 'mods', index];
      const entry =
        one.artifact === undefined ? modEntry(one, found, path) : await fileEntry(deps, { ...one, artifact: one.artifact }, path);
      const key = entry.file ? entry.file.sha256 : `${entry.modId} ${entry.branch}`;
      if (used.has(key)) throw fieldError(path, 'must be unique in its variant (mod and branch)');
      used.add(key);
      entries.push(entry);
    }
    variants.push({ name, label, entries });
  }
  return variants;
}

async function fileEntry(
  { inspect, store }: PacksServiceDeps,
  { title, author, artifact }: GivenEntry & { artifact: Base64Text },
  path: (string | number)[],
): Promise<PackEntry> {
  const place = [...path, 'artifact_base64'];
  const bytes = decodeBytes(artifact, place);
  const inspected = await inspectFile(bytes, 'tmod', inspect, place);
  const { sha256 } = await store.put(bytes);
  const filename = filenameOf({ slug: 'mod', format: 'tmod', headerTitle: inspected?.title ?? null });
  const names = { title: title ?? inspected?.title ?? filename, author: author ?? inspected?.author ?? '' };
  return { modId: null, handle: '', slug: '', branch: '', tag: null, ...names, file: { sha256, size: bytes.length, filename } };
}

/** Throws 409 if two files of a variant have the same name or contain the same path. `readOnce`: paths by hash, for all variants. */
async function checkConflicts(
  deps: PacksServiceDeps,
  variant: PackVariant,
  resolved: readonly Resolved[],
  readOnce: Map<string, Promise<string[]>>,
): Promise<void> {
  const available = resolved.flatMap(({ entry, file }) => (file ? [{ entry, file }] : []));
  if (totalOf(available.map(({ file }) => file)) > MAX_PACK_BYTES) {
    throw fieldError(['variants'], `the files of ${variant.name} must have at most ${MAX_PACK_BYTES} bytes`);
  }
  const names = new Map<string, PackEntry>();
  for (const { entry, file } of available) {
    refuse(variant, entry, names.get(fileKey(file)), 'the same title');
    names.set(fileKey(file), entry);
  }
  const listed = await pMap(
    available,
    async ({ entry, file }) => {
      const paths = readOnce.get(file.sha256) ?? pathsOf(deps, file);
      readOnce.set(file.sha256, paths);
      return { entry, paths: await paths };
    },
    {
      concurrency: READ_CONCURRENCY,
    },
  );
  const owners = new Map<string, PackEntry>();
  for (const { entry, paths } of listed) {
    for (const path of paths) refuse(variant, entry, owners.get(path), `the file ${path}`);
    for (const path of paths) owners.set(path, entry);
  }
}

async function pathsOf({ store, readPaths }: PacksServiceDeps, file: PackFile): Promise<string[]> {
  const read = async (range: { offset: number; length: number }) => {
    const stream = await store.open(file.sha256, range);
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  try {
    return await readPaths(read, file.size);
  } catch (error) {
    // A mirrored file with a broken header cannot conflict.
    if (error instanceof ArtifactFault) return [];
    throw error;
  }
}

function refuse(variant: PackVariant, entry: PackEntry, other: PackEntry | undefined, what: string): void {
  if (!other) return;
  throw new ApiError('conflict', `${entryName(other)} and ${entryName(entry)} of variant ${variant.name} have ${what}`);
}

function modEntry(
  { handle = '', slug = '', branch, version }: GivenEntry,
  found: Awaited<ReturnType<PacksStore['findMods']>>,
  path: (string | number)[],
): PackEntry {
  const mod = found.get(pathOf({ handle, slug }));
  if (!mod) throw fieldError(path, 'must be a mod of the catalog');
  return { modId: mod.id, handle: mod.handle, slug: mod.slug, branch, tag: version, title: mod.title, author: mod.author, file: null };
}

const noFile = () => badRequest('no mod of the variant is available');
const totalOf = (files: readonly PackFile[]) => files.reduce((sum, { size }) => sum + size, 0);

/** A later file with the name of an earlier one is unavailable: releases can change their title after the insert. So is one with a long name. */
function withDistinctFiles(resolved: readonly Resolved[]): Resolved[] {
  const used = new Set<string>();
  return resolved.map((one) => {
    if (!one.file) return one;
    const isTaken = used.has(fileKey(one.file)) || encoder.encode(one.file.filename).length > MAX_PATH_BYTES;
    used.add(fileKey(one.file));
    return isTaken ? { ...one, file: null } : one;
  });
}

function addressOf({ handle, slug, title }: PackInput): ModAddress {
  if (RESERVED_PACK_HANDLES.includes(handle)) throw fieldError(['handle'], 'must not be a reserved path');
  const packSlug = slug ?? slugOf(title).slice(0, PACK_LIMITS.slug).replace(/-$/, '');
  if (packSlug === '') throw fieldError(['slug'], 'is required because no slug can be derived from the title');
  return { handle, slug: packSlug };
}
