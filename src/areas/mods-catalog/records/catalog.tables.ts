import { type SQL, sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { backedUp, derived, references } from '../../../platform/kit/backup-decision.ts';
import { fullTextIndex, type TableDeclarations, type TableGrowth } from '../../../platform/kit/table-declaration.ts';
import * as shapes from '../../../platform/kit/values/stored-shapes.ts';
import { jsonColumn } from '../../../platform/storage/json-column.ts';
import { FORMATS, LANGUAGES, PACK_VISIBILITIES, type Translations, VISIBILITIES } from './catalog.data.ts';
import type { ModImage, ModReference } from './mod.domain.ts';
import type { PackEntry, PackVariant } from './pack-entry.domain.ts';

const IMAGE: shapes.Shape<ModImage> = shapes.fields({ sha256: shapes.text, contentType: shapes.text, size: shapes.number });
const IMAGES: shapes.Shape<readonly ModImage[]> = shapes.listOf(IMAGE);
const TEXTS: shapes.Shape<readonly string[]> = shapes.listOf(shapes.text);
const TRANSLATIONS: shapes.Shape<Translations> = shapes.fields(
  Object.fromEntries(LANGUAGES.map((language) => [language, shapes.optional(shapes.text)])),
);
const REFERENCE: shapes.Shape<ModReference> = shapes.fields({
  handle: shapes.text,
  slug: shapes.text,
  title: shapes.text,
  owner: shapes.text,
});
const ENTRY: shapes.Shape<PackEntry> = shapes.fields({
  handle: shapes.text,
  slug: shapes.text,
  modId: shapes.nullable(shapes.number),
  branch: shapes.text,
  tag: shapes.nullable(shapes.text),
  title: shapes.text,
  author: shapes.text,
  file: shapes.nullable(shapes.fields({ sha256: shapes.text, size: shapes.number, filename: shapes.text })),
});
const VARIANTS: shapes.Shape<readonly PackVariant[]> = shapes.listOf(
  shapes.fields({ name: shapes.text, label: shapes.text, entries: shapes.listOf(ENTRY) }),
);

const flag = (name: string) => integer(name, { mode: 'boolean' });
const translations = (name: string) => jsonColumn(name, TRANSLATIONS).notNull().default({});

/** Images and links of a mod or a pack. */
const linkColumns = () => ({
  banner: jsonColumn('banner', IMAGE),
  previews: jsonColumn('previews', IMAGES).notNull(),
  discordUrl: text('discord_url'),
  websiteUrl: text('website_url'),
  donationUrls: jsonColumn('donation_urls', TEXTS).notNull(),
});
/** Texts of a mod or a pack that lists search and sort. */
const searchedColumns = () => ({
  title: text('title').notNull(),
  sortTitle: text('sort_title').notNull(),
  author: text('author').notNull(),
  /** Those of packs are in lower case. */
  tags: jsonColumn('tags', TEXTS).notNull(),
  summary: text('summary').notNull(),
  searchText: text('search_text').notNull(),
});
const imageColumns = () => ({
  sha256: text('sha256').notNull(),
  contentType: text('content_type').notNull(),
  size: integer('size').notNull(),
});

/** Mods. Long texts are the last columns, so that sorting and filtering do not read them. Bound: one row per inserted or mirrored mod. */
export const mods = sqliteTable(
  'mods',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    handle: text('handle').notNull(),
    slug: text('slug').notNull(),
    visibility: text('visibility', { enum: VISIBILITIES }).notNull(),
    takenDownAt: integer('taken_down_at'),
    isApproved: flag('is_approved').notNull(),
    isVisible: flag('is_visible')
      .notNull()
      .generatedAlwaysAs(sql`(visibility = 'public' and taken_down_at is null and is_approved)`, { mode: 'stored' }),
    isStray: flag('is_stray').notNull(),
    starCount: integer('star_count').notNull().default(0),
    /** Downloads counted by the community catalog. */
    mirroredDownloads: integer('mirrored_downloads').notNull().default(0),
    /** Downloads counted by this service. */
    ownDownloads: integer('own_downloads').notNull().default(0),
    downloadCount: integer('download_count').notNull().generatedAlwaysAs(sql`(mirrored_downloads + own_downloads)`, { mode: 'stored' }),
    downloads7d: integer('downloads_7d').notNull().default(0),
    popularity: real('popularity').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** Time of the newest release that was not silent; 0 before the first. */
    lastReleaseAt: integer('last_release_at').notNull().default(0),
    version: integer('version').notNull().default(1),
    /** Id in the community catalog. */
    sourceId: text('source_id'),
    /** URL that the banner was downloaded from. */
    sourceImage: text('source_image'),
    uploadedOnBehalf: flag('uploaded_on_behalf').notNull(),
    forkedFromPath: text('forked_from_path'),
    ...linkColumns(),
    forkedFrom: jsonColumn('forked_from', REFERENCE),
    inspiredBy: jsonColumn('inspired_by', REFERENCE),
    ...searchedColumns(),
    warnings: text('warnings').notNull(),
    description: text('description').notNull(),
    readmeText: text('readme_text').notNull(),
    isBeta: flag('is_beta').notNull().default(false),
    titleI18n: translations('title_i18n'),
    summaryI18n: translations('summary_i18n'),
    warningsI18n: translations('warnings_i18n'),
    descriptionI18n: translations('description_i18n'),
    readmeI18n: translations('readme_i18n'),
    /** Names that the owner of a project credits; empty for other mods, whose author is the credit. */
    credited: text('credited').notNull().default(''),
  },
  (table) => [
    uniqueIndex('mods_address').on(table.handle, table.slug),
    uniqueIndex('mods_source').on(table.sourceId),
    index('mods_recent').on(table.isVisible, sql`last_release_at desc`, table.handle, table.slug),
    index('mods_popular').on(table.isVisible, sql`popularity desc`, table.handle, table.slug),
    index('mods_downloads').on(table.isVisible, sql`download_count desc`, table.handle, table.slug),
    index('mods_stars').on(table.isVisible, sql`star_count desc`, table.handle, table.slug),
    index('mods_new').on(table.isVisible, sql`created_at desc`, table.handle, table.slug),
    index('mods_title').on(table.isVisible, table.sortTitle, table.handle, table.slug),
    index('mods_forks').on(table.forkedFromPath, table.isVisible),
    index('mods_states').on(table.isApproved, table.takenDownAt, table.handle, table.slug),
  ],
);

