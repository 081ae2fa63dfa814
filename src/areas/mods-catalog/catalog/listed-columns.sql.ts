import { type AnyColumn, getTableColumns, sql } from 'drizzle-orm';
import { MAX_EVENT_CHANGELOG_LENGTH } from '../records/catalog.data.ts';
import { modReleases, mods } from '../records/catalog.tables.ts';
import { LIST_MOD_TEXTS } from './listed-mod.domain.ts';

/** The first code points of a text: one more than lists show, which tells that more were stored. */
const head = (column: AnyColumn, max: number) => sql<string>`substr(${column}, 1, ${sql.raw(String(max + 1))})`;

/** Translations, each as `head`. Short ones, which are nearly all, are not parsed. */
function heads<Column extends AnyColumn>(column: Column, max: number) {
  const length = sql.raw(String(max + 1));
  return sql`case when octet_length(${column}) <= ${length} then ${column} else (select json_group_object(key, substr(value, 1, ${length})) from json_each(${column})) end`.mapWith(
    column,
  );
}

/** Columns of a mod in a list: of its long texts, the database reads and sends only the beginning. */
export const LISTED_MOD_COLUMNS = {
  ...getTableColumns(mods),
  description: head(mods.description, LIST_MOD_TEXTS.description),
  readmeText: head(mods.readmeText, LIST_MOD_TEXTS.readmeText),
  warnings: head(mods.warnings, LIST_MOD_TEXTS.warnings),
  titleI18n: heads(mods.titleI18n, LIST_MOD_TEXTS.titleI18n),
  summaryI18n: heads(mods.summaryI18n, LIST_MOD_TEXTS.summaryI18n),
  descriptionI18n: heads(mods.descriptionI18n, LIST_MOD_TEXTS.descriptionI18n),
  readmeI18n: heads(mods.readmeI18n, LIST_MOD_TEXTS.readmeI18n),
  warningsI18n: heads(mods.warningsI18n, LIST_MOD_TEXTS.warningsI18n),
};

/** Columns of a release in a list or an event. */
export const LISTED_RELEASE_COLUMNS = {
  ...getTableColumns(modReleases),
  changelog: head(modReleases.changelog, MAX_EVENT_CHANGELOG_LENGTH),
  titleI18n: heads(modReleases.titleI18n, MAX_EVENT_CHANGELOG_LENGTH),
  changelogI18n: heads(modReleases.changelogI18n, MAX_EVENT_CHANGELOG_LENGTH),
};
