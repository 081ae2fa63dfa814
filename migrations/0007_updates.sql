CREATE TABLE `archive_branches` (
	`branch` text PRIMARY KEY NOT NULL,
	`current_version` text,
	`current_ordinal` integer DEFAULT 0 NOT NULL,
	`status` text DEFAULT 'idle' NOT NULL,
	`last_probe_at` integer,
	`file_count` integer DEFAULT 0 NOT NULL,
	`total_size` integer DEFAULT 0 NOT NULL,
	`error` text,
	`announced_ordinal` integer DEFAULT 0 NOT NULL,
	`manifest_digest` text,
	`sync_content_path` text,
	`sync_manifest_digest` text,
	`lease_holder` text DEFAULT '' NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `archive_versions` (
	`branch` text NOT NULL,
	`ordinal` integer NOT NULL,
	`version_tag` text NOT NULL,
	`captured_at` integer NOT NULL,
	`completed_at` integer,
	`files_added` integer DEFAULT 0 NOT NULL,
	`files_modified` integer DEFAULT 0 NOT NULL,
	`files_removed` integer DEFAULT 0 NOT NULL,
	`bytes_added` integer DEFAULT 0 NOT NULL,
	`file_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`branch`, `ordinal`)
);
--> statement-breakpoint
CREATE INDEX `archive_versions_by_tag` ON `archive_versions` (`branch`,`version_tag`,`ordinal`);