const TOTALS = ['visible', 'revision'] as const;
export type ModTotal = (typeof TOTALS)[number];

/** Number of visible mods, and a revision that counts changes of filtered columns. Updated by triggers. Bound: two rows. */
export const modTotals = sqliteTable('mod_totals', {
  name: text('name', { enum: TOTALS }).primaryKey(),
  n: integer('n').notNull(),
});

/** Number of visible mods that are forks of a mod, by its `handle/slug`. Updated by triggers. Bound: one row per forked mod. */
export const modForks = sqliteTable('mod_forks', { path: text('path').primaryKey(), n: integer('n').notNull() });

/** Number of visible mods with a tag, in lower case. Updated by triggers. Bound: one row per tag of `mod_tags`. */
export const modTagCounts = sqliteTable('mod_tag_counts', { tag: text('tag').primaryKey(), n: integer('n').notNull() });

/** Tags of mods in lower case. Bound: a few rows per mod (`MOD_LIMITS`). */
export const modTags = sqliteTable('mod_tags', { modId: integer('mod_id').notNull(), tag: text('tag').notNull() }, (table) => [
  primaryKey({ columns: [table.modId, table.tag] }),
  index('mod_tags_tag').on(table.tag, table.modId),
]);

/** Characters in which handles differ from names. */
const NAME_MARKS = [' ', '-', '_', '.', "''"];
/** A name without these characters, as SQL. */
export const plainName = (name: SQL): SQL => NAME_MARKS.reduce((text, mark) => sql`replace(${text}, ${sql.raw(`'${mark}'`)}, '')`, name);

/** Names in lower case for the `author` filter. Bound: a few rows per mod (`MOD_LIMITS`). */
export const modAuthors = sqliteTable(
  'mod_authors',
  {
    modId: integer('mod_id').notNull(),
    name: text('name').notNull(),
    /** For comparison with handles. */
    plain: text('plain').generatedAlwaysAs(plainName(sql`name`), { mode: 'virtual' }),
  },
  (table) => [
    primaryKey({ columns: [table.modId, table.name] }),
    index('mod_authors_name').on(table.name, table.modId),
    index('mod_authors_plain').on(table.plain),
  ],
);

/** Images of mods. Bound: a few rows per mod (`MOD_LIMITS`). */
export const modImages = sqliteTable(
  'mod_images',
  {
    modId: integer('mod_id').notNull(),
    ...imageColumns(),
  },
  (table) => [primaryKey({ columns: [table.modId, table.sha256] }), index('mod_images_sha256').on(table.sha256, table.modId)],
);

