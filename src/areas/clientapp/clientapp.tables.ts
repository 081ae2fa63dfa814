import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { derived, type TableDecisions } from '../../platform/kit/backup-decision.ts';
import type { Commit, Tag } from './changelog.domain.ts';
import type { Asset } from './releases.domain.ts';

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
    assets: text('assets', { mode: 'json' }).$type<Asset[]>().notNull(),
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
  tags: text('tags', { mode: 'json' }).$type<Tag[]>().notNull(),
  /** JSON list, newest first. */
  commits: text('commits', { mode: 'json' }).$type<Commit[]>().notNull(),
  rateLimited: integer('rate_limited', { mode: 'boolean' }).notNull(),
  /** Null before the first success. */
  fetchedAt: integer('fetched_at'),
});

/** What a backup does with the tables of the area. */
export const clientappBackup: TableDecisions = {
  clientapp_releases: derived('read again from the source'),
  clientapp_changelogs: derived('read again from the source'),
};
