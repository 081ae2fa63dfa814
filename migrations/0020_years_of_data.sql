CREATE TABLE `market_analytics` (
	`part` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`as_of` integer NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `market_archive` (
	`month` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`listings` integer NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`archived_at` integer NOT NULL,
	`stage` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `market_days` (
	`name` text NOT NULL,
	`day` integer NOT NULL,
	`listings` integer NOT NULL,
	`stack` integer NOT NULL,
	`value` integer NOT NULL,
	`milli_p25` integer NOT NULL,
	`milli_p50` integer NOT NULL,
	`milli_p75` integer NOT NULL,
	PRIMARY KEY(`name`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `row_counts` (
	`name` text PRIMARY KEY NOT NULL,
	`rows` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `market_state` ADD `archived_until` integer;
--> statement-breakpoint
CREATE INDEX `game_status_segments_ended` ON `game_status_segments` (`environment`,`ended_at`);
--> statement-breakpoint
CREATE INDEX `api_tokens_expiry` ON `api_tokens` (`expires_at`) WHERE revoked = 0;
--> statement-breakpoint
CREATE INDEX `users_created` ON `users` ("created_at" desc,"id" desc);
--> statement-breakpoint
INSERT INTO row_counts (name, rows) SELECT 'news_articles', count(*) FROM news_articles WHERE true ON CONFLICT DO NOTHING;
--> statement-breakpoint
CREATE TRIGGER news_articles_counted AFTER INSERT ON news_articles BEGIN
  INSERT INTO row_counts (name, rows) VALUES ('news_articles', 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;
END;
--> statement-breakpoint
CREATE TRIGGER news_articles_uncounted AFTER DELETE ON news_articles BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = 'news_articles';
END;
--> statement-breakpoint
INSERT INTO row_counts (name, rows) SELECT 'challenge_captures', count(*) FROM challenge_captures WHERE true ON CONFLICT DO NOTHING;
--> statement-breakpoint
CREATE TRIGGER challenge_captures_counted AFTER INSERT ON challenge_captures BEGIN
  INSERT INTO row_counts (name, rows) VALUES ('challenge_captures', 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;
END;
--> statement-breakpoint
CREATE TRIGGER challenge_captures_uncounted AFTER DELETE ON challenge_captures BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = 'challenge_captures';
END;
--> statement-breakpoint
INSERT INTO row_counts (name, rows) SELECT 'chaos_chest_captures', count(*) FROM chaos_chest_captures WHERE true ON CONFLICT DO NOTHING;
--> statement-breakpoint
CREATE TRIGGER chaos_chest_captures_counted AFTER INSERT ON chaos_chest_captures BEGIN
  INSERT INTO row_counts (name, rows) VALUES ('chaos_chest_captures', 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;
END;
--> statement-breakpoint
CREATE TRIGGER chaos_chest_captures_uncounted AFTER DELETE ON chaos_chest_captures BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = 'chaos_chest_captures';
END;
--> statement-breakpoint
INSERT INTO row_counts (name, rows) SELECT 'luxion_runs', count(*) FROM luxion_runs WHERE true ON CONFLICT DO NOTHING;
--> statement-breakpoint
CREATE TRIGGER luxion_runs_counted AFTER INSERT ON luxion_runs BEGIN
  INSERT INTO row_counts (name, rows) VALUES ('luxion_runs', 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;
END;
--> statement-breakpoint
CREATE TRIGGER luxion_runs_uncounted AFTER DELETE ON luxion_runs BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = 'luxion_runs';
END;
--> statement-breakpoint
INSERT INTO row_counts (name, rows) SELECT 'users', count(*) FROM users WHERE true ON CONFLICT DO NOTHING;
--> statement-breakpoint
CREATE TRIGGER users_counted AFTER INSERT ON users BEGIN
  INSERT INTO row_counts (name, rows) VALUES ('users', 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_uncounted AFTER DELETE ON users BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = 'users';
END;
