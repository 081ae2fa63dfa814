-- The large tables of the archive: clustered by their key, which is also the order in which they are read.
CREATE TABLE `archive_files` (
	`branch` text NOT NULL,
	`dir` text NOT NULL,
	`name` text NOT NULL,
	`from_ordinal` integer NOT NULL,
	`to_ordinal` integer NOT NULL,
	`changed_ordinal` integer NOT NULL,
	`content_sha256` text NOT NULL,
	`size` integer NOT NULL,
	`checksum` integer,
	`archive` text,
	`archive_index` integer,
	PRIMARY KEY (`branch`, `dir`, `name`, `from_ordinal`),
	CHECK (`from_ordinal` < `to_ordinal`),
	CHECK (`changed_ordinal` <= `from_ordinal`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `archive_files_by_archive` ON `archive_files` (`branch`, `archive`, `dir`, `name`) WHERE `to_ordinal` = 2147483647 AND `archive` IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `archive_dirs` (
	`branch` text NOT NULL,
	`parent` text NOT NULL,
	`name` text NOT NULL,
	`from_ordinal` integer NOT NULL,
	`to_ordinal` integer NOT NULL,
	`file_count` integer NOT NULL,
	`size` integer NOT NULL,
	`last_ordinal` integer NOT NULL,
	PRIMARY KEY (`branch`, `parent`, `name`, `from_ordinal`),
	CHECK (`from_ordinal` < `to_ordinal`),
	CHECK (`file_count` > 0)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `archive_dirs_by_from` ON `archive_dirs` (`branch`, `from_ordinal`);
--> statement-breakpoint
CREATE INDEX `archive_dirs_by_to` ON `archive_dirs` (`branch`, `to_ordinal`);
--> statement-breakpoint
CREATE TABLE `archive_changes` (
	`branch` text NOT NULL,
	`ordinal` integer NOT NULL,
	`type` text NOT NULL,
	`path` text NOT NULL,
	`content_sha256` text,
	`size` integer NOT NULL,
	`previous_sha256` text,
	`previous_size` integer NOT NULL,
	PRIMARY KEY (`branch`, `ordinal`, `type`, `path`),
	CHECK (`type` IN ('added', 'modified', 'removed')),
	CHECK ((`content_sha256` IS NULL) = (`type` = 'removed')),
	CHECK ((`previous_sha256` IS NULL) = (`type` = 'added'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `archive_blobs` (
	`sha256` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`stored_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `archive_manifest` (
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`sha1` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY (`branch`, `path`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `archive_work` (
	`branch` text NOT NULL,
	`position` integer NOT NULL,
	`item` text NOT NULL,
	PRIMARY KEY (`branch`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
-- Paths are never deleted or changed, so that inserting is all the full text index has to follow.
CREATE TABLE `archive_paths` (
	`id` integer PRIMARY KEY NOT NULL,
	`dir` text NOT NULL,
	`name` text NOT NULL,
	UNIQUE (`dir`, `name`)
);
--> statement-breakpoint
CREATE VIRTUAL TABLE `archive_paths_fts` USING fts5(`path`, content='', tokenize='trigram');
--> statement-breakpoint
CREATE TRIGGER `archive_paths_indexed` AFTER INSERT ON `archive_paths` BEGIN
	INSERT INTO `archive_paths_fts` (`rowid`, `path`) VALUES (new.`id`, new.`dir` || new.`name`);
END;
