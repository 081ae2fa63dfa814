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
import { MAX_LANGUAGES } from './languages/languages.domain.ts';

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

const SLOTS = Array.from({ length: MAX_LANGUAGES }, (_, index) => index + 1);

/** Appended to a text: a trigram then starts at each of its characters. Search texts are trimmed and never match the padding. */
const PADDING = "'  '";
const paddedTexts = (row: 'new' | 'old') => `${row}.id, ${row}.name_folded || ${PADDING}, ${row}.description_folded || ${PADDING}`;
const ADD = `INSERT INTO codex_search (rowid, name, description) VALUES (${paddedTexts('new')});`;
const DELETE = `INSERT INTO codex_search (codex_search, rowid, name, description) VALUES ('delete', ${paddedTexts('old')});`;

/**
 * Literal substring search in the case-folded texts of entries and translations, by their ids. `codex_search_trigrams` lists the trigrams of each entry: texts of one
 * or two characters are found as prefixes of trigrams.
 */
export const SCHEMA_STATEMENTS = [
  `CREATE VIRTUAL TABLE codex_search USING fts5(name, description, content='', tokenize='trigram case_sensitive 1')`,
  `CREATE VIRTUAL TABLE codex_search_trigrams USING fts5vocab('codex_search', 'instance')`,
  `CREATE TRIGGER codex_search_insert AFTER INSERT ON codex_entries BEGIN
  ${ADD}
END`,
  `CREATE TRIGGER codex_search_update AFTER UPDATE ON codex_entries
WHEN old.name_folded <> new.name_folded OR old.description_folded <> new.description_folded BEGIN
  ${DELETE}
  ${ADD}
END`,
  `CREATE TRIGGER codex_search_delete AFTER DELETE ON codex_entries BEGIN
  ${DELETE}
END`,
  `CREATE TRIGGER codex_translations_insert AFTER INSERT ON codex_translations BEGIN
  ${ADD}
END`,
  `CREATE TRIGGER codex_translations_update AFTER UPDATE ON codex_translations
WHEN old.name_folded <> new.name_folded OR old.description_folded <> new.description_folded BEGIN
  ${DELETE}
  ${ADD}
END`,
  `CREATE TRIGGER codex_translations_delete AFTER DELETE ON codex_translations BEGIN
  ${DELETE}
END`,
  `CREATE TRIGGER codex_translations_of_deleted AFTER DELETE ON codex_entries BEGIN
  DELETE FROM codex_translations WHERE id IN (${SLOTS.map((slot) => `old.id + ${slot * IDS_OF_LANGUAGE}`).join(', ')});
END`,
];
