CREATE TABLE `player_duplicate_sightings` (
	`key` text NOT NULL,
	`anchor` integer NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`boards` integer NOT NULL,
	`max_occurrences` integer NOT NULL,
	`spellings` text NOT NULL,
	PRIMARY KEY(`key`, `anchor`)
);
--> statement-breakpoint
CREATE INDEX `player_duplicate_sightings_capture` ON `player_duplicate_sightings` (`anchor`);
--> statement-breakpoint
ALTER TABLE `activity_captures` ADD `is_day_stale` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `player_duplicates` ADD `is_stale` integer DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX `player_duplicates_stale` ON `player_duplicates` (`is_stale`,boards desc,`key`);
--> statement-breakpoint
CREATE INDEX `boards_anchor` ON `boards` (`anchor`);
