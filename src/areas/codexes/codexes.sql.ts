import {
  codexAbilities,
  codexBranches,
  codexChanges,
  codexFacets,
  codexFailures,
  codexLinks,
  codexRequirements,
  codexStaging,
  codexStats,
  codexUnits,
  codexUpgrades,
} from './codexes.tables.ts';

/** Tables stored in the order of their primary key. */
export const WITHOUT_ROWID = [
  codexBranches,
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

/** Behind a text, so that a trigram begins at each of its characters. No text that is searched for ends with a space. */
const PADDING = "'  '";
const textsOf = (row: 'new' | 'old') => `${row}.id, ${row}.name_folded || ${PADDING}, ${row}.description_folded || ${PADDING}`;
const ADD = `INSERT INTO codex_search (rowid, name, description) VALUES (${textsOf('new')});`;
const DELETE = `INSERT INTO codex_search (codex_search, rowid, name, description) VALUES ('delete', ${textsOf('old')});`;

/**
 * Literal substring search over the folded texts of the entries. `codex_search_trigrams` lists which entries have which trigrams: those that begin
 * with a text of one or two characters find it.
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
];
