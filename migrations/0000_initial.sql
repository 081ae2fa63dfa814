CREATE TABLE `challenge_captures` (
	`window_anchor_at` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`is_friday_window` integer NOT NULL,
	`captured_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chaos_chest_captures` (
	`week_anchor_at` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`captured_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chaos_chest_relay` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`identifier` text,
	`blueprint` text,
	`starts_at` integer,
	`ends_at` integer,
	`fetched_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `delve_weeks` (
	`week` integer PRIMARY KEY NOT NULL,
	`total` integer NOT NULL,
	`count` integer NOT NULL,
	`fetched_at` integer NOT NULL,
	`floors` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`hashed_token` text NOT NULL,
	`scopes` integer NOT NULL,
	`ip_salt` text NOT NULL,
	`allowlist` text DEFAULT '[]' NOT NULL,
	`revoked` integer DEFAULT false NOT NULL,
	`revoked_at` integer,
	`revoke_reason` text,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`rotated_at` integer,
	`request_count` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_hashed_token_unique` ON `api_tokens` (`hashed_token`);--> statement-breakpoint
CREATE INDEX `api_tokens_user` ON `api_tokens` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`display_name` text,
	`is_active` integer DEFAULT true NOT NULL,
	`is_verified` integer DEFAULT false NOT NULL,
	`is_superuser` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `job_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`lease_until` integer,
	`last_run_at` integer,
	`last_success_at` integer,
	`last_error` text,
	`duration_ms` integer
);
--> statement-breakpoint
CREATE TABLE `setting_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`old_value` text,
	`new_value` text,
	`changed_at` integer NOT NULL,
	`changed_by_user_id` text
);
--> statement-breakpoint
CREATE TABLE `setting_overrides` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL,
	`updated_by_user_id` text
);
