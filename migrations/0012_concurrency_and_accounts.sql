CREATE TABLE `activity_revisions` (
	`consumer` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);
--> statement-breakpoint
CREATE TABLE `second_factor_events` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`actor` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `second_factor_events_user` ON `second_factor_events` (`user_id`);
--> statement-breakpoint
CREATE INDEX `second_factor_events_at` ON `second_factor_events` (`at`);
--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`sealed_secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `giveaways` ADD `revision` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `giveaways` ADD `failed_at` integer;
--> statement-breakpoint
ALTER TABLE `archive_manifest` ADD `is_incomplete` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `lease` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `api_tokens` ADD `previous_hash` text;
--> statement-breakpoint
ALTER TABLE `api_tokens` ADD `previous_until` integer;
--> statement-breakpoint
ALTER TABLE `api_tokens` ADD `version` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `token_version` integer DEFAULT 0 NOT NULL;
