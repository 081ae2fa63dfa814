CREATE TABLE `game_status_segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`environment` text NOT NULL,
	`status` text NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`last_confirmed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `game_status_segments_started` ON `game_status_segments` (`environment`,`started_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `game_status_segments_open` ON `game_status_segments` (`environment`) WHERE ended_at is null;--> statement-breakpoint
CREATE TABLE `game_status_snapshot` (
	`id` integer PRIMARY KEY NOT NULL,
	`checked_at` integer NOT NULL,
	`status` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feedback_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`message` text NOT NULL,
	`contact` text,
	`category` text NOT NULL,
	`app_version` text,
	`os` text,
	`client` text,
	`attachments` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feedback_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`next_try_at` integer NOT NULL,
	`lease_until` integer,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `feedback_outbox_next_try` ON `feedback_outbox` (`next_try_at`);--> statement-breakpoint
CREATE TABLE `interest_items` (
	`name` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `supporters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `supporters_name_unique` ON `supporters` (`name`);