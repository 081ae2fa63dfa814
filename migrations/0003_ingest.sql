CREATE TABLE `ingest_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint` text NOT NULL,
	`created_at` integer NOT NULL,
	`user_id` text,
	`token_id` text,
	`success` integer NOT NULL,
	`summary` text,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `ingest_log_endpoint` ON `ingest_log` (`endpoint`,`id`);--> statement-breakpoint
CREATE INDEX `ingest_log_created` ON `ingest_log` (`created_at`);