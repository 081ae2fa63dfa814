DROP TABLE `feedback_outbox`;
--> statement-breakpoint
DROP TABLE `mod_announcements`;
--> statement-breakpoint
ALTER TABLE `giveaways` DROP COLUMN `notified_at`;
