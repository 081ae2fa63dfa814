CREATE TABLE `activity_captures` (
	`window_end` integer PRIMARY KEY NOT NULL,
	`window_start` integer,
	`estimate` integer,
	`estimate_day` integer,
	`estimate_week` integer,
	`day_start` integer,
	`week_start` integer,
	`is_stale` integer NOT NULL,
	`computed_at` integer NOT NULL,
	`by_board` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `activity_captures_figures` ON `activity_captures` (`window_end`,`window_start`,`estimate`,`estimate_day`);--> statement-breakpoint
CREATE INDEX `activity_captures_stale` ON `activity_captures` (`is_stale`,`window_end`);--> statement-breakpoint
CREATE TABLE `activity_sets` (
	`anchor` integer NOT NULL,
	`part` integer NOT NULL,
	`stored_at` integer NOT NULL,
	`hashes` text NOT NULL,
	PRIMARY KEY(`anchor`, `part`)
);
--> statement-breakpoint
CREATE TABLE `giveaway_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`giveaway_id` text NOT NULL,
	`user_id` text NOT NULL,
	`entered_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `giveaway_entries_account` ON `giveaway_entries` (`giveaway_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `giveaway_entries_giveaway` ON `giveaway_entries` (`giveaway_id`,`id`);--> statement-breakpoint
CREATE INDEX `giveaway_entries_user` ON `giveaway_entries` (`user_id`,`entered_at`);--> statement-breakpoint
CREATE TABLE `giveaways` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`prize_name` text NOT NULL,
	`prize_code` text NOT NULL,
	`status` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`entry_count` integer DEFAULT 0 NOT NULL,
	`seed` text,
	`seed_hash` text,
	`entries_hash` text,
	`winner_entry_id` text,
	`winner_user_id` text,
	`winner_name` text,
	`notified_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `giveaways_status_starts` ON `giveaways` (`status`,`starts_at`,`id`);--> statement-breakpoint
CREATE INDEX `giveaways_status_ends` ON `giveaways` (`status`,`ends_at`,`id`);--> statement-breakpoint
CREATE INDEX `giveaways_created` ON `giveaways` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `market_items` (
	`name` text PRIMARY KEY NOT NULL,
	`listings` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `market_listings` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`type` text,
	`stack` integer NOT NULL,
	`price` integer NOT NULL,
	`milli_each` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen` integer NOT NULL,
	`previous_seen` integer,
	`revision` integer NOT NULL,
	`live` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `market_live_last_seen` ON `market_listings` (`live`,"last_seen" desc,`id`,`created_at`);--> statement-breakpoint
CREATE INDEX `market_live_last_seen_up` ON `market_listings` (`live`,`last_seen`,`id`);--> statement-breakpoint
CREATE INDEX `market_live_price_each` ON `market_listings` (`live`,`milli_each`,`id`);--> statement-breakpoint
CREATE INDEX `market_live_created_at` ON `market_listings` (`live`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `market_live_price` ON `market_listings` (`live`,`price`,`id`);--> statement-breakpoint
CREATE INDEX `market_live_stack` ON `market_listings` (`live`,`stack`,`id`);--> statement-breakpoint
CREATE INDEX `market_live_stack_down` ON `market_listings` (`live`,"stack" desc,`id`);--> statement-breakpoint
CREATE INDEX `market_live_name` ON `market_listings` (`live`,`name`,`id`);--> statement-breakpoint
CREATE INDEX `market_name_last_seen` ON `market_listings` (`name`,"last_seen" desc,`id`);--> statement-breakpoint
CREATE INDEX `market_name_created_at` ON `market_listings` (`name`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `market_revision` ON `market_listings` (`revision`,`previous_seen`,`id`);--> statement-breakpoint
CREATE TABLE `market_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`newest_seen` integer NOT NULL,
	`listings` integer NOT NULL,
	`live` integer NOT NULL
);
