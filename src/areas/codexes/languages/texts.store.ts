import { type SQL, sql } from 'drizzle-orm';
import { IDS_OF_LANGUAGE } from '../codex-rows.domain.ts';

/** Ids of one language, as SQL. */
export const RANGE = sql.raw(String(IDS_OF_LANGUAGE));

/** Distance between the id of an entry and that of its translation; null for a language that the branch does not have. */
export function idDistance(branch: string, language: string): SQL {
  return sql`(SELECT slot FROM codex_languages WHERE branch = ${branch} AND lang = ${language}) * ${RANGE}`;
}

/** Joins the translations `tr` of entries `e`; empty for English, as null. */
export function joinTranslations(branch: string, language: string | null): SQL {
  return language === null ? sql`` : sql`LEFT JOIN codex_translations tr ON tr.id = e.id + ${idDistance(branch, language)}`;
}

/** A text of the entry `e` in a language. */
export function textColumn(column: 'name' | 'description', language: string | null): SQL {
  const english = sql.raw(`e.${column}`);
  return language === null ? english : sql`coalesce(${sql.raw(`tr.${column}`)}, ${english}) AS ${sql.raw(column)}`;
}

/** Columns of `TextOrigin`. Both are 0 for a target of a link that is not an entry. */
export function originColumns(language: string | null, texts: 'name' | 'all'): SQL {
  if (language === null) return sql``;
  return texts === 'name'
    ? sql`, tr.name IS NOT NULL AS has_translation, e.name IS NOT NULL AND tr.name IS NULL AS has_english`
    : sql`, tr.id IS NOT NULL AS has_translation, tr.name IS NULL OR (tr.description IS NULL AND e.description <> '') AS has_english`;
}