/** Releases; long texts are the last columns. Bound: 500 per mod. */
export const modReleases = sqliteTable(
  'mod_releases',
  {
    id: text('id').primaryKey(),
    modId: integer('mod_id').notNull(),
    branch: text('branch').notNull(),
    tag: text('tag').notNull(),
    isPublished: flag('is_published').notNull(),
    isSilent: flag('is_silent').notNull(),
    publishedAt: integer('published_at'),
    format: text('format', { enum: FORMATS }).notNull(),
    size: integer('size').notNull(),
    sha256: text('sha256').notNull(),
    downloadCount: integer('download_count').notNull().default(0),
    /** Id of the file in the community catalog. */
    sourceFileId: text('source_file_id'),
    filename: text('filename').notNull(),
    title: text('title').notNull(),
    changelog: text('changelog').notNull(),
    titleI18n: translations('title_i18n'),
    changelogI18n: translations('changelog_i18n'),
    /** When a member of the project uploaded it; null for a release of the mirror or an insert. */
    createdAt: integer('created_at'),
    /** When the outbox publishes it; null for a draft. */
    publishAt: integer('publish_at'),
    /** Why the last scheduled publication failed. */
    publishError: text('publish_error'),
    announcedAt: integer('announced_at'),
    withdrawnAt: integer('withdrawn_at'),
    withdrawReason: text('withdraw_reason'),
    /** Preview image of this release. */
    image: jsonColumn('image', IMAGE),
    /** SHA-256 of a `.tmod` without its header, which every upload changes; null for other files. */
    contentSha256: text('content_sha256'),
  },
  (table) => [
    index('mod_releases_content').on(table.contentSha256),
    uniqueIndex('mod_releases_tag').on(table.modId, table.branch, table.tag),
    index('mod_releases_sha256').on(table.sha256),
    index('mod_releases_published').on(table.modId, table.isPublished, table.publishedAt),
  ],
);

/** Hashes of a release before it was repacked. Bound: a few rows per release. */
export const modReleasePriorHashes = sqliteTable(
  'mod_release_prior_hashes',
  { sha256: text('sha256').notNull(), releaseId: text('release_id').notNull() },
  (table) => [primaryKey({ columns: [table.sha256, table.releaseId] })],
);

/** Files that moderators gave to a handle; the other files belong to the handle that has them public. Bound: decisions of moderators. */
export const modArtifactOwners = sqliteTable('mod_artifact_owners', {
  sha256: text('sha256').primaryKey(),
  handle: text('handle').notNull(),
});

/** Hashes of files, whole and without header, that were taken down; nobody may publish them. Bound: two rows per release of a hidden mod. */
export const modRefusedFiles = sqliteTable(
  'mod_refused_files',
  { sha256: text('sha256').primaryKey(), modId: integer('mod_id').notNull(), refusedAt: integer('refused_at').notNull() },
  (table) => [index('mod_refused_files_mod').on(table.modId)],
);

/** Downloads of a release on a UTC day (days since 1970). Bound: one row per release and day with downloads, 92 days. */
export const modDownloadsDaily = sqliteTable(
  'mod_downloads_daily',
  { day: integer('day').notNull(), releaseId: text('release_id').notNull(), n: integer('n').notNull() },
  (table) => [primaryKey({ columns: [table.day, table.releaseId] }), index('mod_downloads_release').on(table.releaseId, table.day)],
);

/** Packs of mods. Long columns are the last ones, so that lists do not read them. Bound: one row per inserted pack. */
export const modPacks = sqliteTable(
  'mod_packs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    handle: text('handle').notNull(),
    slug: text('slug').notNull(),
    visibility: text('visibility', { enum: PACK_VISIBILITIES }).notNull(),
    starCount: integer('star_count').notNull().default(0),
    downloadCount: integer('download_count').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    version: integer('version').notNull().default(1),
    defaultVariant: text('default_variant').notNull(),
    variantCount: integer('variant_count').notNull(),
    /** Entries of the default variant. */
    modCount: integer('mod_count').notNull(),
    /** The author, folded for the filter of the list. */
    authorKey: text('author_key').notNull().default(''),
    ...searchedColumns(),
    ...linkColumns(),
    warnings: text('warnings').notNull(),
    description: text('description').notNull(),
    variants: jsonColumn('variants', VARIANTS).notNull(),
  },
  (table) => [
    uniqueIndex('mod_packs_address').on(table.handle, table.slug),
    index('mod_packs_recent').on(table.visibility, sql`updated_at desc`, table.handle, table.slug),
    index('mod_packs_downloads').on(table.visibility, sql`download_count desc`, table.handle, table.slug),
    index('mod_packs_stars').on(table.visibility, sql`star_count desc`, table.handle, table.slug),
    index('mod_packs_new').on(table.visibility, sql`created_at desc`, table.handle, table.slug),
    index('mod_packs_title').on(table.visibility, table.sortTitle, table.handle, table.slug),
  ],
);

/** Mods of packs. Bound: `PACK_LIMITS.entries` per pack. */
export const modPackMods = sqliteTable(
  'mod_pack_mods',
  { packId: integer('pack_id').notNull(), modId: integer('mod_id').notNull() },
  (table) => [primaryKey({ columns: [table.packId, table.modId] }), index('mod_pack_mods_mod').on(table.modId, table.packId)],
);

