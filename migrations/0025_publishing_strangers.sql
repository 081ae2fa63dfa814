CREATE TABLE `mod_refused_files` (
	`sha256` text PRIMARY KEY NOT NULL,
	`mod_id` integer NOT NULL,
	`refused_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mod_refused_files_mod` ON `mod_refused_files` (`mod_id`);
--> statement-breakpoint
CREATE TABLE `project_access` (
	`user_id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`note` text NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	`decided_at` integer
);
--> statement-breakpoint
CREATE INDEX `project_access_state` ON `project_access` (`state`,`created_at`);
--> statement-breakpoint
CREATE TABLE `project_accounts` (
	`project_id` integer PRIMARY KEY NOT NULL,
	`user_id` text
);
--> statement-breakpoint
CREATE INDEX `project_accounts_user` ON `project_accounts` (`user_id`);
--> statement-breakpoint
CREATE TABLE `project_invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` integer NOT NULL,
	`user_id` text NOT NULL,
	`handle` text NOT NULL,
	`role` text NOT NULL,
	`inviter_id` text NOT NULL,
	`inviter` text NOT NULL,
	`secret_hash` text NOT NULL,
	`token_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `project_invitations_member` ON `project_invitations` (`project_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `project_invitations_user` ON `project_invitations` (`user_id`);
--> statement-breakpoint
CREATE INDEX `project_invitations_inviter` ON `project_invitations` (`inviter_id`);
--> statement-breakpoint
CREATE INDEX `project_invitations_expiry` ON `project_invitations` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `project_take_downs` (
	`project_id` integer NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `project_take_downs_user` ON `project_take_downs` (`user_id`);
--> statement-breakpoint
ALTER TABLE `mod_authors` ADD `plain` text GENERATED ALWAYS AS (replace(replace(replace(replace(replace(name, ' ', ''), '-', ''), '_', ''), '.', ''), '''', '')) VIRTUAL;
--> statement-breakpoint
CREATE INDEX `mod_authors_plain` ON `mod_authors` (`plain`);
--> statement-breakpoint
ALTER TABLE `mod_releases` ADD `content_sha256` text;
--> statement-breakpoint
CREATE INDEX `mod_releases_content` ON `mod_releases` (`content_sha256`);
--> statement-breakpoint
ALTER TABLE `mods` ADD `credited` text DEFAULT '' NOT NULL;
--> statement-breakpoint
INSERT INTO project_accounts (project_id, user_id)
SELECT project_id, user_id FROM (
  SELECT project_id, user_id, row_number() OVER (PARTITION BY project_id ORDER BY created_at, user_id) AS place
  FROM project_members WHERE role = 'owner'
) WHERE place = 1;
--> statement-breakpoint
DELETE FROM mod_artifact_owners;
