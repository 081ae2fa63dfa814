CREATE TABLE `market_analytics` (
	`part` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`as_of` integer NOT NULL,
	`body` text NOT NULL
);
