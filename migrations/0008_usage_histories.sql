DROP TABLE `usage_events`;
--> statement-breakpoint
DROP TABLE `usage_hours`;
