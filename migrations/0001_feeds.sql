CREATE TABLE `upstream_sources` (
	`source` text PRIMARY KEY NOT NULL,
	`validated_url` text,
	`etag` text,
	`last_modified` text,
	`validated_at` integer,
	`last_success_at` integer,
	`last_failure_at` integer,
	`last_error` text,
	`failures` integer NOT NULL,
	`paused_until` integer
);
--> statement-breakpoint
CREATE TABLE `community_events` (
	`event_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`category` text NOT NULL,
	`image` text,
	`icon` text,
	`lookup` text,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `community_events_ends` ON `community_events` (`ends_at`);--> statement-breakpoint
CREATE INDEX `community_events_starts` ON `community_events` (`starts_at`);--> statement-breakpoint
CREATE INDEX `community_events_category` ON `community_events` (`category`,`ends_at`);--> statement-breakpoint
CREATE TABLE `feed_snapshots` (
	`feed` text PRIMARY KEY NOT NULL,
	`fetched_at` integer NOT NULL,
	`items` text
);
--> statement-breakpoint
CREATE TABLE `news_articles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`url` text NOT NULL,
	`title` text NOT NULL,
	`author` text NOT NULL,
	`summary` text NOT NULL,
	`category` text NOT NULL,
	`categories` text NOT NULL,
	`image` text,
	`published_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `news_articles_url_unique` ON `news_articles` (`url`);--> statement-breakpoint
CREATE INDEX `news_articles_published` ON `news_articles` (`published_at`,`id`);