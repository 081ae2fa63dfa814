ALTER TABLE `webhook_deliveries` ADD `results` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `webhooks_host` ON `webhooks` (`format`,`masked_address`);
