import { type SQL, sql } from 'drizzle-orm';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { toJsonParts } from '../../../platform/kit/values/json-values.ts';
import { type Database, runInOneTransaction } from '../../../platform/storage/database.ts';
import { IDS_OF_LANGUAGE } from '../codex-rows.domain.ts';
import { NAME_SEPARATOR } from '../derive/staging.domain.ts';
import { LANGUAGE_SLOTS } from '../languages.domain.ts';

/** Ids of one language, as SQL. */
const RANGE = sql.raw(String(IDS_OF_LANGUAGE));

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

/** Maximum length of the JSON in one SQL parameter, in characters. */
const MAX_PART_LENGTH = 400_000;
/** Rows of a removed language deleted at once. */
const MAX_DELETED = 2000;
const LAST_ID = sql.raw(String(IDS_OF_LANGUAGE - 1));

/** Texts of an entry in a language; null without a translation. */
export interface Translation {
  path: string;
  name: string | null;
  description: string | null;
  /** Further names that a search finds. */
  otherNames?: readonly string[];
}

/** Writes of the translations of a branch, which has one writer. All can be repeated. */
export function createTranslationWrites(db: Database) {
  return {
    /**
     * Removes other languages, and assigns ranges of ids to new ones. False if rows of removed languages remain: to be called again,
     * because a range must be empty before it is assigned.
     */
    async assignSlots(branch: string, languages: readonly string[]): Promise<boolean> {
      const [, deleted = []] = await runInOneTransaction(db, [
        sql`DELETE FROM codex_languages WHERE branch = ${branch} AND lang NOT IN (SELECT value FROM json_each(${JSON.stringify(languages)}))`,
        sql`DELETE FROM codex_translations WHERE id IN (SELECT t.id FROM codex_branches b, json_each(${JSON.stringify(LANGUAGE_SLOTS)}) s
          CROSS JOIN codex_translations t ON t.id BETWEEN ${firstId(sql`s.value`)} AND ${firstId(sql`s.value`)} + ${LAST_ID}
          WHERE b.branch = ${branch} AND s.value NOT IN (SELECT slot FROM codex_languages WHERE branch = ${branch})
          LIMIT ${MAX_DELETED}) RETURNING id`,
      ]);
      if (deleted.length >= MAX_DELETED) return false;
      const rows = await db.all<{ lang: string; slot: number }>(sql`SELECT lang, slot FROM codex_languages WHERE branch = ${branch}`);
      const free = LANGUAGE_SLOTS.filter((slot) => rows.every((row) => row.slot !== slot));
      const added = languages.filter((lang) => rows.every((row) => row.lang !== lang));
      const assigned = added.map((lang, index) => ({ lang, slot: free[index] }));
      if (assigned.length > 0) {
        await db.run(sql`INSERT INTO codex_languages (branch, lang, slot)
          SELECT ${branch}, value->>'lang', value->>'slot' FROM json_each(${JSON.stringify(assigned)})`);
      }
      return true;
    },

    /** Writes the translations of some entries that differ from the stored ones, and deletes those that no longer exist. */
    async write(branch: string, language: string, translations: readonly Translation[]): Promise<void> {
      const rows = translations.map(({ path, name, description, otherNames = [] }) => ({
        path,
        name,
        description,
        name_folded: name && foldCase(name),
        description_folded: description && foldCase(description),
        others_folded: otherNames.length === 0 ? null : foldCase(NAME_SEPARATOR + otherNames.join(NAME_SEPARATOR)),
      }));
      const statements = toJsonParts(rows, MAX_PART_LENGTH).flatMap((part) => writeStatements(branch, language, part));
      await runInOneTransaction(db, statements);
    },

    /** Counts the translations of a language and makes it available. Totals of lists of the last generation no longer apply. */
    async complete(branch: string, language: string): Promise<void> {
      await runInOneTransaction(db, [
        sql`UPDATE codex_languages SET translated = (SELECT count(t.name) FROM codex_branches b
            JOIN codex_translations t ON t.id BETWEEN ${firstId(sql`codex_languages.slot`)} AND ${firstId(sql`codex_languages.slot`)} + ${LAST_ID}
            WHERE b.branch = ${branch})
          WHERE branch = ${branch} AND lang = ${language}`,
        sql`UPDATE codex_branches SET generation = generation + 1 WHERE branch = ${branch}`,
      ]);
    },
  };
}

export type TranslationWrites = ReturnType<typeof createTranslationWrites>;

/** First id of a slot of the branch `b`. */
function firstId(slot: SQL): SQL {
  return sql`b.first_id + ${slot} * ${RANGE}`;
}

function writeStatements(branch: string, language: string, part: string): SQL[] {
  const entries = sql`FROM codex_languages l CROSS JOIN json_each(${part}) v
    CROSS JOIN codex_entries e ON e.branch = l.branch AND e.path = v.value->>'path' WHERE l.branch = ${branch} AND l.lang = ${language}`;
  const isTranslated = sql`coalesce(v.value->>'name', v.value->>'description', v.value->>'others_folded') IS NOT NULL`;
  const id = sql`e.id + l.slot * ${RANGE}`;
  return [
    sql`DELETE FROM codex_translations WHERE id IN (SELECT ${id} ${entries} AND NOT ${isTranslated})`,
    sql`INSERT INTO codex_translations (id, name, description, name_folded, description_folded)
      SELECT ${id}, v.value->>'name', v.value->>'description', coalesce(v.value->>'name_folded', e.name_folded),
        coalesce(v.value->>'description_folded', e.description_folded) || coalesce(v.value->>'others_folded', '') ${entries} AND ${isTranslated}
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description, name_folded = excluded.name_folded,
        description_folded = excluded.description_folded
      WHERE name IS NOT excluded.name OR description IS NOT excluded.description OR name_folded <> excluded.name_folded
        OR description_folded <> excluded.description_folded`,
  ];
}
