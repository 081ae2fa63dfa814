CREATE TABLE `scanning_keys` (
	`url` text PRIMARY KEY NOT NULL,
	`keys` text NOT NULL,
	`fetched_at` integer,
	`asked_at` integer NOT NULL
);
