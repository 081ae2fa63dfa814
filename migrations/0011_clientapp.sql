CREATE TABLE `clientapp_changelogs` (
	`repo` text PRIMARY KEY NOT NULL,
	`tags` text NOT NULL,
	`commits` text NOT NULL,
	`rate_limited` integer NOT NULL,
	`fetched_at` integer
);
--> statement-breakpoint
CREATE TABLE `clientapp_releases` (
	`release_id` integer PRIMARY KEY NOT NULL,
	`tag_name` text NOT NULL,
	`name` text NOT NULL,
	`body` text NOT NULL,
	`html_url` text NOT NULL,
	`prerelease` integer NOT NULL,
	`published_at` integer NOT NULL,
	`fetched_at` integer NOT NULL,
	`assets` text NOT NULL,
	`windows` integer NOT NULL,
	`linux` integer NOT NULL,
	`android` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `clientapp_releases_published` ON `clientapp_releases` (`published_at`,`release_id`);--> statement-breakpoint
CREATE INDEX `clientapp_releases_channel` ON `clientapp_releases` (`prerelease`,`published_at`,`release_id`);