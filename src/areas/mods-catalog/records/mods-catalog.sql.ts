import { journalTriggers } from '../../../platform/access/tokens/change-journal.sql.ts';
import { countingTriggers } from '../../../platform/storage/row-counts.ts';
import { catalogTables, modPacks } from './catalog.tables.ts';
import { publishingTables } from './publishing.tables.ts';

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

const isFork = (row: 'new' | 'old') => `${row}.is_visible AND ${row}.forked_from_path IS NOT NULL`;
const addFork = `INSERT INTO mod_forks (path, n) SELECT new.forked_from_path, 1 WHERE ${isFork('new')} ON CONFLICT (path) DO UPDATE SET n = n + 1;`;
const subtractFork = `UPDATE mod_forks SET n = n - 1 WHERE path = old.forked_from_path AND old.is_visible;`;

/** Maintains the number of forks of each mod, so that a list does not count them for each of its mods. */
const FORKS = [
  `INSERT INTO mod_forks (path, n) SELECT forked_from_path, count(*) FROM mods
    WHERE is_visible AND forked_from_path IS NOT NULL GROUP BY forked_from_path ON CONFLICT DO NOTHING`,
  `CREATE TRIGGER mods_forks_insert AFTER INSERT ON mods WHEN ${isFork('new')} BEGIN
  ${addFork}
END`,
  `CREATE TRIGGER mods_forks_update AFTER UPDATE ON mods
WHEN old.is_visible <> new.is_visible OR old.forked_from_path IS NOT new.forked_from_path BEGIN
  ${subtractFork}
  ${addFork}
END`,
  `CREATE TRIGGER mods_forks_delete AFTER DELETE ON mods WHEN ${isFork('old')} BEGIN
  ${subtractFork}
END`,
];

/** Adds the tags that a condition selects to the counts, or subtracts them. A count of 0 has no row. */
const addTags = (where: string) =>
  `INSERT INTO mod_tag_counts (tag, n) SELECT tag, 1 FROM mod_tags WHERE ${where} ON CONFLICT (tag) DO UPDATE SET n = n + 1;`;
const subtractTags = (tags: string) => `UPDATE mod_tag_counts SET n = n - 1 WHERE tag IN (${tags});
  DELETE FROM mod_tag_counts WHERE tag IN (${tags}) AND n <= 0;`;
const tagsOf = (id: string) => `SELECT tag FROM mod_tags WHERE mod_id = ${id}`;
const isVisibleMod = (id: string) => `EXISTS (SELECT 1 FROM mods WHERE id = ${id} AND is_visible)`;

/**
 * Maintains the number of visible mods of each tag, so that a list of a tag does not count them. A restore inserts mods and tags in any
 * order, so both count.
 */
const TAGS = [
  `INSERT INTO mod_tag_counts (tag, n) SELECT t.tag, count(*) FROM mod_tags t JOIN mods m ON m.id = t.mod_id
    WHERE m.is_visible GROUP BY t.tag ON CONFLICT DO NOTHING`,
  `CREATE TRIGGER mod_tags_counted AFTER INSERT ON mod_tags WHEN ${isVisibleMod('new.mod_id')} BEGIN
  ${addTags('mod_id = new.mod_id AND tag = new.tag')}
END`,
  `CREATE TRIGGER mod_tags_uncounted AFTER DELETE ON mod_tags WHEN ${isVisibleMod('old.mod_id')} BEGIN
  ${subtractTags('old.tag')}
END`,
  `CREATE TRIGGER mods_tags_insert AFTER INSERT ON mods WHEN new.is_visible BEGIN
  ${addTags('mod_id = new.id')}
END`,
  `CREATE TRIGGER mods_tags_shown AFTER UPDATE ON mods WHEN new.is_visible AND NOT old.is_visible BEGIN
  ${addTags('mod_id = new.id')}
END`,
  `CREATE TRIGGER mods_tags_hidden AFTER UPDATE ON mods WHEN old.is_visible AND NOT new.is_visible BEGIN
  ${subtractTags(tagsOf('old.id'))}
END`,
  `CREATE TRIGGER mods_tags_delete AFTER DELETE ON mods WHEN old.is_visible BEGIN
  ${subtractTags(tagsOf('old.id'))}
END`,
];

/** Full-text index, triggers and first rows of the catalog. */
export const SCHEMA_STATEMENTS = [
  ...SEARCH,
  ...VISIBLE_TOTAL,
  ...REVISION,
  ...FORKS,
  ...TAGS,
  ...countingTriggers(modPacks, 'visibility'),
  ...journalTriggers({ ...catalogTables, ...publishingTables }),
];
