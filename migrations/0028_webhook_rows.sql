DROP INDEX `webhook_deliveries_webhook`;
--> statement-breakpoint
DROP INDEX `webhook_deliveries_job`;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_replayed` ON `webhook_deliveries` (`job_key`) WHERE expires_at IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_job` ON `webhook_deliveries` (`webhook_id`,`job_key`);
--> statement-breakpoint
ALTER TABLE `webhook_jobs` ADD `after_id` integer DEFAULT 0 NOT NULL;
