CREATE TABLE `account_suspensions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`reason` text NOT NULL,
	`started_at` integer NOT NULL,
	`started_by` text NOT NULL,
	`ended_at` integer,
	`ended_by` text,
	`end_reason` text
);
--> statement-breakpoint
CREATE INDEX `account_suspensions_user` ON `account_suspensions` (`user_id`,`started_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_suspensions_open` ON `account_suspensions` (`user_id`) WHERE ended_at IS NULL;
--> statement-breakpoint
CREATE TABLE `content_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`page` text NOT NULL,
	`reason` text NOT NULL,
	`message` text NOT NULL,
	`user_id` text,
	`created_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` text,
	`decision` text,
	`decision_note` text
);
--> statement-breakpoint
CREATE INDEX `content_reports_decided` ON `content_reports` (`decided_at`);
--> statement-breakpoint
CREATE INDEX `content_reports_user` ON `content_reports` (`user_id`);
