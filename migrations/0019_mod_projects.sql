CREATE TABLE `project_audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `project_audit_project` ON `project_audit` (`project_id`,`id`);
--> statement-breakpoint
CREATE TABLE `project_claims` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`user_id` text NOT NULL,
	`handle` text NOT NULL,
	`note` text NOT NULL,
	`code` text,
	`state` text NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	`decided_at` integer
);
--> statement-breakpoint
CREATE INDEX `project_claims_user` ON `project_claims` (`user_id`);
--> statement-breakpoint
CREATE INDEX `project_claims_state` ON `project_claims` (`state`,`created_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `project_claims_open` ON `project_claims` (`project_id`,`user_id`) WHERE state = 'pending';
--> statement-breakpoint
CREATE TABLE `project_handles` (
	`handle` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `project_handles_user` ON `project_handles` (`user_id`);
--> statement-breakpoint
CREATE TABLE `project_members` (
	`project_id` integer NOT NULL,
	`user_id` text NOT NULL,
	`handle` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `project_members_user` ON `project_members` (`user_id`);
--> statement-breakpoint
CREATE TABLE `project_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`hashed_token` text NOT NULL,
	`ip_salt` text NOT NULL,
	`allowlist` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	`ended_at` integer,
	`end_reason` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `project_keys_hashed_token_unique` ON `project_keys` (`hashed_token`);
--> statement-breakpoint
CREATE INDEX `project_keys_project` ON `project_keys` (`project_id`);
--> statement-breakpoint
CREATE INDEX `project_keys_user` ON `project_keys` (`user_id`);
--> statement-breakpoint
ALTER TABLE `mod_releases` ADD `created_at` integer;
--> statement-breakpoint
ALTER TABLE `mod_releases` ADD `publish_at` integer;
--> statement-breakpoint
ALTER TABLE `mod_releases` ADD `publish_error` text;
--> statement-breakpoint
ALTER TABLE `mod_releases` ADD `announced_at` integer;
--> statement-breakpoint
ALTER TABLE `mod_releases` ADD `withdrawn_at` integer;
--> statement-breakpoint
ALTER TABLE `mod_releases` ADD `withdraw_reason` text;
--> statement-breakpoint
ALTER TABLE `mod_releases` ADD `image` text;
