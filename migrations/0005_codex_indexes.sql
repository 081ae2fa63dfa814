DROP TRIGGER codex_search_delete;
--> statement-breakpoint
DROP TRIGGER codex_search_insert;
--> statement-breakpoint
DROP TRIGGER codex_search_update;
--> statement-breakpoint
DROP TABLE codex_search;
--> statement-breakpoint
DROP TABLE `codex_outlines`;
--> statement-breakpoint
DROP INDEX `codex_entries_all_category_up`;
--> statement-breakpoint
DROP INDEX `codex_entries_all_category_down`;
--> statement-breakpoint
DROP INDEX `codex_entries_all_indexed_up`;
--> statement-breakpoint
DROP INDEX `codex_entries_all_indexed_down`;
--> statement-breakpoint
DROP INDEX `codex_entries_all_mastery_up`;
--> statement-breakpoint
DROP INDEX `codex_entries_all_mastery_down`;
--> statement-breakpoint
DROP INDEX `codex_entries_all_mastery_geode_up`;
--> statement-breakpoint
DROP INDEX `codex_entries_all_mastery_geode_down`;
--> statement-breakpoint
DROP INDEX `codex_entries_all_power_rank_up`;
--> statement-breakpoint
DROP INDEX `codex_entries_all_power_rank_down`;
--> statement-breakpoint
DROP INDEX `codex_entries_type_category_up`;
--> statement-breakpoint
DROP INDEX `codex_entries_type_category_down`;
--> statement-breakpoint
DROP INDEX `codex_entries_type_indexed_up`;
--> statement-breakpoint
DROP INDEX `codex_entries_type_indexed_down`;
--> statement-breakpoint
DROP INDEX `codex_entries_type_mastery_up`;
--> statement-breakpoint
DROP INDEX `codex_entries_type_mastery_down`;
--> statement-breakpoint
DROP INDEX `codex_entries_type_mastery_geode_up`;
--> statement-breakpoint
DROP INDEX `codex_entries_type_mastery_geode_down`;
--> statement-breakpoint
DROP INDEX `codex_entries_type_power_rank_up`;
--> statement-breakpoint
DROP INDEX `codex_entries_type_power_rank_down`;
--> statement-breakpoint
DROP INDEX `codex_entries_all_name`;
--> statement-breakpoint
DROP INDEX `codex_entries_type_name`;
--> statement-breakpoint
CREATE INDEX `codex_entries_all_category` ON `codex_entries` (`branch`,`category`,`name_folded`,`path`,`type`,`tradable`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_mastery` ON `codex_entries` (`branch`,`mastery`,`name_folded`,`path`,`type`,`category`,`tradable`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_mastery_geode` ON `codex_entries` (`branch`,`mastery_geode`,`name_folded`,`path`,`type`,`category`,`tradable`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_power_rank` ON `codex_entries` (`branch`,`power_rank`,`name_folded`,`path`,`type`,`category`,`tradable`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_indexed_at` ON `codex_entries` (`branch`,`indexed_at`,`name_folded`,`path`,`type`,`category`,`tradable`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_category` ON `codex_entries` (`branch`,`type`,`category`,`name_folded`,`path`,`tradable`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_mastery` ON `codex_entries` (`branch`,`type`,`mastery`,`name_folded`,`path`,`category`,`tradable`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_mastery_geode` ON `codex_entries` (`branch`,`type`,`mastery_geode`,`name_folded`,`path`,`category`,`tradable`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_power_rank` ON `codex_entries` (`branch`,`type`,`power_rank`,`name_folded`,`path`,`category`,`tradable`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_indexed_at` ON `codex_entries` (`branch`,`type`,`indexed_at`,`name_folded`,`path`,`category`,`tradable`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_name` ON `codex_entries` (`branch`,`name_folded`,`path`,`type`,`category`,`tradable`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_name` ON `codex_entries` (`branch`,`type`,`name_folded`,`path`,`category`,`tradable`);
--> statement-breakpoint
CREATE VIRTUAL TABLE codex_search USING fts5(name, description, content='', tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE codex_search_trigrams USING fts5vocab('codex_search', 'instance');
--> statement-breakpoint
CREATE TRIGGER codex_search_insert AFTER INSERT ON codex_entries BEGIN
  INSERT INTO codex_search (rowid, name, description) VALUES (new.id, new.name_folded || '  ', new.description_folded || '  ');
END;
--> statement-breakpoint
CREATE TRIGGER codex_search_update AFTER UPDATE ON codex_entries
WHEN old.name_folded <> new.name_folded OR old.description_folded <> new.description_folded BEGIN
  INSERT INTO codex_search (codex_search, rowid, name, description) VALUES ('delete', old.id, old.name_folded || '  ', old.description_folded || '  ');
  INSERT INTO codex_search (rowid, name, description) VALUES (new.id, new.name_folded || '  ', new.description_folded || '  ');
END;
--> statement-breakpoint
CREATE TRIGGER codex_search_delete AFTER DELETE ON codex_entries BEGIN
  INSERT INTO codex_search (codex_search, rowid, name, description) VALUES ('delete', old.id, old.name_folded || '  ', old.description_folded || '  ');
END;
--> statement-breakpoint
CREATE TABLE `codex_totals` (
	`slot` integer PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`total` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `codex_branches` ADD `first_id` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE codex_branches SET first_id = 1099511627776 * (SELECT count(*) FROM codex_branches o WHERE o.branch <= codex_branches.branch);
--> statement-breakpoint
UPDATE codex_entries SET id = id + (SELECT first_id FROM codex_branches b WHERE b.branch = codex_entries.branch);
--> statement-breakpoint
INSERT INTO codex_search (rowid, name, description) SELECT id, name_folded || '  ', description_folded || '  ' FROM codex_entries;
