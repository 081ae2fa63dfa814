CREATE TABLE `player_duplicates` (
	`key` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`verdict` text NOT NULL,
	`boards` integer NOT NULL,
	`max_occurrences` integer NOT NULL,
	`spellings` text NOT NULL,
	`first_anchor` integer NOT NULL,
	`last_anchor` integer NOT NULL,
	`evidence` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `player_duplicates_list` ON `player_duplicates` (last_anchor desc,boards desc,`name`);
