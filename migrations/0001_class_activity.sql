CREATE TABLE `class_activity_captures` (
	`window_end` integer PRIMARY KEY NOT NULL,
	`window_start` integer,
	`computed_at` integer NOT NULL,
	`figures` text NOT NULL,
	`day_values` text NOT NULL,
	`is_stale` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `class_activity_captures_stale` ON `class_activity_captures` (`is_stale`,`window_end`);
--> statement-breakpoint
CREATE TABLE `class_activity_sets` (
	`class_index` integer NOT NULL,
	`anchor` integer NOT NULL,
	`stored_at` integer NOT NULL,
	`active` text,
	`clean` text,
	PRIMARY KEY(`class_index`, `anchor`)
);
--> statement-breakpoint
CREATE INDEX `class_activity_sets_anchor` ON `class_activity_sets` (`anchor`);
