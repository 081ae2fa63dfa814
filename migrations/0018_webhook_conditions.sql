CREATE TABLE `webhook_conditions` (
	`event` text NOT NULL,
	`key` text NOT NULL,
	`threshold` integer NOT NULL,
	`webhook_id` text NOT NULL,
	PRIMARY KEY(`event`, `key`, `threshold`, `webhook_id`)
);
--> statement-breakpoint
CREATE INDEX `webhook_conditions_webhook` ON `webhook_conditions` (`webhook_id`);
--> statement-breakpoint
CREATE TABLE `webhook_last_facts` (
	`event` text PRIMARY KEY NOT NULL,
	`facts` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `is_conditional` integer DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_all` ON `webhook_subscriptions` (`event`,`webhook_id`) WHERE is_conditional = 0;
--> statement-breakpoint
ALTER TABLE `webhooks` ADD `conditions` text DEFAULT '[]' NOT NULL;
