import { fileSafe } from '../../../game/mod-filename.domain.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { DEFAULT_VARIANT, type PackFormat, type PackVisibility } from '../records/catalog.data.ts';
import { type Mod, type ModAddress, type ModImage, pathOf, type Release } from '../records/mod.domain.ts';
import type { PackEntry, PackFile, PackVariant } from '../records/pack-entry.domain.ts';

/** Fields of a pack that an insert can change. */
export interface PackDetails {
  title: string;
  summary: string;
  description: string;
  warnings: string;
  tags: readonly string[];
  author: string;
  discordUrl: string | null;
  websiteUrl: string | null;
  donationUrls: readonly string[];
  banner: ModImage | null;
  previews: readonly ModImage[];
  visibility: PackVisibility;
  defaultVariant: string;
  variants: readonly PackVariant[];
}

/** The fields of a pack in lists. */
export interface PackCard
  extends ModAddress,
    Pick<PackDetails, 'title' | 'summary' | 'tags' | 'author' | 'banner' | 'previews' | 'defaultVariant'> {
  id: number;
  downloadCount: number;
  starCount: number;
  variantCount: number;
  modCount: number;
  createdAt: number;
  updatedAt: number;
}

/** A stored pack. */
export interface Pack extends ModAddress, PackDetails, PackCard {
  version: number;
}

/** What an entry refers to at the time of a read. */
export interface Resolved {
  entry: PackEntry;
  /** Null for an uploaded file and for a hidden mod. */
  mod: Pick<Mod, 'handle' | 'slug' | 'title' | 'author' | 'isBeta'> | null;
  /** Null: the entry is unavailable. */
  file: PackFile | null;
  /** Tag of the release; null for an unavailable entry that is not locked, and for uploaded files. */
  version: string | null;
}

/** Key of the release that an entry refers to. */
export const releaseKey = ({ modId, branch, tag }: Pick<PackEntry, 'modId' | 'branch' | 'tag'>): string =>
  JSON.stringify([modId, branch, tag]);

/** A visible mod and its matching release. */
export interface FoundMod {
  mod: NonNullable<Resolved['mod']>;
  release: Pick<Release, 'format' | 'sha256' | 'size' | 'filename' | 'tag'> | null;
}

/** By `releaseKey`. */
export type FoundMods = ReadonlyMap<string, FoundMod>;

export function resolveEntry(entry: PackEntry, found: FoundMods): Resolved {
  if (entry.file) return { entry, mod: null, file: entry.file, version: null };
  const { mod = null, release = null } = found.get(releaseKey(entry)) ?? {};
  const file = release?.format === 'tmod' ? { sha256: release.sha256, size: release.size, filename: release.filename } : null;
  return { entry, mod, file, version: file ? (release?.tag ?? null) : entry.tag };
}

/** The variant with a name; the default one for an unknown name. */
export function variantOf(pack: Pick<PackDetails, 'variants' | 'defaultVariant'>, name: string | undefined): PackVariant | undefined {
  const named = (wanted: string | undefined) => pack.variants.find((variant) => variant.name === wanted);
  return named(name) ?? named(pack.defaultVariant) ?? pack.variants[0];
}

/** The default variant of an insert that names none. */
export function firstVariant(variants: readonly Pick<PackVariant, 'name'>[]): string {
  return variants.find(({ name }) => name === DEFAULT_VARIANT)?.name ?? variants[0]?.name ?? DEFAULT_VARIANT;
}

const EDGES = /^[ .]+|[ .]+$/g;
const MAX_NAME_LENGTH = 120;

/** A title as a file name. */
export function safeName(title: string): string {
  const name = fileSafe(title).replaceAll(EDGES, '').slice(0, MAX_NAME_LENGTH).replaceAll(EDGES, '');
  return name === '' ? 'modpack' : name;
}

/** File name of a download. */
export function packFilename(title: string, variant: string, format: PackFormat): string {
  return `${safeName(title)}${variant === DEFAULT_VARIANT ? '' : `-${safeName(variant)}`}.${format}`;
}

/** Form of a file name for comparisons: the game and some file systems ignore case. */
export const fileKey = ({ filename }: PackFile): string => foldCase(filename);

/** The description of a variant inside its files. */
export function manifestOf(pack: Pack, variant: PackVariant, resolved: readonly Resolved[]) {
  const { title, handle, slug, author, warnings } = pack;
  return {
    modpack: { title, handle, slug, author, variant: variant.name, warnings },
    mods: resolved.map(({ entry, mod, file, version }) => ({
      handle: entry.handle,
      slug: entry.slug,
      title: mod?.title ?? entry.title,
      branch: entry.branch,
      version,
      locked: entry.tag !== null,
      available: file !== null,
      ...(file ? { filename: file.filename } : {}),
    })),
  };
}

/** Search text of a pack; queries cannot contain the separator. */
export function packSearchText({ title, summary, tags, author }: Pick<PackDetails, 'title' | 'summary' | 'tags' | 'author'>): string {
  return foldCase([title, summary, ...tags, author].join('\n'));
}

export const entryName = (entry: PackEntry): string => (entry.file ? entry.file.filename : `${pathOf(entry)} (${entry.branch})`);
