ALTER TABLE `mod_releases` ADD `title_i18n` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE `mod_releases` ADD `changelog_i18n` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE `mods` ADD `is_beta` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `mods` ADD `title_i18n` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE `mods` ADD `summary_i18n` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE `mods` ADD `warnings_i18n` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE `mods` ADD `description_i18n` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE `mods` ADD `readme_i18n` text DEFAULT '{}' NOT NULL;
