-- The codexes of a branch, as the last complete build left them. Writers change them in one transaction.
CREATE TABLE `codex_branches` (
	`branch` text PRIMARY KEY NOT NULL,
	`ordinal` integer NOT NULL,
	`parser_version` integer NOT NULL,
	`generation` integer NOT NULL,
	`indexed_at` integer NOT NULL,
	`dump_sha256` text,
	`dump_size` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `codex_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`path_folded` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`category` text NOT NULL,
	`description` text NOT NULL,
	`description_folded` text NOT NULL,
	`tradable` integer,
	`mastery` integer,
	`mastery_geode` integer,
	`power_rank` integer,
	`blueprint` text,
	`data` text NOT NULL,
	`content_hash` text NOT NULL,
	`indexed_at` integer NOT NULL,
	UNIQUE (`branch`, `path`)
);
--> statement-breakpoint
CREATE INDEX `codex_entries_by_folded_path` ON `codex_entries` (`branch`, `path_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_name` ON `codex_entries` (`branch`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_category_up` ON `codex_entries` (`branch`, `category`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_category_down` ON `codex_entries` (`branch`, `category` DESC, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_indexed_up` ON `codex_entries` (`branch`, `indexed_at`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_indexed_down` ON `codex_entries` (`branch`, `indexed_at` DESC, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_mastery_up` ON `codex_entries` (`branch`, `mastery` IS NULL, `mastery`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_mastery_down` ON `codex_entries` (`branch`, `mastery` IS NULL, `mastery` DESC, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_mastery_geode_up` ON `codex_entries` (`branch`, `mastery_geode` IS NULL, `mastery_geode`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_mastery_geode_down` ON `codex_entries` (`branch`, `mastery_geode` IS NULL, `mastery_geode` DESC, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_power_rank_up` ON `codex_entries` (`branch`, `power_rank` IS NULL, `power_rank`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_power_rank_down` ON `codex_entries` (`branch`, `power_rank` IS NULL, `power_rank` DESC, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_name` ON `codex_entries` (`branch`, `type`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_category_up` ON `codex_entries` (`branch`, `type`, `category`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_category_down` ON `codex_entries` (`branch`, `type`, `category` DESC, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_indexed_up` ON `codex_entries` (`branch`, `type`, `indexed_at`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_indexed_down` ON `codex_entries` (`branch`, `type`, `indexed_at` DESC, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_mastery_up` ON `codex_entries` (`branch`, `type`, `mastery` IS NULL, `mastery`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_mastery_down` ON `codex_entries` (`branch`, `type`, `mastery` IS NULL, `mastery` DESC, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_mastery_geode_up` ON `codex_entries` (`branch`, `type`, `mastery_geode` IS NULL, `mastery_geode`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_mastery_geode_down` ON `codex_entries` (`branch`, `type`, `mastery_geode` IS NULL, `mastery_geode` DESC, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_power_rank_up` ON `codex_entries` (`branch`, `type`, `power_rank` IS NULL, `power_rank`, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_power_rank_down` ON `codex_entries` (`branch`, `type`, `power_rank` IS NULL, `power_rank` DESC, `name_folded`, `path`);
--> statement-breakpoint
-- Literal substring search over the folded texts.
CREATE VIRTUAL TABLE `codex_search` USING fts5(`name_folded`, `description_folded`, content='codex_entries', content_rowid='id', tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER `codex_search_insert` AFTER INSERT ON `codex_entries` BEGIN
	INSERT INTO `codex_search` (`rowid`, `name_folded`, `description_folded`) VALUES (new.`id`, new.`name_folded`, new.`description_folded`);
END;
--> statement-breakpoint
CREATE TRIGGER `codex_search_update` AFTER UPDATE ON `codex_entries`
WHEN old.`name_folded` <> new.`name_folded` OR old.`description_folded` <> new.`description_folded` BEGIN
	INSERT INTO `codex_search` (`codex_search`, `rowid`, `name_folded`, `description_folded`)
		VALUES ('delete', old.`id`, old.`name_folded`, old.`description_folded`);
	INSERT INTO `codex_search` (`rowid`, `name_folded`, `description_folded`) VALUES (new.`id`, new.`name_folded`, new.`description_folded`);
END;
--> statement-breakpoint
CREATE TRIGGER `codex_search_delete` AFTER DELETE ON `codex_entries` BEGIN
	INSERT INTO `codex_search` (`codex_search`, `rowid`, `name_folded`, `description_folded`)
		VALUES ('delete', old.`id`, old.`name_folded`, old.`description_folded`);
END;
--> statement-breakpoint
CREATE TABLE `codex_stats` (
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`stat` text NOT NULL,
	`type` text NOT NULL,
	`stat_name` text NOT NULL,
	`value` real,
	`is_percent` integer NOT NULL,
	`slot` text,
	`name_folded` text NOT NULL,
	PRIMARY KEY (`branch`, `path`, `stat`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `codex_stats_ranking` ON `codex_stats` (`branch`, `stat`, `value` IS NULL, `value` DESC, `name_folded`, `path`);
--> statement-breakpoint
CREATE INDEX `codex_stats_ranking_of_type` ON `codex_stats` (`branch`, `stat`, `type`, `value` IS NULL, `value` DESC, `name_folded`, `path`);
--> statement-breakpoint
CREATE TABLE `codex_abilities` (
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`ref` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	PRIMARY KEY (`branch`, `path`, `ref`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `codex_abilities_by_ref` ON `codex_abilities` (`branch`, `ref`, `type`, `path`);
--> statement-breakpoint
-- Both ends as lower-cased paths or ids of upgrade nodes. `unit`: what is replaced as a whole.
CREATE TABLE `codex_links` (
	`branch` text NOT NULL,
	`source` text NOT NULL,
	`rel` text NOT NULL,
	`position` integer NOT NULL,
	`target` text NOT NULL,
	`qty` real,
	`data` text NOT NULL,
	`unit` text NOT NULL,
	PRIMARY KEY (`branch`, `source`, `rel`, `position`, `target`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `codex_links_inward` ON `codex_links` (`branch`, `target`, `rel`, `position`, `source`);
--> statement-breakpoint
CREATE INDEX `codex_links_by_unit` ON `codex_links` (`branch`, `unit`);
--> statement-breakpoint
CREATE TABLE `codex_requirements` (
	`branch` text NOT NULL,
	`badge_id` text NOT NULL,
	`position` integer NOT NULL,
	`collection_folded` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY (`branch`, `badge_id`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `codex_requirements_by_collection` ON `codex_requirements` (`branch`, `collection_folded`);
--> statement-breakpoint
CREATE TABLE `codex_upgrades` (
	`branch` text NOT NULL,
	`system_key` text NOT NULL,
	`node_key` text NOT NULL,
	`system_kind` text NOT NULL,
	`rank` integer,
	`body` text NOT NULL,
	PRIMARY KEY (`branch`, `system_key`, `node_key`)
) WITHOUT ROWID;
--> statement-breakpoint
-- Hash of each group of rows that comes from shared tables: one relation of one table, a ladder, a tree.
CREATE TABLE `codex_units` (
	`branch` text NOT NULL,
	`unit` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY (`branch`, `unit`)
) WITHOUT ROWID;
--> statement-breakpoint
-- How many entries there are of each kind of thing; type '' counts all types together.
CREATE TABLE `codex_facets` (
	`branch` text NOT NULL,
	`kind` text NOT NULL,
	`type` text NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY (`branch`, `kind`, `type`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
-- The newest change of each entry.
CREATE TABLE `codex_changes` (
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`type` text NOT NULL,
	`change` text NOT NULL,
	`ordinal` integer NOT NULL,
	PRIMARY KEY (`branch`, `path`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `codex_changes_by_ordinal` ON `codex_changes` (`branch`, `ordinal`, `path`);
--> statement-breakpoint
-- Files that could not be decoded, with what is wrong.
CREATE TABLE `codex_failures` (
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`problem` text NOT NULL,
	PRIMARY KEY (`branch`, `path`)
) WITHOUT ROWID;
--> statement-breakpoint
-- What the next transaction of a branch applies: lists of rows as JSON.
CREATE TABLE `codex_staging` (
	`branch` text NOT NULL,
	`step` integer NOT NULL,
	`kind` text NOT NULL,
	`part` integer NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY (`branch`, `kind`, `step`, `part`)
) WITHOUT ROWID;
