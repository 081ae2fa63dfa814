CREATE TABLE `webhook_log` (
	`webhook_id` text NOT NULL,
	`message_id` text NOT NULL,
	`event` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`attempts` text DEFAULT '[]' NOT NULL,
	`delivered_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`webhook_id`, `message_id`)
);
--> statement-breakpoint
CREATE INDEX `webhook_log_created` ON `webhook_log` (`webhook_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `webhook_log_age` ON `webhook_log` (`created_at`);
--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `expires_at` integer;
--> statement-breakpoint
ALTER TABLE `webhook_jobs` ADD `format` text DEFAULT 'chat' NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhooks` ADD `format` text DEFAULT 'chat' NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhooks` ADD `sealed_secret` text;
--> statement-breakpoint
ALTER TABLE `webhooks` ADD `sealed_previous_secret` text;
--> statement-breakpoint
ALTER TABLE `webhooks` ADD `previous_until` integer;
