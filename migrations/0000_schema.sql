CREATE TABLE `login_failures` (
	`email_hash` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`since` integer NOT NULL,
	`locked_until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_failures_since` ON `login_failures` (`since`);
--> statement-breakpoint
CREATE TABLE `activity_captures` (
	`window_end` integer PRIMARY KEY NOT NULL,
	`window_start` integer,
	`estimate` integer,
	`estimate_day` integer,
	`estimate_week` integer,
	`day_start` integer,
	`week_start` integer,
	`is_stale` integer NOT NULL,
	`computed_at` integer NOT NULL,
	`by_board` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `activity_captures_figures` ON `activity_captures` (`window_end`,`window_start`,`estimate`,`estimate_day`);
--> statement-breakpoint
CREATE INDEX `activity_captures_stale` ON `activity_captures` (`is_stale`,`window_end`);
--> statement-breakpoint
CREATE TABLE `activity_sets` (
	`anchor` integer NOT NULL,
	`part` integer NOT NULL,
	`stored_at` integer NOT NULL,
	`hashes` text NOT NULL,
	PRIMARY KEY(`anchor`, `part`)
);
--> statement-breakpoint
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
CREATE INDEX `clientapp_releases_published` ON `clientapp_releases` (`published_at`,`release_id`);
--> statement-breakpoint
CREATE INDEX `clientapp_releases_channel` ON `clientapp_releases` (`prerelease`,`published_at`,`release_id`);
--> statement-breakpoint
CREATE TABLE `codex_abilities` (
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`ref` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	PRIMARY KEY(`branch`, `path`, `ref`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `codex_abilities_by_ref` ON `codex_abilities` (`branch`,`ref`,`type`,`path`);
--> statement-breakpoint
CREATE TABLE `codex_branches` (
	`branch` text PRIMARY KEY NOT NULL,
	`ordinal` integer NOT NULL,
	`parser_version` integer NOT NULL,
	`generation` integer NOT NULL,
	`indexed_at` integer NOT NULL,
	`dump_sha256` text,
	`dump_size` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `codex_changes` (
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`type` text NOT NULL,
	`change` text NOT NULL,
	`ordinal` integer NOT NULL,
	PRIMARY KEY(`branch`, `path`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `codex_changes_by_ordinal` ON `codex_changes` (`branch`,`ordinal`,`path`);
--> statement-breakpoint
CREATE TABLE `codex_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`path_folded` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`category` text NOT NULL,
	`description` text NOT NULL,
	`description_folded` text NOT NULL,
	`tradable` integer,
	`mastery` integer,
	`mastery_geode` integer,
	`power_rank` integer,
	`blueprint` text,
	`data` text NOT NULL,
	`content_hash` text NOT NULL,
	`indexed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `codex_entries_by_path` ON `codex_entries` (`branch`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_by_folded_path` ON `codex_entries` (`branch`,`path_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_name` ON `codex_entries` (`branch`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_category_up` ON `codex_entries` (`branch`,`category`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_category_down` ON `codex_entries` (`branch`,"category" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_indexed_up` ON `codex_entries` (`branch`,`indexed_at`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_indexed_down` ON `codex_entries` (`branch`,"indexed_at" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_mastery_up` ON `codex_entries` (`branch`,"mastery" IS NULL,`mastery`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_mastery_down` ON `codex_entries` (`branch`,"mastery" IS NULL,"mastery" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_mastery_geode_up` ON `codex_entries` (`branch`,"mastery_geode" IS NULL,`mastery_geode`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_mastery_geode_down` ON `codex_entries` (`branch`,"mastery_geode" IS NULL,"mastery_geode" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_power_rank_up` ON `codex_entries` (`branch`,"power_rank" IS NULL,`power_rank`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_all_power_rank_down` ON `codex_entries` (`branch`,"power_rank" IS NULL,"power_rank" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_name` ON `codex_entries` (`branch`,`type`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_category_up` ON `codex_entries` (`branch`,`type`,`category`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_category_down` ON `codex_entries` (`branch`,`type`,"category" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_indexed_up` ON `codex_entries` (`branch`,`type`,`indexed_at`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_indexed_down` ON `codex_entries` (`branch`,`type`,"indexed_at" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_mastery_up` ON `codex_entries` (`branch`,`type`,"mastery" IS NULL,`mastery`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_mastery_down` ON `codex_entries` (`branch`,`type`,"mastery" IS NULL,"mastery" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_mastery_geode_up` ON `codex_entries` (`branch`,`type`,"mastery_geode" IS NULL,`mastery_geode`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_mastery_geode_down` ON `codex_entries` (`branch`,`type`,"mastery_geode" IS NULL,"mastery_geode" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_power_rank_up` ON `codex_entries` (`branch`,`type`,"power_rank" IS NULL,`power_rank`,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_entries_type_power_rank_down` ON `codex_entries` (`branch`,`type`,"power_rank" IS NULL,"power_rank" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE TABLE `codex_facets` (
	`branch` text NOT NULL,
	`kind` text NOT NULL,
	`type` text NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`branch`, `kind`, `type`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `codex_failures` (
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`problem` text NOT NULL,
	PRIMARY KEY(`branch`, `path`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `codex_links` (
	`branch` text NOT NULL,
	`source` text NOT NULL,
	`rel` text NOT NULL,
	`position` integer NOT NULL,
	`target` text NOT NULL,
	`qty` real,
	`data` text NOT NULL,
	`unit` text NOT NULL,
	PRIMARY KEY(`branch`, `source`, `rel`, `position`, `target`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `codex_links_inward` ON `codex_links` (`branch`,`target`,`rel`,`position`,`source`);
--> statement-breakpoint
CREATE INDEX `codex_links_by_unit` ON `codex_links` (`branch`,`unit`);
--> statement-breakpoint
CREATE TABLE `codex_outlines` (
	`branch` text NOT NULL,
	`part` integer NOT NULL,
	`generation` integer NOT NULL,
	`entries` integer NOT NULL,
	`weight` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`branch`, `part`)
);
--> statement-breakpoint
CREATE TABLE `codex_requirements` (
	`branch` text NOT NULL,
	`badge_id` text NOT NULL,
	`position` integer NOT NULL,
	`collection_folded` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`branch`, `badge_id`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `codex_requirements_by_collection` ON `codex_requirements` (`branch`,`collection_folded`);
--> statement-breakpoint
CREATE TABLE `codex_staging` (
	`branch` text NOT NULL,
	`step` integer NOT NULL,
	`kind` text NOT NULL,
	`part` integer NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY(`branch`, `kind`, `step`, `part`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `codex_stats` (
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`stat` text NOT NULL,
	`type` text NOT NULL,
	`stat_name` text NOT NULL,
	`value` real,
	`is_percent` integer NOT NULL,
	`slot` text,
	`name_folded` text NOT NULL,
	PRIMARY KEY(`branch`, `path`, `stat`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `codex_stats_ranking` ON `codex_stats` (`branch`,`stat`,"value" IS NULL,"value" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE INDEX `codex_stats_ranking_of_type` ON `codex_stats` (`branch`,`stat`,`type`,"value" IS NULL,"value" desc,`name_folded`,`path`);
--> statement-breakpoint
CREATE TABLE `codex_units` (
	`branch` text NOT NULL,
	`unit` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`branch`, `unit`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `codex_upgrades` (
	`branch` text NOT NULL,
	`system_key` text NOT NULL,
	`node_key` text NOT NULL,
	`system_kind` text NOT NULL,
	`rank` integer,
	`body` text NOT NULL,
	PRIMARY KEY(`branch`, `system_key`, `node_key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `community_events` (
	`event_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`category` text NOT NULL,
	`image` text,
	`icon` text,
	`lookup` text,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `community_events_ends` ON `community_events` (`ends_at`);
--> statement-breakpoint
CREATE INDEX `community_events_starts` ON `community_events` (`starts_at`);
--> statement-breakpoint
CREATE INDEX `community_events_category` ON `community_events` (`category`,`ends_at`);
--> statement-breakpoint
CREATE TABLE `feed_snapshots` (
	`feed` text PRIMARY KEY NOT NULL,
	`fetched_at` integer NOT NULL,
	`items` text
);
--> statement-breakpoint
CREATE TABLE `news_articles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`url` text NOT NULL,
	`title` text NOT NULL,
	`author` text NOT NULL,
	`summary` text NOT NULL,
	`category` text NOT NULL,
	`categories` text NOT NULL,
	`image` text,
	`published_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `news_articles_url_unique` ON `news_articles` (`url`);
--> statement-breakpoint
CREATE INDEX `news_articles_published` ON `news_articles` (`published_at`,`id`);
--> statement-breakpoint
CREATE TABLE `game_status_segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`environment` text NOT NULL,
	`status` text NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`last_confirmed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `game_status_segments_started` ON `game_status_segments` (`environment`,`started_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `game_status_segments_open` ON `game_status_segments` (`environment`) WHERE ended_at is null;
--> statement-breakpoint
CREATE TABLE `game_status_snapshot` (
	`id` integer PRIMARY KEY NOT NULL,
	`checked_at` integer NOT NULL,
	`status` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `giveaway_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`giveaway_id` text NOT NULL,
	`user_id` text NOT NULL,
	`entered_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `giveaway_entries_account` ON `giveaway_entries` (`giveaway_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `giveaway_entries_giveaway` ON `giveaway_entries` (`giveaway_id`,`id`);
--> statement-breakpoint
CREATE INDEX `giveaway_entries_user` ON `giveaway_entries` (`user_id`,`entered_at`);
--> statement-breakpoint
CREATE TABLE `giveaways` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`prize_name` text NOT NULL,
	`prize_code` text NOT NULL,
	`status` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`entry_count` integer DEFAULT 0 NOT NULL,
	`seed` text,
	`seed_hash` text,
	`entries_hash` text,
	`winner_entry_id` text,
	`winner_user_id` text,
	`winner_name` text,
	`notified_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `giveaways_status_starts` ON `giveaways` (`status`,`starts_at`,`id`);
--> statement-breakpoint
CREATE INDEX `giveaways_status_ends` ON `giveaways` (`status`,`ends_at`,`id`);
--> statement-breakpoint
CREATE INDEX `giveaways_created` ON `giveaways` (`created_at`,`id`);
--> statement-breakpoint
CREATE TABLE `board_captures` (
	`anchor` integer PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`digest` text NOT NULL,
	`boards` integer NOT NULL,
	`entries` integer NOT NULL,
	`player_shards` integer NOT NULL,
	`visible_at` integer NOT NULL,
	`raw_key` text,
	`board_pack` text,
	`player_pack` text
);
--> statement-breakpoint
CREATE INDEX `board_captures_board_pack` ON `board_captures` (`board_pack`,`anchor`);
--> statement-breakpoint
CREATE INDEX `board_captures_player_pack` ON `board_captures` (`player_pack`,`anchor`);
--> statement-breakpoint
CREATE INDEX `board_captures_raw_key` ON `board_captures` (`raw_key`);
--> statement-breakpoint
CREATE TABLE `boards` (
	`uuid` integer PRIMARY KEY NOT NULL,
	`name_id` text NOT NULL,
	`name` text NOT NULL,
	`category_id` text NOT NULL,
	`category` text NOT NULL,
	`anchor` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `capture_boards` (
	`uuid` integer NOT NULL,
	`anchor` integer NOT NULL,
	`version` text NOT NULL,
	`entries` integer NOT NULL,
	`contest_type` text,
	`leader_name` text,
	`leader_score` real,
	PRIMARY KEY(`uuid`, `anchor`, `version`)
);
--> statement-breakpoint
CREATE INDEX `capture_boards_capture` ON `capture_boards` (`anchor`,`version`);
--> statement-breakpoint
CREATE INDEX `capture_boards_contests` ON `capture_boards` (`uuid`,`anchor`) WHERE "capture_boards"."contest_type" is not null;
--> statement-breakpoint
CREATE TABLE `market_items` (
	`name` text PRIMARY KEY NOT NULL,
	`listings` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `market_listings` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`type` text,
	`stack` integer NOT NULL,
	`price` integer NOT NULL,
	`milli_each` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen` integer NOT NULL,
	`previous_seen` integer,
	`revision` integer NOT NULL,
	`live` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `market_live_last_seen` ON `market_listings` (`live`,"last_seen" desc,`id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `market_live_price_each` ON `market_listings` (`live`,`milli_each`,`id`);
--> statement-breakpoint
CREATE INDEX `market_live_created_at` ON `market_listings` (`live`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `market_live_price` ON `market_listings` (`live`,`price`,`id`);
--> statement-breakpoint
CREATE INDEX `market_live_stack` ON `market_listings` (`live`,`stack`,`id`);
--> statement-breakpoint
CREATE INDEX `market_live_stack_down` ON `market_listings` (`live`,"stack" desc,`id`);
--> statement-breakpoint
CREATE INDEX `market_live_name` ON `market_listings` (`live`,`name`,`id`);
--> statement-breakpoint
CREATE INDEX `market_name_last_seen` ON `market_listings` (`name`,"last_seen" desc,`id`);
--> statement-breakpoint
CREATE INDEX `market_name_created_at` ON `market_listings` (`name`,`created_at`,`id`);
--> statement-breakpoint
CREATE TABLE `market_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`insert_seen` integer DEFAULT 0 NOT NULL,
	`newest_seen` integer NOT NULL,
	`listings` integer NOT NULL,
	`live` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feedback_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`message` text NOT NULL,
	`contact` text,
	`category` text NOT NULL,
	`app_version` text,
	`os` text,
	`client` text,
	`attachments` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feedback_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`next_try_at` integer NOT NULL,
	`lease_until` integer,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `feedback_outbox_next_try` ON `feedback_outbox` (`next_try_at`);
--> statement-breakpoint
CREATE TABLE `interest_items` (
	`name` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `supporters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `supporters_name_unique` ON `supporters` (`name`);
--> statement-breakpoint
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
CREATE INDEX `mod_authors_name` ON `mod_authors` (`name`,`mod_id`);
--> statement-breakpoint
CREATE TABLE `mod_downloads_daily` (
	`day` integer NOT NULL,
	`release_id` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`day`, `release_id`)
);
--> statement-breakpoint
CREATE INDEX `mod_downloads_release` ON `mod_downloads_daily` (`release_id`,`day`);
--> statement-breakpoint
CREATE TABLE `mod_images` (
	`mod_id` integer NOT NULL,
	`sha256` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`mod_id`, `sha256`)
);
--> statement-breakpoint
CREATE INDEX `mod_images_sha256` ON `mod_images` (`sha256`,`mod_id`);
--> statement-breakpoint
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
CREATE UNIQUE INDEX `mod_releases_tag` ON `mod_releases` (`mod_id`,`branch`,`tag`);
--> statement-breakpoint
CREATE INDEX `mod_releases_sha256` ON `mod_releases` (`sha256`);
--> statement-breakpoint
CREATE INDEX `mod_releases_published` ON `mod_releases` (`mod_id`,`is_published`,`published_at`);
--> statement-breakpoint
CREATE TABLE `mod_tags` (
	`mod_id` integer NOT NULL,
	`tag` text NOT NULL,
	PRIMARY KEY(`mod_id`, `tag`)
);
--> statement-breakpoint
CREATE INDEX `mod_tags_tag` ON `mod_tags` (`tag`,`mod_id`);
--> statement-breakpoint
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
CREATE UNIQUE INDEX `mods_address` ON `mods` (`handle`,`slug`);
--> statement-breakpoint
CREATE UNIQUE INDEX `mods_source` ON `mods` (`source_id`);
--> statement-breakpoint
CREATE INDEX `mods_recent` ON `mods` (`is_visible`,last_release_at desc,`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `mods_popular` ON `mods` (`is_visible`,popularity desc,`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `mods_downloads` ON `mods` (`is_visible`,download_count desc,`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `mods_stars` ON `mods` (`is_visible`,star_count desc,`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `mods_new` ON `mods` (`is_visible`,created_at desc,`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `mods_title` ON `mods` (`is_visible`,`sort_title`,`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `mods_forks` ON `mods` (`forked_from_path`,`is_visible`);
--> statement-breakpoint
CREATE INDEX `mods_states` ON `mods` (`is_approved`,`taken_down_at`,`handle`,`slug`);
--> statement-breakpoint
CREATE TABLE `challenge_captures` (
	`window_anchor_at` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`is_friday_window` integer NOT NULL,
	`captured_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chaos_chest_captures` (
	`week_anchor_at` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`captured_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chaos_chest_relay` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`identifier` text,
	`blueprint` text,
	`starts_at` integer,
	`ends_at` integer,
	`fetched_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `delve_weeks` (
	`week` integer PRIMARY KEY NOT NULL,
	`total` integer NOT NULL,
	`count` integer NOT NULL,
	`fetched_at` integer NOT NULL,
	`floors` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `scanning_keys` (
	`url` text PRIMARY KEY NOT NULL,
	`keys` text NOT NULL,
	`fetched_at` integer,
	`asked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `archive_blobs` (
	`sha256` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`stored_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `archive_branches` (
	`branch` text PRIMARY KEY NOT NULL,
	`current_version` text,
	`current_ordinal` integer DEFAULT 0 NOT NULL,
	`status` text DEFAULT 'idle' NOT NULL,
	`last_probe_at` integer,
	`file_count` integer DEFAULT 0 NOT NULL,
	`total_size` integer DEFAULT 0 NOT NULL,
	`error` text,
	`announced_ordinal` integer DEFAULT 0 NOT NULL,
	`manifest_digest` text,
	`sync_content_path` text,
	`sync_manifest_digest` text,
	`lease_holder` text DEFAULT '' NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `archive_changes` (
	`branch` text NOT NULL,
	`ordinal` integer NOT NULL,
	`type` text NOT NULL,
	`path` text NOT NULL,
	`content_sha256` text,
	`size` integer NOT NULL,
	`previous_sha256` text,
	`previous_size` integer NOT NULL,
	PRIMARY KEY(`branch`, `ordinal`, `type`, `path`),
	CONSTRAINT "archive_changes_type" CHECK(type IN ('added', 'modified', 'removed')),
	CONSTRAINT "archive_changes_content" CHECK((content_sha256 IS NULL) = (type = 'removed')),
	CONSTRAINT "archive_changes_previous" CHECK((previous_sha256 IS NULL) = (type = 'added'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `archive_dirs` (
	`branch` text NOT NULL,
	`parent` text NOT NULL,
	`name` text NOT NULL,
	`from_ordinal` integer NOT NULL,
	`to_ordinal` integer NOT NULL,
	`file_count` integer NOT NULL,
	`size` integer NOT NULL,
	`last_ordinal` integer NOT NULL,
	PRIMARY KEY(`branch`, `parent`, `name`, `from_ordinal`),
	CONSTRAINT "archive_dirs_life" CHECK(from_ordinal < to_ordinal),
	CONSTRAINT "archive_dirs_files" CHECK(file_count > 0)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `archive_dirs_by_from` ON `archive_dirs` (`branch`,`from_ordinal`);
--> statement-breakpoint
CREATE INDEX `archive_dirs_by_to` ON `archive_dirs` (`branch`,`to_ordinal`);
--> statement-breakpoint
CREATE TABLE `archive_files` (
	`branch` text NOT NULL,
	`dir` text NOT NULL,
	`name` text NOT NULL,
	`from_ordinal` integer NOT NULL,
	`to_ordinal` integer NOT NULL,
	`changed_ordinal` integer NOT NULL,
	`content_sha256` text NOT NULL,
	`size` integer NOT NULL,
	`checksum` integer,
	`archive` text,
	`archive_index` integer,
	PRIMARY KEY(`branch`, `dir`, `name`, `from_ordinal`),
	CONSTRAINT "archive_files_life" CHECK(from_ordinal < to_ordinal),
	CONSTRAINT "archive_files_change" CHECK(changed_ordinal <= from_ordinal)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `archive_files_by_archive` ON `archive_files` (`branch`,`archive`,`dir`,`name`) WHERE to_ordinal = 2147483647 AND archive IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `archive_manifest` (
	`branch` text NOT NULL,
	`path` text NOT NULL,
	`sha1` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`branch`, `path`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `archive_paths` (
	`id` integer PRIMARY KEY NOT NULL,
	`dir` text NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `archive_paths_by_path` ON `archive_paths` (`dir`,`name`);
--> statement-breakpoint
CREATE TABLE `archive_versions` (
	`branch` text NOT NULL,
	`ordinal` integer NOT NULL,
	`version_tag` text NOT NULL,
	`captured_at` integer NOT NULL,
	`completed_at` integer,
	`files_added` integer DEFAULT 0 NOT NULL,
	`files_modified` integer DEFAULT 0 NOT NULL,
	`files_removed` integer DEFAULT 0 NOT NULL,
	`bytes_added` integer DEFAULT 0 NOT NULL,
	`file_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`branch`, `ordinal`)
);
--> statement-breakpoint
CREATE INDEX `archive_versions_by_tag` ON `archive_versions` (`branch`,`version_tag`,`ordinal`);
--> statement-breakpoint
CREATE TABLE `archive_work` (
	`branch` text NOT NULL,
	`position` integer NOT NULL,
	`item` text NOT NULL,
	PRIMARY KEY(`branch`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_designs` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`event` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`svg` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_designs_user` ON `webhook_designs` (`user_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_key` text NOT NULL,
	`webhook_id` text NOT NULL,
	`sender` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_job` ON `webhook_deliveries` (`job_key`,`webhook_id`);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhook_id`);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`sender`,`due_at`);
--> statement-breakpoint
CREATE TABLE `webhook_jobs` (
	`key` text PRIMARY KEY NOT NULL,
	`event` text NOT NULL,
	`variables` text NOT NULL,
	`claim` text NOT NULL,
	`queued_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_jobs_queued` ON `webhook_jobs` (`queued_at`);
--> statement-breakpoint
CREATE TABLE `webhook_subscriptions` (
	`event` text NOT NULL,
	`webhook_id` text NOT NULL,
	PRIMARY KEY(`event`, `webhook_id`)
);
--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_webhook` ON `webhook_subscriptions` (`webhook_id`);
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`label` text NOT NULL,
	`sealed_address` text NOT NULL,
	`masked_address` text NOT NULL,
	`address_key` text NOT NULL,
	`sender` integer NOT NULL,
	`events` text NOT NULL,
	`templates` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_status` integer,
	`last_error` text,
	`last_delivered_at` integer,
	`disabled_reason` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_user` ON `webhooks` (`user_id`);
--> statement-breakpoint
CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`hashed_token` text NOT NULL,
	`scopes` integer NOT NULL,
	`ip_salt` text NOT NULL,
	`allowlist` text DEFAULT '[]' NOT NULL,
	`revoked` integer DEFAULT false NOT NULL,
	`revoked_at` integer,
	`revoke_reason` text,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`rotated_at` integer,
	`request_count` integer DEFAULT 0 NOT NULL,
	`usage_sequence` integer DEFAULT 0 NOT NULL,
	`expiry_warned` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_hashed_token_unique` ON `api_tokens` (`hashed_token`);
--> statement-breakpoint
CREATE INDEX `api_tokens_user` ON `api_tokens` (`user_id`);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`selector_hash` text NOT NULL,
	`refresh_hash` text NOT NULL,
	`previous_hash` text,
	`refreshed_at` integer NOT NULL,
	`device` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_selector_hash_unique` ON `sessions` (`selector_hash`);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);
--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`display_name` text,
	`is_active` integer DEFAULT true NOT NULL,
	`is_verified` integer DEFAULT false NOT NULL,
	`is_superuser` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`password_hash` text,
	`token_version` integer DEFAULT 0 NOT NULL,
	`last_login_at` integer,
	`known_devices` text DEFAULT '[]' NOT NULL,
	`mail_refused_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);
--> statement-breakpoint
CREATE TABLE `ingest_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint` text NOT NULL,
	`created_at` integer NOT NULL,
	`user_id` text,
	`token_id` text,
	`success` integer NOT NULL,
	`summary` text,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `ingest_log_endpoint` ON `ingest_log` (`endpoint`,`id`);
--> statement-breakpoint
CREATE INDEX `ingest_log_success` ON `ingest_log` (`success`,`id`);
--> statement-breakpoint
CREATE INDEX `ingest_log_created` ON `ingest_log` (`created_at`);
--> statement-breakpoint
CREATE TABLE `mail_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`text` text,
	`created_at` integer NOT NULL,
	`next_try_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`last_error` text,
	`kind` text DEFAULT 'notice' NOT NULL,
	`caused_by` text,
	`repeats` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_outbox_due` ON `mail_outbox` (`next_try_at`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_created` ON `mail_outbox` (`created_at`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_counted` ON `mail_outbox` (`recipient`,`kind`,`created_at`) WHERE state <> 'held';
--> statement-breakpoint
CREATE INDEX `mail_outbox_held` ON `mail_outbox` (`recipient`,`subject`,`created_at`) WHERE state = 'held';
--> statement-breakpoint
CREATE INDEX `mail_outbox_caused` ON `mail_outbox` (`caused_by`,`created_at`) WHERE caused_by is not null;
--> statement-breakpoint
CREATE TABLE `job_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`lease_until` integer,
	`last_run_at` integer,
	`last_success_at` integer,
	`last_error` text,
	`duration_ms` integer
);
--> statement-breakpoint
CREATE TABLE `setting_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`old_value` text,
	`new_value` text,
	`changed_at` integer NOT NULL,
	`changed_by_user_id` text
);
--> statement-breakpoint
CREATE TABLE `setting_overrides` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL,
	`updated_by_user_id` text
);
--> statement-breakpoint
CREATE TABLE `upstream_sources` (
	`source` text PRIMARY KEY NOT NULL,
	`validated_url` text,
	`etag` text,
	`last_modified` text,
	`validated_at` integer,
	`last_success_at` integer,
	`last_failure_at` integer,
	`last_error` text,
	`failures` integer NOT NULL,
	`paused_until` integer
);
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`user_id` text NOT NULL,
	`day` integer NOT NULL,
	`request_count` integer NOT NULL,
	`error_count` integer NOT NULL,
	`rate_limited` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`user_id`, `day`)
);
--> statement-breakpoint
CREATE INDEX `usage_days_day` ON `usage_days` (`day`);
--> statement-breakpoint
CREATE TABLE `usage_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`token_id` text NOT NULL,
	`method` text NOT NULL,
	`route` text NOT NULL,
	`path` text NOT NULL,
	`status_code` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `usage_events_user` ON `usage_events` (`user_id`,`id`);
--> statement-breakpoint
CREATE INDEX `usage_events_errors` ON `usage_events` (`status_code`,`id`) WHERE "usage_events"."status_code" >= 400;
--> statement-breakpoint
CREATE TABLE `usage_hours` (
	`token_id` text NOT NULL,
	`user_id` text NOT NULL,
	`hour` integer NOT NULL,
	`method` text NOT NULL,
	`route` text NOT NULL,
	`request_count` integer NOT NULL,
	`error_count` integer NOT NULL,
	`rate_limited` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`token_id`, `hour`, `route`, `method`)
);
--> statement-breakpoint
CREATE INDEX `usage_hours_user` ON `usage_hours` (`user_id`,`hour`);
--> statement-breakpoint
CREATE VIRTUAL TABLE codex_search USING fts5(name_folded, description_folded,
  content='codex_entries', content_rowid='id', tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER codex_search_insert AFTER INSERT ON codex_entries BEGIN
  INSERT INTO codex_search (rowid, name_folded, description_folded) VALUES (new.id, new.name_folded, new.description_folded);
END;
--> statement-breakpoint
CREATE TRIGGER codex_search_update AFTER UPDATE ON codex_entries
WHEN old.name_folded <> new.name_folded OR old.description_folded <> new.description_folded BEGIN
  INSERT INTO codex_search (codex_search, rowid, name_folded, description_folded)
    VALUES ('delete', old.id, old.name_folded, old.description_folded);
  INSERT INTO codex_search (rowid, name_folded, description_folded) VALUES (new.id, new.name_folded, new.description_folded);
END;
--> statement-breakpoint
CREATE TRIGGER codex_search_delete AFTER DELETE ON codex_entries BEGIN
  INSERT INTO codex_search (codex_search, rowid, name_folded, description_folded)
    VALUES ('delete', old.id, old.name_folded, old.description_folded);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE mods_search USING fts5(search_text, content='mods', content_rowid='id', tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER mods_search_insert AFTER INSERT ON mods BEGIN
  INSERT INTO mods_search (rowid, search_text) VALUES (new.id, new.search_text);
END;
--> statement-breakpoint
CREATE TRIGGER mods_search_update AFTER UPDATE OF search_text ON mods WHEN old.search_text <> new.search_text BEGIN
  INSERT INTO mods_search (mods_search, rowid, search_text) VALUES ('delete', old.id, old.search_text);
  INSERT INTO mods_search (rowid, search_text) VALUES (new.id, new.search_text);
END;
--> statement-breakpoint
CREATE TRIGGER mods_search_delete AFTER DELETE ON mods BEGIN
  INSERT INTO mods_search (mods_search, rowid, search_text) VALUES ('delete', old.id, old.search_text);
END;
--> statement-breakpoint
INSERT OR IGNORE INTO mod_totals (name, n) VALUES ('visible', 0);
--> statement-breakpoint
CREATE TRIGGER mods_total_insert AFTER INSERT ON mods WHEN new.is_visible BEGIN
  UPDATE mod_totals SET n = n + 1 WHERE name = 'visible';
END;
--> statement-breakpoint
CREATE TRIGGER mods_total_update AFTER UPDATE ON mods WHEN old.is_visible <> new.is_visible BEGIN
  UPDATE mod_totals SET n = n + new.is_visible - old.is_visible WHERE name = 'visible';
END;
--> statement-breakpoint
CREATE TRIGGER mods_total_delete AFTER DELETE ON mods WHEN old.is_visible BEGIN
  UPDATE mod_totals SET n = n - 1 WHERE name = 'visible';
END;
--> statement-breakpoint
INSERT OR IGNORE INTO mod_totals (name, n) VALUES ('revision', 0);
--> statement-breakpoint
CREATE TRIGGER mods_revision_insert AFTER INSERT ON mods BEGIN
  UPDATE mod_totals SET n = n + 1 WHERE name = 'revision';
END;
--> statement-breakpoint
CREATE TRIGGER mods_revision_update AFTER UPDATE ON mods
WHEN old.is_visible <> new.is_visible OR old.version <> new.version BEGIN
  UPDATE mod_totals SET n = n + 1 WHERE name = 'revision';
END;
--> statement-breakpoint
CREATE TRIGGER mods_revision_delete AFTER DELETE ON mods BEGIN
  UPDATE mod_totals SET n = n + 1 WHERE name = 'revision';
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE archive_paths_fts USING fts5(path, content='', tokenize='trigram');
--> statement-breakpoint
CREATE TRIGGER archive_paths_indexed AFTER INSERT ON archive_paths BEGIN
  INSERT INTO archive_paths_fts (rowid, path) VALUES (new.id, new.dir || new.name);
END;
