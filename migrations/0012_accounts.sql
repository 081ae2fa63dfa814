CREATE TABLE `login_failures` (
	`email_hash` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`since` integer NOT NULL,
	`locked_until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_failures_since` ON `login_failures` (`since`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`selector_hash` text NOT NULL,
	`refresh_hash` text NOT NULL,
	`previous_hash` text,
	`refreshed_at` integer NOT NULL,
	`device` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_selector_hash_unique` ON `sessions` (`selector_hash`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `mail_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`text` text,
	`created_at` integer NOT NULL,
	`next_try_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`last_error` text
);
--> statement-breakpoint
CREATE INDEX `mail_outbox_due` ON `mail_outbox` (`next_try_at`);--> statement-breakpoint
CREATE INDEX `mail_outbox_created` ON `mail_outbox` (`created_at`);--> statement-breakpoint
CREATE TABLE `usage_days` (
	`user_id` text NOT NULL,
	`day` integer NOT NULL,
	`request_count` integer NOT NULL,
	`error_count` integer NOT NULL,
	`rate_limited` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`user_id`, `day`)
);
--> statement-breakpoint
CREATE INDEX `usage_days_day` ON `usage_days` (`day`);--> statement-breakpoint
CREATE TABLE `usage_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`token_id` text NOT NULL,
	`method` text NOT NULL,
	`route` text NOT NULL,
	`path` text NOT NULL,
	`status_code` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `usage_events_user` ON `usage_events` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `usage_events_errors` ON `usage_events` (`status_code`,`id`) WHERE "usage_events"."status_code" >= 400;--> statement-breakpoint
CREATE TABLE `usage_hours` (
	`token_id` text NOT NULL,
	`user_id` text NOT NULL,
	`hour` integer NOT NULL,
	`method` text NOT NULL,
	`route` text NOT NULL,
	`request_count` integer NOT NULL,
	`error_count` integer NOT NULL,
	`rate_limited` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`token_id`, `hour`, `route`, `method`)
);
--> statement-breakpoint
CREATE INDEX `usage_hours_user` ON `usage_hours` (`user_id`,`hour`);--> statement-breakpoint
ALTER TABLE `api_tokens` ADD `usage_sequence` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `api_tokens` ADD `expiry_warned` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `password_hash` text;--> statement-breakpoint
ALTER TABLE `users` ADD `token_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `last_login_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `known_devices` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `mail_refused_at` integer;