CREATE TABLE `project_allowances` (
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`max` integer NOT NULL,
	PRIMARY KEY(`user_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `project_uses` (
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`day` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`user_id`, `name`, `day`)
);
--> statement-breakpoint
CREATE INDEX `project_uses_day` ON `project_uses` (`day`);
