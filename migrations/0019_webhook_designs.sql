CREATE TABLE `webhook_designs` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`event` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`svg` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_designs_user` ON `webhook_designs` (`user_id`,`created_at`,`id`);