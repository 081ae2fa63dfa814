import { namedValues } from '../../../platform/kit/values/named-values.ts';

/** Maximum lengths of the texts of a mod in UTF-16 code units, and maximum numbers of list items. */
export const MOD_LIMITS = {
  title: 120,
  summary: 280,
  description: 40_000,
  readme: 60_000,
  warnings: 4000,
  tags: 12,
  tag: 40,
  author: 200,
  url: 500,
  donationUrls: 5,
  previews: 8,
} as const;

/** Maximum lengths of the texts of a release. */
export const RELEASE_LIMITS = { tag: 80, branch: 80, title: 120, changelog: 20_000 } as const;

/** Maximum length of the changelog in the event of a release, in UTF-16 code units. */
export const MAX_EVENT_CHANGELOG_LENGTH = 2000;

/** Maximum lengths of the texts of a pack in UTF-16 code units, and maximum numbers of list items. */
export const PACK_LIMITS = {
  slug: 60,
  tags: 12,
  tag: 30,
  variants: 30,
  variant: 80,
  label: 120,
  /** Entries of all variants; each is a lookup of a release. */
  entries: 600,
  q: 120,
  tagFilter: 40,
  author: 80,
} as const;
/** Maximum size of the files of one variant: two passes over them take a few seconds. */
export const MAX_PACK_BYTES = 80 * 1024 * 1024;
/** Maximum number of packs with a mod that a response lists. */
export const MAX_PACKS_OF_MOD = 60;
/** Name of the variant whose downloads have no suffix. */
export const DEFAULT_VARIANT = 'default';
export const PACK_VISIBILITIES = namedValues('ModpackVisibility', 'Visibility of a pack.', ['draft', 'unlisted', 'public']);
export type PackVisibility = (typeof PACK_VISIBILITIES)[number];
export const PACK_FORMATS = namedValues('ModpackFormat', 'Format of a download.', ['tpack', 'zip']);
export type PackFormat = (typeof PACK_FORMATS)[number];
/** Reserved first path segments of packs. */
export const RESERVED_PACK_HANDLES: readonly string[] = ['for-mod', 'insert'];

/** Maximum number of releases per mod, including drafts; one response lists all of them. */
export const MAX_RELEASES = 500;
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Maximum body of an insert, including files as base64. */
export const MAX_INSERT_BYTES = 40 * 1024 * 1024;
export const MAX_LOOKUP_HASHES = 200;
/** Maximum number of releases that a lookup attaches, shared equally by its results. */
export const MAX_ATTACHED_RELEASES = 400;
/** Maximum body of a lookup; far more than 200 hashes need. */
export const MAX_LOOKUP_BYTES = 256 * 1024;

/** Releases that a lookup attaches to each mod: none, the newest of each branch, or all published ones. */
export const ATTACHED_RELEASES = namedValues('ModAttachedReleases', 'Releases to attach.', ['none', 'latest', 'all']);
export type AttachedReleases = (typeof ATTACHED_RELEASES)[number];

/** Languages of translations; the original text is English. */
export const LANGUAGES = ['fr', 'de', 'pt-PT', 'es', 'ru', 'ja', 'ko', 'zh-CN', 'th'] as const;
/** A text by language; languages without one are absent. */
export type Translations = { readonly [Language in (typeof LANGUAGES)[number]]?: string };
/** Maximum total length of the translations of a text in UTF-16 code units. A row is limited to 2 MB, and a list has up to 100 mods. */
export const MAX_TRANSLATED_LENGTH = 60_000;

/** Widths of resized images in pixels. */
export const IMAGE_WIDTHS = namedValues('ModImageWidth', 'Width of an image in pixels.', ['400', '708', '1416']);

/** Handle of unclaimed mods of the community catalog. */
export const STRAY_HANDLE = 'stray';
/** Reserved path segments: not allowed as handles. */
export const RESERVED_HANDLES: readonly string[] = ['categories', 'popular', 'lookup', 'read', 'build', 'insert', 'images'];
export const MAX_HANDLE_LENGTH = 40;
/** Maximum length of a file name: that of a built mod (`titleFilename`), with its extension. */
export const MAX_FILENAME_LENGTH = 245;
export const HANDLE_PATTERN = /^[a-z0-9_-]{1,40}$/;
export const SLUG_PATTERN = /^[a-z0-9-]{1,80}$/;
export const MAX_SLUG_LENGTH = 80;
export const DEFAULT_BRANCH = 'main';

export const VISIBILITIES = namedValues('ModVisibility', 'Visibility of a mod.', ['public', 'unlisted', 'private']);
export type Visibility = (typeof VISIBILITIES)[number];
export const FORMATS = namedValues('ModFormat', 'Kind of mod file.', ['tmod', 'zip']);
export type ArtifactFormat = (typeof FORMATS)[number];
export const SORTS = namedValues('ModSort', 'Order of a list of mods.', ['recent', 'popular', 'downloads', 'stars', 'new', 'title']);
export type ModSort = (typeof SORTS)[number];

/** Minimum length of a query for the trigram index, in code points. */
export const MIN_INDEXED_QUERY = 3;
/** Number of UTC days that count as recent, including today. */
export const RECENT_DAYS = 7;
/** Retention of daily download counts in days. */
export const DOWNLOADS_TTL_DAYS = 92;

/** Popularity weights of stars and of all downloads, relative to recent downloads. */
export const STAR_WEIGHT = 0.25;
export const LIFETIME_WEIGHT = 0.1;
/** The score is rounded to multiples of `1 / SCORE_PARTS`. */
export const SCORE_PARTS = 10_000;

/** Names of the upstream sources of the mirror; keys of their stored state. */
export const MIRROR_SOURCES = { list: 'mods-mirror', files: 'mods-mirror-files', images: 'mods-mirror-images' } as const;
