CREATE TABLE `storage_sizes` (
	`store` text PRIMARY KEY NOT NULL,
	`objects` integer,
	`bytes` integer,
	`measured_at` integer,
	`cursor` text,
	`pass_objects` integer DEFAULT 0 NOT NULL,
	`pass_bytes` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `codex_dumps` (
	`branch` text NOT NULL,
	`ordinal` integer NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	`created_at` integer NOT NULL,
	`previous` integer,
	`changes_sha256` text,
	`changes_size` integer,
	`marks` text,
	`added` integer DEFAULT 0 NOT NULL,
	`modified` integer DEFAULT 0 NOT NULL,
	`removed` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`branch`, `ordinal`)
);
--> statement-breakpoint
CREATE TABLE `search_entries` (
	`id` integer PRIMARY KEY NOT NULL,
	`type` integer NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`words` text NOT NULL,
	`about` text NOT NULL,
	`text` text NOT NULL,
	`link` text NOT NULL,
	`image` text,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_entries_key` ON `search_entries` (`type`,`key`);
--> statement-breakpoint
CREATE TABLE `search_sources` (
	`type` integer PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`target` text,
	`after` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sign_in_refusals` (
	`hour` integer NOT NULL,
	`code` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`hour`, `code`)
);
--> statement-breakpoint
CREATE TABLE `usage_hours` (
	`hour` integer NOT NULL,
	`kind` text NOT NULL,
	`request_count` integer NOT NULL,
	`error_count` integer NOT NULL,
	`rate_limited` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`d0` integer DEFAULT 0 NOT NULL,
	`d1` integer DEFAULT 0 NOT NULL,
	`d2` integer DEFAULT 0 NOT NULL,
	`d3` integer DEFAULT 0 NOT NULL,
	`d4` integer DEFAULT 0 NOT NULL,
	`d5` integer DEFAULT 0 NOT NULL,
	`d6` integer DEFAULT 0 NOT NULL,
	`d7` integer DEFAULT 0 NOT NULL,
	`d8` integer DEFAULT 0 NOT NULL,
	`d9` integer DEFAULT 0 NOT NULL,
	`d10` integer DEFAULT 0 NOT NULL,
	`d11` integer DEFAULT 0 NOT NULL,
	`d12` integer DEFAULT 0 NOT NULL,
	`d13` integer DEFAULT 0 NOT NULL,
	`d14` integer DEFAULT 0 NOT NULL,
	`d15` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`hour`, `kind`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `ingest_log` ADD `receipt_id` text;
--> statement-breakpoint
ALTER TABLE `ingest_log` ADD `is_pending` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `ingest_log` ADD `received` integer;
--> statement-breakpoint
ALTER TABLE `ingest_log` ADD `accepted` integer;
--> statement-breakpoint
ALTER TABLE `ingest_log` ADD `ignored` integer;
--> statement-breakpoint
ALTER TABLE `ingest_log` ADD `rejected` integer;
--> statement-breakpoint
ALTER TABLE `ingest_log` ADD `problems` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
CREATE INDEX `ingest_log_pending` ON `ingest_log` (`is_pending`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `ingest_log_receipt` ON `ingest_log` (`receipt_id`);
--> statement-breakpoint
ALTER TABLE `job_runs` ADD `history` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
CREATE VIRTUAL TABLE search_names USING fts5(words, content='', tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE search_texts USING fts5(name, about, text, kind, content='', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER search_entries_insert AFTER INSERT ON search_entries BEGIN
  INSERT INTO search_names (rowid, words) VALUES (new.id, ' ' || new.words || ' ');
END;
--> statement-breakpoint
CREATE TRIGGER search_entries_insert_text AFTER INSERT ON search_entries WHEN new.text <> '' BEGIN
  INSERT INTO search_texts (rowid, name, about, text, kind) VALUES (new.id, new.name, new.about, new.text, CASE new.type WHEN 5 THEN 'doc' ELSE 'other' END);
END;
--> statement-breakpoint
CREATE TRIGGER search_entries_delete AFTER DELETE ON search_entries BEGIN
  INSERT INTO search_names (search_names, rowid, words) VALUES ('delete', old.id, ' ' || old.words || ' ');
END;
--> statement-breakpoint
CREATE TRIGGER search_entries_delete_text AFTER DELETE ON search_entries WHEN old.text <> '' BEGIN
  INSERT INTO search_texts (search_texts, rowid, name, about, text, kind) VALUES ('delete', old.id, old.name, old.about, old.text, CASE old.type WHEN 5 THEN 'doc' ELSE 'other' END);
END;
--> statement-breakpoint
CREATE TRIGGER token_change_journal AFTER INSERT ON outbox WHEN new.kind = 'token-changes' BEGIN
  INSERT INTO outbox (kind, key, next_try_at) VALUES ('change-entries', 'token:' || new.key, new.next_try_at) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER account_deletion_journal AFTER DELETE ON users BEGIN
  INSERT INTO outbox (kind, key, next_try_at) VALUES ('change-entries', 'account:' || old.id, unixepoch()) ON CONFLICT DO NOTHING;
END;
