const SEARCH = [
  // Literal substring search over `mods.search_text`, which is in lower case.
  `CREATE VIRTUAL TABLE mods_search USING fts5(search_text, content='mods', content_rowid='id', tokenize='trigram case_sensitive 1')`,
  `CREATE TRIGGER mods_search_insert AFTER INSERT ON mods BEGIN
  INSERT INTO mods_search (rowid, search_text) VALUES (new.id, new.search_text);
END`,
  `CREATE TRIGGER mods_search_update AFTER UPDATE OF search_text ON mods WHEN old.search_text <> new.search_text BEGIN
  INSERT INTO mods_search (mods_search, rowid, search_text) VALUES ('delete', old.id, old.search_text);
  INSERT INTO mods_search (rowid, search_text) VALUES (new.id, new.search_text);
END`,
  `CREATE TRIGGER mods_search_delete AFTER DELETE ON mods BEGIN
  INSERT INTO mods_search (mods_search, rowid, search_text) VALUES ('delete', old.id, old.search_text);
END`,
];

/** Maintains the number of visible mods, so that lists do not count them. */
const VISIBLE_TOTAL = [
  `INSERT OR IGNORE INTO mod_totals (name, n) VALUES ('visible', 0)`,
  `CREATE TRIGGER mods_total_insert AFTER INSERT ON mods WHEN new.is_visible BEGIN
  UPDATE mod_totals SET n = n + 1 WHERE name = 'visible';
END`,
  `CREATE TRIGGER mods_total_update AFTER UPDATE ON mods WHEN old.is_visible <> new.is_visible BEGIN
  UPDATE mod_totals SET n = n + new.is_visible - old.is_visible WHERE name = 'visible';
END`,
  `CREATE TRIGGER mods_total_delete AFTER DELETE ON mods WHEN old.is_visible BEGIN
  UPDATE mod_totals SET n = n - 1 WHERE name = 'visible';
END`,
];

/** Maintains a revision; cached counts of filtered lists are valid while it is unchanged. */
const REVISION = [
  `INSERT OR IGNORE INTO mod_totals (name, n) VALUES ('revision', 0)`,
  `CREATE TRIGGER mods_revision_insert AFTER INSERT ON mods BEGIN
  UPDATE mod_totals SET n = n + 1 WHERE name = 'revision';
END`,
  `CREATE TRIGGER mods_revision_update AFTER UPDATE ON mods
WHEN old.is_visible <> new.is_visible OR old.version <> new.version BEGIN
  UPDATE mod_totals SET n = n + 1 WHERE name = 'revision';
END`,
  `CREATE TRIGGER mods_revision_delete AFTER DELETE ON mods BEGIN
  UPDATE mod_totals SET n = n + 1 WHERE name = 'revision';
END`,
];

/** Full-text index, triggers and first rows of the catalog. */
export const SCHEMA_STATEMENTS = [...SEARCH, ...VISIBLE_TOTAL, ...REVISION];
