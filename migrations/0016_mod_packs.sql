CREATE TABLE `mod_pack_images` (
	`pack_id` integer NOT NULL,
	`sha256` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`pack_id`, `sha256`)
);
--> statement-breakpoint
CREATE INDEX `mod_pack_images_sha256` ON `mod_pack_images` (`sha256`,`pack_id`);
--> statement-breakpoint
CREATE TABLE `mod_pack_mods` (
	`pack_id` integer NOT NULL,
	`mod_id` integer NOT NULL,
	PRIMARY KEY(`pack_id`, `mod_id`)
);
--> statement-breakpoint
CREATE INDEX `mod_pack_mods_mod` ON `mod_pack_mods` (`mod_id`,`pack_id`);
--> statement-breakpoint
CREATE TABLE `mod_packs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`handle` text NOT NULL,
	`slug` text NOT NULL,
	`visibility` text NOT NULL,
	`star_count` integer DEFAULT 0 NOT NULL,
	`download_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`default_variant` text NOT NULL,
	`variant_count` integer NOT NULL,
	`mod_count` integer NOT NULL,
	`title` text NOT NULL,
	`sort_title` text NOT NULL,
	`author` text NOT NULL,
	`tags` text NOT NULL,
	`summary` text NOT NULL,
	`search_text` text NOT NULL,
	`banner` text,
	`previews` text NOT NULL,
	`discord_url` text,
	`website_url` text,
	`donation_urls` text NOT NULL,
	`warnings` text NOT NULL,
	`description` text NOT NULL,
	`variants` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mod_packs_address` ON `mod_packs` (`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `mod_packs_recent` ON `mod_packs` (`visibility`,updated_at desc);
