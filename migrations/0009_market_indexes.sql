DROP INDEX `market_live_last_seen_up`;--> statement-breakpoint
DROP INDEX `market_revision`;--> statement-breakpoint
ALTER TABLE `market_state` ADD `insert_seen` integer DEFAULT 0 NOT NULL;