PRAGMA foreign_keys=OFF;
--> statement-breakpoint
CREATE TABLE `__new_usage_days` (
	`user_id` text NOT NULL,
	`day` integer NOT NULL,
	`request_count` integer NOT NULL,
	`error_count` integer NOT NULL,
	`rate_limited` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`day`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_usage_days` (`user_id`, `day`, `request_count`, `error_count`, `rate_limited`, `duration_ms`)
SELECT `user_id`, `day`, `request_count`, `error_count`, `rate_limited`, `duration_ms` FROM `usage_days`;
--> statement-breakpoint
DROP TABLE `usage_days`;
--> statement-breakpoint
ALTER TABLE `__new_usage_days` RENAME TO `usage_days`;
--> statement-breakpoint
PRAGMA foreign_keys=ON;
