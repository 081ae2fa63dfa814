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

/** Literal substring search over the folded texts of the entries. */
export const SCHEMA_STATEMENTS = [
  `CREATE VIRTUAL TABLE codex_search USING fts5(name_folded, description_folded,
  content='codex_entries', content_rowid='id', tokenize='trigram case_sensitive 1')`,
  `CREATE TRIGGER codex_search_insert AFTER INSERT ON codex_entries BEGIN
  INSERT INTO codex_search (rowid, name_folded, description_folded) VALUES (new.id, new.name_folded, new.description_folded);
END`,
  `CREATE TRIGGER codex_search_update AFTER UPDATE ON codex_entries
WHEN old.name_folded <> new.name_folded OR old.description_folded <> new.description_folded BEGIN
  INSERT INTO codex_search (codex_search, rowid, name_folded, description_folded)
    VALUES ('delete', old.id, old.name_folded, old.description_folded);
  INSERT INTO codex_search (rowid, name_folded, description_folded) VALUES (new.id, new.name_folded, new.description_folded);
END`,
  `CREATE TRIGGER codex_search_delete AFTER DELETE ON codex_entries BEGIN
  INSERT INTO codex_search (codex_search, rowid, name_folded, description_folded)
    VALUES ('delete', old.id, old.name_folded, old.description_folded);
END`,
];
