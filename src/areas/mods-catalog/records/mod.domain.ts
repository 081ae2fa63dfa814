import { flagsOfNames, namesOfFlags } from '../../../game/mod-categories.domain.ts';
import { titleFilename } from '../../../game/mod-filename.domain.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import {
  type ArtifactFormat,
  LANGUAGES,
  MAX_SLUG_LENGTH,
  type PackFormat,
  RESERVED_HANDLES,
  type Translations,
  type Visibility,
} from './catalog.data.ts';

/** Address of a mod. */
export interface ModAddress {
  handle: string;
  slug: string;
}

/** Reference to another mod: a copy, so that the credit survives a rename. */
export interface ModReference extends ModAddress {
  title: string;
  owner: string;
}

/** A stored image. */
export interface ModImage {
  sha256: string;
  contentType: string;
  /** Bytes. */
  size: number;
}

/** Author-provided details of a mod. */
export interface ModDetails {
  title: string;
  summary: string;
  description: string;
  readmeText: string;
  warnings: string;
  tags: readonly string[];
  titleI18n: Translations;
  summaryI18n: Translations;
  descriptionI18n: Translations;
  readmeI18n: Translations;
  warningsI18n: Translations;
  author: string;
  /** Names that the owner of a project credits; they are not its authors. */
  credited: string;
  /** A label without effect. */
  isBeta: boolean;
  uploadedOnBehalf: boolean;
  discordUrl: string | null;
  websiteUrl: string | null;
  donationUrls: readonly string[];
  banner: ModImage | null;
  previews: readonly ModImage[];
  forkedFrom: ModReference | null;
  inspiredBy: ModReference | null;
  visibility: Visibility;
}

/** A stored mod with its counters. */
export interface Mod extends ModAddress, ModDetails {
  id: number;
  isStray: boolean;
  isApproved: boolean;
  takenDownAt: UnixSeconds | null;
  starCount: number;
  downloadCount: number;
  downloads7d: number;
  popularity: number;
  forkCount: number;
  createdAt: UnixSeconds;
  updatedAt: UnixSeconds;
  /** Time of the newest release that was not silent; 0 before the first. */
  lastReleaseAt: UnixSeconds;
  /** Incremented by every change of the details; detects concurrent writes. */
  version: number;
}

/** A stored release. */
export interface Release {
  id: string;
  modId: number;
  branch: string;
  tag: string;
  title: string;
  changelog: string;
  titleI18n: Translations;
  changelogI18n: Translations;
  format: ArtifactFormat;
  filename: string;
  size: number;
  sha256: string;
  isPublished: boolean;
  isSilent: boolean;
  /** Null for a draft. */
  publishedAt: UnixSeconds | null;
  downloadCount: number;
  /** Preview of this release; null without one. */
  image?: ModImage | null;
  /** Hash of a `.tmod` without its header; null for other files. */
  contentSha256?: string | null;
  /** When its event was sent; null before. */
  announcedAt?: UnixSeconds | null;
}

/** A mod with its published releases, newest first. */
export interface ModWithReleases {
  mod: Mod;
  releases: Release[];
  /** Number of older releases that are missing, because a response with them would be too large. */
  omitted?: number;
}

/** Whether the mod is public, approved and not taken down. */
export function isVisible({ visibility, takenDownAt, isApproved }: Pick<Mod, 'visibility' | 'takenDownAt' | 'isApproved'>): boolean {
  return visibility === 'public' && takenDownAt === null && isApproved;
}

/** Handle and slug in lower case: addresses of requests are case-insensitive. */
export function normalizeModAddress({ handle, slug }: ModAddress): ModAddress {
  return { handle: foldCase(handle), slug: foldCase(slug) };
}

/** Separates fields in the search text. Queries cannot contain it, so no match spans two fields. */
const SEPARATOR = '\n';

/** Search text of a mod. */
export function searchTextOf({ title, summary, tags, author }: Pick<ModDetails, 'title' | 'summary' | 'tags' | 'author'>): string {
  return foldCase([title, summary, ...tags, author].join(SEPARATOR));
}

/** Names for the `author` filter: the handle, the whole credit, and each name in the credit. */
export function authorKeys({ handle, author }: { handle: string; author: string }): string[] {
  const names = [handle, author, ...author.split(',')].map((name) => foldCase(name.trim()));
  return [...new Set(names)].filter((name) => name !== '');
}

/** Trims tags and removes empty ones and case-insensitive duplicates. */
export function normalizedTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags.map((text) => text.trim())) if (tag !== '' && !byKey.has(foldCase(tag))) byKey.set(foldCase(tag), tag);
  return [...byKey.values()];
}

/** Removes empty translations. */
export function presentTranslations(translations: { readonly [Language in keyof Translations]?: string | undefined }): Translations {
  return Object.fromEntries(LANGUAGES.flatMap((language) => (translations[language] ? [[language, translations[language]]] : [])));
}

/** The tags of a mod that are categories, and their bits. */
export function categoriesOf(tags: readonly string[]): { categories: string[]; flags: number } {
  const flags = flagsOfNames(tags);
  return { categories: namesOfFlags(flags), flags };
}

/** Slug of a title; empty if the title has no usable letter or digit. */
export function slugOf(title: string): string {
  const words = foldCase(title)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '');
  return words.slice(0, MAX_SLUG_LENGTH).replace(/-$/, '');
}

/** Whether a handle collides with a fixed path of the catalog. */
export function isReservedHandle(handle: string): boolean {
  return RESERVED_HANDLES.includes(handle);
}

/** `handle/slug`. */
export function pathOf({ handle, slug }: ModAddress): string {
  return `${handle}/${slug}`;
}

/** Parses `handle/slug`; null for other text. */
export function parseAddress(path: string): ModAddress | null {
  const [handle, slug, ...rest] = path.split('/');
  return handle && slug && rest.length === 0 ? { handle: foldCase(handle), slug: foldCase(slug) } : null;
}

/**
 * File name of an artifact: for a `tmod` the title in its header, as the game requires, without characters that file systems
 * reject; otherwise the slug.
 */
export function filenameOf({ slug, format, headerTitle }: { slug: string; format: ArtifactFormat; headerTitle: string | null }): string {
  return (format === 'tmod' ? titleFilename(headerTitle ?? '') : null) ?? `${slug}.${format}`;
}

/** Absolute URLs of mods and packs, their files and their images. The base URLs have no trailing slash. */
export function linksFrom({ baseUrl, portalUrl }: { baseUrl: string; portalUrl: string }) {
  return {
    page: (mod: ModAddress) => `${portalUrl}/mods/${pathOf(mod)}`,
    detail: (mod: ModAddress) => `${baseUrl}/v1/mods/${pathOf(mod)}`,
    download: (mod: ModAddress, releaseId: string) => `${baseUrl}/v1/mods/${pathOf(mod)}/releases/${releaseId}/download`,
    image: (sha256: string) => `${baseUrl}/v1/mods/images/${sha256}`,
    packPage: (pack: ModAddress) => `${portalUrl}/mods/packs/${pathOf(pack)}`,
    packDownload: (pack: ModAddress, variant: string, format: PackFormat) =>
      `${baseUrl}/v1/modpacks/${pathOf(pack)}/download?variant=${encodeURIComponent(variant)}&format=${format}`,
    /** Mods of an author. */
    author: (name: string) => `${baseUrl}/v1/mods?author=${encodeURIComponent(name)}`,
  };
}

export type ModLinks = ReturnType<typeof linksFrom>;

/** Creates links for the base URL of a request. */
export type LinksFor = (baseUrl: string) => ModLinks;
