CREATE TABLE `luxion_runs` (
	`started_at` integer PRIMARY KEY NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`ended_at` integer
);
