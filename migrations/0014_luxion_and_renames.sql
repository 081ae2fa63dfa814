CREATE TABLE `player_renames` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`from_key` text NOT NULL,
	`to_key` text NOT NULL,
	`from_name` text NOT NULL,
	`to_name` text NOT NULL,
	`from_anchor` integer NOT NULL,
	`to_anchor` integer NOT NULL,
	`confidence` real NOT NULL,
	`matched_boards` integer NOT NULL,
	`method_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`evidence` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `player_renames_pair` ON `player_renames` (`from_key`,`to_key`,`to_anchor`);
--> statement-breakpoint
CREATE INDEX `player_renames_to` ON `player_renames` (`to_key`);
--> statement-breakpoint
CREATE INDEX `player_renames_list` ON `player_renames` (to_anchor desc,confidence desc,id desc);
--> statement-breakpoint
CREATE TABLE `luxion_runs` (
	`started_at` integer PRIMARY KEY NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`ended_at` integer
);
