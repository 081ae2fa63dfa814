import { IDS_OF_LANGUAGE } from './codex-rows.domain.ts';
import {
  codexAbilities,
  codexBranches,
  codexChanges,
  codexFacets,
  codexFailures,
  codexLanguages,
  codexLinks,
  codexRequirements,
  codexStaging,
  codexStats,
  codexUnits,
  codexUpgrades,
} from './codexes.tables.ts';
import { LANGUAGE_SLOTS } from './languages.domain.ts';

/** Tables without rowid, stored in the order of the primary key. */
export const WITHOUT_ROWID = [
  codexBranches,
  codexLanguages,
  codexStats,
  codexAbilities,
  codexLinks,
  codexRequirements,
  codexUpgrades,
  codexUnits,
  codexFacets,
  codexChanges,
  codexFailures,
  codexStaging,
];

/** Appended to a text: a trigram then starts at each of its characters. Search texts are trimmed and never match the padding. */
const PADDING = "'  '";
const paddedTexts = (row: 'new' | 'old') => `${row}.id, ${row}.name_folded || ${PADDING}, ${row}.description_folded || ${PADDING}`;
const ADD = `INSERT INTO codex_search (rowid, name, description) VALUES (${paddedTexts('new')});`;
const DELETE = `INSERT INTO codex_search (codex_search, rowid, name, description) VALUES ('delete', ${paddedTexts('old')});`;

/** Triggers that keep the index equal to the texts of a table. `prefix`: start of their names. */
const searchTriggers = (prefix: string, table: string) => [
  `CREATE TRIGGER ${prefix}_insert AFTER INSERT ON ${table} BEGIN
  ${ADD}
END`,
  `CREATE TRIGGER ${prefix}_update AFTER UPDATE ON ${table}
WHEN old.name_folded <> new.name_folded OR old.description_folded <> new.description_folded BEGIN
  ${DELETE}
  ${ADD}
END`,
  `CREATE TRIGGER ${prefix}_delete AFTER DELETE ON ${table} BEGIN
  ${DELETE}
END`,
];

/**
 * Literal substring search in the case-folded texts of entries and translations, by their ids. `codex_search_trigrams` lists the trigrams of each entry: texts of one
 * or two characters are found as prefixes of trigrams.
 */
export const SCHEMA_STATEMENTS = [
  `CREATE VIRTUAL TABLE codex_search USING fts5(name, description, content='', tokenize='trigram case_sensitive 1')`,
  `CREATE VIRTUAL TABLE codex_search_trigrams USING fts5vocab('codex_search', 'instance')`,
  ...searchTriggers('codex_search', 'codex_entries'),
  ...searchTriggers('codex_translations', 'codex_translations'),
  `CREATE TRIGGER codex_translations_of_deleted AFTER DELETE ON codex_entries BEGIN
  DELETE FROM codex_translations WHERE id IN (${LANGUAGE_SLOTS.map((slot) => `old.id + ${slot * IDS_OF_LANGUAGE}`).join(', ')});
END`,
];