/** Images of packs. Bound: a few rows per pack (`MOD_LIMITS`). */
export const modPackImages = sqliteTable(
  'mod_pack_images',
  {
    packId: integer('pack_id').notNull(),
    ...imageColumns(),
  },
  (table) => [primaryKey({ columns: [table.packId, table.sha256] }), index('mod_pack_images_sha256').on(table.sha256, table.packId)],
);

const WITH_MODS: TableGrowth = {
  by: 'mods and releases',
  aYear: '1 MB',
  large: '5 MB',
  kept: 'as long as the mod',
  afterwards: 'deleted with the project, except owners of artifacts',
};
const WITH_PACKS: TableGrowth = { by: 'packs', aYear: '1 MB', large: '5 MB', kept: 'permanently', afterwards: 'stays' };

/** Backup, personal data and growth of the tables. */
export const catalogTables: TableDeclarations = {
  mods: {
    backup: backedUp('sent once by clients, with the decisions of moderators', {
      journal: { key: ['id'], columns: ['visibility', 'taken_down_at', 'is_approved'], restores: 'changes' },
    }),
    personal: 'Mods',
    growth: { by: 'mods, 5 to 30 kB each', aYear: '5 MB', large: '30 MB', kept: 'permanently', afterwards: 'deleted with its project' },
  },
  mod_tags: { backup: backedUp('part of a mod', references('mod_id', 'mods')), personal: 'Mods', growth: WITH_MODS },
  mod_authors: { backup: backedUp('part of a mod', references('mod_id', 'mods')), personal: 'Mods', growth: WITH_MODS },
  mod_images: {
    backup: backedUp('part of a mod; the bytes are in ARCHIVE', references('mod_id', 'mods')),
    personal: 'Mods',
    growth: WITH_MODS,
  },
  mod_releases: {
    backup: backedUp('part of a mod; the bytes are in ARCHIVE', {
      ...references('mod_id', 'mods'),
      journal: { key: ['id'], columns: ['withdrawn_at', 'withdraw_reason'], restores: 'changes' },
    }),
    personal: 'Mods',
    growth: {
      by: 'releases of mods, 500 each at most',
      aYear: '5 MB',
      large: '30 MB',
      kept: 'permanently',
      afterwards: 'deleted with the project',
    },
  },
  mod_release_prior_hashes: {
    backup: backedUp('part of a release', references('release_id', 'mod_releases')),
    personal: 'Mods',
    growth: WITH_MODS,
  },
  mod_artifact_owners: {
    backup: backedUp('decisions of moderators', {
      journal: { key: ['sha256'], columns: ['handle'], restores: 'changes' },
    }),
    personal: 'Mods',
    growth: WITH_MODS,
  },
  mod_refused_files: {
    backup: backedUp('decisions of moderators', {
      journal: { key: ['sha256'], columns: ['refused_at'], restores: 'rows' },
    }),
    personal: 'Mods',
    growth: {
      by: 'files that were taken down',
      aYear: 'less than 1 MB',
      large: '1 MB',
      kept: 'permanently',
      afterwards: 'stays: a refused file stays refused',
    },
  },
  mod_packs: {
    backup: backedUp('sent once by clients', {
      journal: { key: ['id'], columns: ['visibility'], restores: 'changes' },
    }),
    personal: 'Mods',
    growth: WITH_PACKS,
  },
  mod_pack_mods: { backup: backedUp('part of a pack'), personal: 'Mods', growth: WITH_PACKS },
  mod_pack_images: { backup: backedUp('part of a pack; the bytes are in ARCHIVE'), personal: 'Mods', growth: WITH_PACKS },
  mod_downloads_daily: {
    backup: backedUp('counted once', references('release_id', 'mod_releases')),
    personal: 'Mods',
    growth: { by: 'releases with downloads', aYear: 'none', kept: '92 days', afterwards: 'deleted by `mods-popularity`' },
  },
  mods_search: fullTextIndex('Mods'),
  mod_totals: {
    backup: derived('counted by triggers of mods'),
    personal: 'Mods',
    growth: { by: 'nothing: two rows', aYear: 'none', kept: 'newest state', afterwards: 'replaced' },
  },
  mod_forks: { backup: derived('counted by triggers of mods'), personal: 'Mods', growth: WITH_MODS },
  mod_tag_counts: {
    backup: derived('counted by triggers of mods and mod_tags'),
    personal: 'Mods',
    growth: {
      by: 'tags of mods',
      aYear: 'less than 1 MB',
      kept: 'while a visible mod has the tag',
      afterwards: 'deleted with its last mod',
    },
  },
};
