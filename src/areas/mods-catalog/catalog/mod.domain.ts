import { flagsOfNames, namesOfFlags } from '../../../game/mod-categories.domain.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { type ArtifactFormat, LANGUAGES, MAX_SLUG_LENGTH, RESERVED_HANDLES, type Translations, type Visibility } from '../catalog.data.ts';

/** Address of a mod. */
export interface ModAddress {
  handle: string;
  slug: string;
}

/** Another mod as a mod names it: kept as it was, so that credit survives a rename. */
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
  /** A label, without effect. */
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
  /** Newest release that was not silent; 0 before the first. */
  lastReleaseAt: UnixSeconds;
  /** Grows with every change of the details: two writers at once notice each other. */
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
  /** Null until it is published. */
  publishedAt: UnixSeconds | null;
  downloadCount: number;
}

/** A mod with its published releases, newest first. */
export interface ModWithReleases {
  mod: Mod;
  releases: Release[];
}

/** Whether the mod is public. */
export function isVisible({ visibility, takenDownAt, isApproved }: Pick<Mod, 'visibility' | 'takenDownAt' | 'isApproved'>): boolean {
  return visibility === 'public' && takenDownAt === null && isApproved;
}

/** Locale-independent case folding. */
export function folded(text: string): string {
  return text.toLowerCase();
}

/** Fields are searched one by one: what separates them can be in no query. */
const SEPARATOR = '\n';

/** Searched text of a mod. */
export function searchTextOf({ title, summary, tags, author }: Pick<ModDetails, 'title' | 'summary' | 'tags' | 'author'>): string {
  return folded([title, summary, ...tags, author].join(SEPARATOR));
}

/** Names under which the mods of an author are found: the handle, the credit as a whole, and each name in it. */
export function authorKeys({ handle, author }: { handle: string; author: string }): string[] {
  const names = [handle, author, ...author.split(',')].map((name) => folded(name.trim()));
  return [...new Set(names)].filter((name) => name !== '');
}

/** Normalised tags: trimmed, distinct case-insensitively. */
export function normalizedTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags.map((text) => text.trim())) if (tag !== '' && !byKey.has(folded(tag))) byKey.set(folded(tag), tag);
  return [...byKey.values()];
}

/** Translations as they are stored: without empty ones. */
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
  const words = folded(title)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '');
  return words.slice(0, MAX_SLUG_LENGTH).replace(/-$/, '');
}

/** Whether a handle would be mistaken for a path of the catalog. */
export function isReservedHandle(handle: string): boolean {
  return RESERVED_HANDLES.includes(handle);
}

/** `handle/slug`. */
export function pathOf({ handle, slug }: ModAddress): string {
  return `${handle}/${slug}`;
}

/** The address in a `handle/slug`; null for other text. */
export function addressOf(path: string): ModAddress | null {
  const [handle, slug, ...rest] = path.split('/');
  return handle && slug && rest.length === 0 ? { handle: folded(handle), slug: folded(slug) } : null;
}

/**
 * Name under which an artifact is saved. The game takes a packed mod only under the title in its header, so that name
 * wins; what no file system takes is left out of it.
 */
export function filenameOf({ slug, format, headerTitle }: { slug: string; format: ArtifactFormat; headerTitle: string | null }): string {
  const title = format === 'tmod' ? (headerTitle ?? '').replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, '').trim() : '';
  return `${title === '' ? slug : title}.${format}`;
}
