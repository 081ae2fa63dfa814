CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_key` text NOT NULL,
	`webhook_id` text NOT NULL,
	`sender` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_job` ON `webhook_deliveries` (`job_key`,`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`sender`,`due_at`);--> statement-breakpoint
CREATE TABLE `webhook_jobs` (
	`key` text PRIMARY KEY NOT NULL,
	`event` text NOT NULL,
	`variables` text NOT NULL,
	`claim` text NOT NULL,
	`queued_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_jobs_queued` ON `webhook_jobs` (`queued_at`);--> statement-breakpoint
CREATE TABLE `webhook_subscriptions` (
	`event` text NOT NULL,
	`webhook_id` text NOT NULL,
	PRIMARY KEY(`event`, `webhook_id`)
);
--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_webhook` ON `webhook_subscriptions` (`webhook_id`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`label` text NOT NULL,
	`sealed_address` text NOT NULL,
	`masked_address` text NOT NULL,
	`address_key` text NOT NULL,
	`sender` integer NOT NULL,
	`events` text NOT NULL,
	`templates` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_status` integer,
	`last_error` text,
	`last_delivered_at` integer,
	`disabled_reason` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_user` ON `webhooks` (`user_id`);