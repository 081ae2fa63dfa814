/** Spaces around the words: a trigram then tells the start or the end of a word. */
const padded = (row: 'new' | 'old') => `' ' || ${row}.words || ' '`;
const DOC = 5;
const kindOf = (row: 'new' | 'old') => `CASE ${row}.type WHEN ${DOC} THEN 'doc' ELSE 'other' END`;
const textsOf = (row: 'new' | 'old') => `${row}.id, ${row}.name, ${row}.about, ${row}.text, ${kindOf(row)}`;

/**
 * `search_names` finds parts of words of names, `search_texts` whole words and their beginnings in names and texts. Rows are inserted and
 * deleted, never updated. `kind` is `doc` for the documentation.
 */
export const SCHEMA_STATEMENTS = [
  `CREATE VIRTUAL TABLE search_names USING fts5(words, content='', tokenize='trigram case_sensitive 1')`,
  `CREATE VIRTUAL TABLE search_texts USING fts5(name, about, text, kind, content='', tokenize='unicode61 remove_diacritics 2')`,
  `CREATE TRIGGER search_entries_insert AFTER INSERT ON search_entries BEGIN
  INSERT INTO search_names (rowid, words) VALUES (new.id, ${padded('new')});
END`,
  `CREATE TRIGGER search_entries_insert_text AFTER INSERT ON search_entries WHEN new.text <> '' BEGIN
  INSERT INTO search_texts (rowid, name, about, text, kind) VALUES (${textsOf('new')});
END`,
  `CREATE TRIGGER search_entries_delete AFTER DELETE ON search_entries BEGIN
  INSERT INTO search_names (search_names, rowid, words) VALUES ('delete', old.id, ${padded('old')});
END`,
  `CREATE TRIGGER search_entries_delete_text AFTER DELETE ON search_entries WHEN old.text <> '' BEGIN
  INSERT INTO search_texts (search_texts, rowid, name, about, text, kind) VALUES ('delete', ${textsOf('old')});
END`,
];
