import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { derived } from '../../platform/kit/backup-decision.ts';
import type { TableDeclarations, TableGrowth } from '../../platform/kit/table-declaration.ts';
import * as shapes from '../../platform/kit/values/stored-shapes.ts';
import { jsonColumn } from '../../platform/storage/json-column.ts';
import type { Commit, Tag } from './changelog.domain.ts';
import type { Asset } from './releases.domain.ts';

const ASSET: shapes.Shape<Asset> = shapes.fields({
  name: shapes.text,
  url: shapes.text,
  size: shapes.withDefault(shapes.number, () => 0),
  contentType: shapes.nullable(shapes.text),
  downloadCount: shapes.withDefault(shapes.number, () => 0),
});
const TAG: shapes.Shape<Tag> = shapes.fields({ name: shapes.text, sha: shapes.text });
const COMMIT: shapes.Shape<Commit> = shapes.fields({ sha: shapes.text, message: shapes.text, url: shapes.nullable(shapes.text) });

/**
 * Releases of the companion app. The platform columns state whether a release has a file for the platform.
 * Bound: the releases of one repository, at most 100 new ones per refresh.
 */
export const clientappReleases = sqliteTable(
  'clientapp_releases',
  {
    releaseId: integer('release_id').primaryKey(),
    tagName: text('tag_name').notNull(),
    name: text('name').notNull(),
    body: text('body').notNull(),
    htmlUrl: text('html_url').notNull(),
    prerelease: integer('prerelease', { mode: 'boolean' }).notNull(),
    publishedAt: integer('published_at').notNull(),
    fetchedAt: integer('fetched_at').notNull(),
    /** JSON list. */
    assets: jsonColumn('assets', shapes.listOf(ASSET)).notNull(),
    windows: integer('windows', { mode: 'boolean' }).notNull(),
    linux: integer('linux', { mode: 'boolean' }).notNull(),
    android: integer('android', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    index('clientapp_releases_published').on(table.publishedAt, table.releaseId),
    index('clientapp_releases_channel').on(table.prerelease, table.publishedAt, table.releaseId),
  ],
);

/** Tags and commits of the last refresh. Bound: one row per repository. */
export const clientappChangelogs = sqliteTable('clientapp_changelogs', {
  repo: text('repo').primaryKey(),
  /** JSON list. */
  tags: jsonColumn('tags', shapes.listOf(TAG)).notNull(),
  /** JSON list, newest first. */
  commits: jsonColumn('commits', shapes.listOf(COMMIT)).notNull(),
  rateLimited: integer('rate_limited', { mode: 'boolean' }).notNull(),
  /** Null before the first success. */
  fetchedAt: integer('fetched_at'),
});

const WITH_RELEASES: TableGrowth = {
  by: 'releases of one repository',
  aYear: 'less than 100 kB',
  kept: 'permanently',
  afterwards: 'stays',
};

/** Backup, personal data and growth of the tables. */
export const clientappTables: TableDeclarations = {
  clientapp_releases: {
    backup: derived('read again from the source'),
    personal: 'Companion app',
    growth: WITH_RELEASES,
  },
  clientapp_changelogs: {
    backup: derived('read again from the source'),
    personal: 'Companion app',
    growth: WITH_RELEASES,
  },
};
