import { archiveBlobs, archiveChanges, archiveDirs, archiveFiles, archiveManifest, archiveWork } from './updates.tables.ts';

/** Tables without rowid: rows are read in the order of the primary key. */
export const WITHOUT_ROWID = [archiveFiles, archiveDirs, archiveChanges, archiveBlobs, archiveManifest, archiveWork];

/** Trigram index of `archive_paths` without a copy of the text; its rowid is the id of the path. */
export const SCHEMA_STATEMENTS = [
  `CREATE VIRTUAL TABLE archive_paths_fts USING fts5(path, content='', tokenize='trigram')`,
  `CREATE TRIGGER archive_paths_indexed AFTER INSERT ON archive_paths BEGIN
  INSERT INTO archive_paths_fts (rowid, path) VALUES (new.id, new.dir || new.name);
END`,
];
