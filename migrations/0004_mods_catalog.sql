CREATE TABLE `mod_announcements` (
	`release_id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mod_artifact_owners` (
	`sha256` text PRIMARY KEY NOT NULL,
	`handle` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mod_authors` (
	`mod_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`mod_id`, `name`)
);
--> statement-breakpoint
CREATE INDEX `mod_authors_name` ON `mod_authors` (`name`,`mod_id`);--> statement-breakpoint
CREATE TABLE `mod_downloads_daily` (
	`day` integer NOT NULL,
	`release_id` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`day`, `release_id`)
);
--> statement-breakpoint
CREATE INDEX `mod_downloads_release` ON `mod_downloads_daily` (`release_id`,`day`);--> statement-breakpoint
CREATE TABLE `mod_images` (
	`mod_id` integer NOT NULL,
	`sha256` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`mod_id`, `sha256`)
);
--> statement-breakpoint
CREATE INDEX `mod_images_sha256` ON `mod_images` (`sha256`,`mod_id`);--> statement-breakpoint
CREATE TABLE `mod_release_prior_hashes` (
	`sha256` text NOT NULL,
	`release_id` text NOT NULL,
	PRIMARY KEY(`sha256`, `release_id`)
);
--> statement-breakpoint
CREATE TABLE `mod_releases` (
	`id` text PRIMARY KEY NOT NULL,
	`mod_id` integer NOT NULL,
	`branch` text NOT NULL,
	`tag` text NOT NULL,
	`is_published` integer NOT NULL,
	`is_silent` integer NOT NULL,
	`published_at` integer,
	`format` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`download_count` integer DEFAULT 0 NOT NULL,
	`source_file_id` text,
	`filename` text NOT NULL,
	`title` text NOT NULL,
	`changelog` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mod_releases_tag` ON `mod_releases` (`mod_id`,`branch`,`tag`);--> statement-breakpoint
CREATE INDEX `mod_releases_sha256` ON `mod_releases` (`sha256`);--> statement-breakpoint
CREATE INDEX `mod_releases_published` ON `mod_releases` (`mod_id`,`is_published`,`published_at`);--> statement-breakpoint
CREATE TABLE `mod_tags` (
	`mod_id` integer NOT NULL,
	`tag` text NOT NULL,
	PRIMARY KEY(`mod_id`, `tag`)
);
--> statement-breakpoint
CREATE INDEX `mod_tags_tag` ON `mod_tags` (`tag`,`mod_id`);--> statement-breakpoint
CREATE TABLE `mod_totals` (
	`name` text PRIMARY KEY NOT NULL,
	`n` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mods` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`handle` text NOT NULL,
	`slug` text NOT NULL,
	`visibility` text NOT NULL,
	`taken_down_at` integer,
	`is_approved` integer NOT NULL,
	`is_visible` integer GENERATED ALWAYS AS ((visibility = 'public' and taken_down_at is null and is_approved)) STORED NOT NULL,
	`is_stray` integer NOT NULL,
	`star_count` integer DEFAULT 0 NOT NULL,
	`mirrored_downloads` integer DEFAULT 0 NOT NULL,
	`own_downloads` integer DEFAULT 0 NOT NULL,
	`download_count` integer GENERATED ALWAYS AS ((mirrored_downloads + own_downloads)) STORED NOT NULL,
	`downloads_7d` integer DEFAULT 0 NOT NULL,
	`popularity` real DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_release_at` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`source_id` text,
	`source_image` text,
	`uploaded_on_behalf` integer NOT NULL,
	`forked_from_path` text,
	`banner` text,
	`previews` text NOT NULL,
	`discord_url` text,
	`website_url` text,
	`donation_urls` text NOT NULL,
	`forked_from` text,
	`inspired_by` text,
	`title` text NOT NULL,
	`sort_title` text NOT NULL,
	`author` text NOT NULL,
	`tags` text NOT NULL,
	`summary` text NOT NULL,
	`search_text` text NOT NULL,
	`warnings` text NOT NULL,
	`description` text NOT NULL,
	`readme_text` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mods_address` ON `mods` (`handle`,`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `mods_source` ON `mods` (`source_id`);--> statement-breakpoint
CREATE INDEX `mods_recent` ON `mods` (`is_visible`,last_release_at desc,`handle`,`slug`);--> statement-breakpoint
CREATE INDEX `mods_popular` ON `mods` (`is_visible`,popularity desc,`handle`,`slug`);--> statement-breakpoint
CREATE INDEX `mods_downloads` ON `mods` (`is_visible`,download_count desc,`handle`,`slug`);--> statement-breakpoint
CREATE INDEX `mods_stars` ON `mods` (`is_visible`,star_count desc,`handle`,`slug`);--> statement-breakpoint
CREATE INDEX `mods_new` ON `mods` (`is_visible`,created_at desc,`handle`,`slug`);--> statement-breakpoint
CREATE INDEX `mods_title` ON `mods` (`is_visible`,`sort_title`,`handle`,`slug`);--> statement-breakpoint
CREATE INDEX `mods_forks` ON `mods` (`forked_from_path`,`is_visible`);--> statement-breakpoint
CREATE INDEX `mods_states` ON `mods` (`is_approved`,`taken_down_at`,`handle`,`slug`);