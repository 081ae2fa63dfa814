CREATE TABLE `outbox` (
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`payload` text DEFAULT '' NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`next_try_at` integer NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`expires_at` integer,
	`last_error` text,
	PRIMARY KEY(`kind`, `key`)
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`kind`,`next_try_at`);
