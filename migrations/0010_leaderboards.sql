CREATE TABLE `board_captures` (
	`anchor` integer PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`digest` text NOT NULL,
	`boards` integer NOT NULL,
	`entries` integer NOT NULL,
	`player_shards` integer NOT NULL,
	`visible_at` integer NOT NULL,
	`raw_key` text,
	`board_pack` text,
	`player_pack` text
);
--> statement-breakpoint
CREATE TABLE `boards` (
	`uuid` integer PRIMARY KEY NOT NULL,
	`name_id` text NOT NULL,
	`name` text NOT NULL,
	`category_id` text NOT NULL,
	`category` text NOT NULL,
	`anchor` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `capture_boards` (
	`uuid` integer NOT NULL,
	`anchor` integer NOT NULL,
	`version` text NOT NULL,
	`entries` integer NOT NULL,
	`contest_type` text,
	`leader_name` text,
	`leader_score` real,
	PRIMARY KEY(`uuid`, `anchor`, `version`)
);
--> statement-breakpoint
CREATE INDEX `capture_boards_capture` ON `capture_boards` (`anchor`,`version`);--> statement-breakpoint
CREATE INDEX `capture_boards_contests` ON `capture_boards` (`uuid`,`anchor`) WHERE "capture_boards"."contest_type" is not null;