CREATE TABLE `activity_days` (
	`day` integer PRIMARY KEY NOT NULL,
	`samples` integer NOT NULL,
	`value_sum` integer NOT NULL,
	`at_sum` integer NOT NULL,
	`peak` integer NOT NULL,
	`peak_at` integer NOT NULL,
	`low` integer NOT NULL,
	`low_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mod_forks` (
	`path` text PRIMARY KEY NOT NULL,
	`n` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `mod_packs_recent`;
--> statement-breakpoint
CREATE INDEX `mod_packs_downloads` ON `mod_packs` (`visibility`,download_count desc,`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `mod_packs_stars` ON `mod_packs` (`visibility`,star_count desc,`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `mod_packs_new` ON `mod_packs` (`visibility`,created_at desc,`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `mod_packs_title` ON `mod_packs` (`visibility`,`sort_title`,`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `mod_packs_recent` ON `mod_packs` (`visibility`,updated_at desc,`handle`,`slug`);
--> statement-breakpoint
CREATE INDEX `player_duplicates_kind` ON `player_duplicates` (`kind`,last_anchor desc,boards desc,`name`);
--> statement-breakpoint
INSERT INTO row_counts (name, rows) SELECT 'player_renames', count(*) FROM player_renames WHERE true ON CONFLICT DO NOTHING;
--> statement-breakpoint
CREATE TRIGGER player_renames_counted AFTER INSERT ON player_renames BEGIN
  INSERT INTO row_counts (name, rows) VALUES ('player_renames', 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;
END;
--> statement-breakpoint
CREATE TRIGGER player_renames_uncounted AFTER DELETE ON player_renames BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = 'player_renames';
END;
--> statement-breakpoint
CREATE TRIGGER player_duplicates_counted AFTER INSERT ON player_duplicates BEGIN
  INSERT INTO row_counts (name, rows) VALUES ('player_duplicates/kind=' || new.kind, 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;
END;
--> statement-breakpoint
CREATE TRIGGER player_duplicates_uncounted AFTER DELETE ON player_duplicates BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = 'player_duplicates/kind=' || old.kind;
END;
--> statement-breakpoint
CREATE TRIGGER player_duplicates_recounted AFTER UPDATE OF kind ON player_duplicates WHEN old.kind <> new.kind BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = 'player_duplicates/kind=' || old.kind;
  INSERT INTO row_counts (name, rows) VALUES ('player_duplicates/kind=' || new.kind, 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;
END;
--> statement-breakpoint
CREATE TRIGGER mods_forks_insert AFTER INSERT ON mods WHEN new.is_visible AND new.forked_from_path IS NOT NULL BEGIN
  INSERT INTO mod_forks (path, n) SELECT new.forked_from_path, 1 WHERE new.is_visible AND new.forked_from_path IS NOT NULL ON CONFLICT (path) DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER mods_forks_update AFTER UPDATE ON mods
WHEN old.is_visible <> new.is_visible OR old.forked_from_path IS NOT new.forked_from_path BEGIN
  UPDATE mod_forks SET n = n - 1 WHERE path = old.forked_from_path AND old.is_visible;
  INSERT INTO mod_forks (path, n) SELECT new.forked_from_path, 1 WHERE new.is_visible AND new.forked_from_path IS NOT NULL ON CONFLICT (path) DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER mods_forks_delete AFTER DELETE ON mods WHEN old.is_visible AND old.forked_from_path IS NOT NULL BEGIN
  UPDATE mod_forks SET n = n - 1 WHERE path = old.forked_from_path AND old.is_visible;
END;
--> statement-breakpoint
CREATE TRIGGER mod_packs_counted AFTER INSERT ON mod_packs BEGIN
  INSERT INTO row_counts (name, rows) VALUES ('mod_packs/visibility=' || new.visibility, 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;
END;
--> statement-breakpoint
CREATE TRIGGER mod_packs_uncounted AFTER DELETE ON mod_packs BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = 'mod_packs/visibility=' || old.visibility;
END;
--> statement-breakpoint
CREATE TRIGGER mod_packs_recounted AFTER UPDATE OF visibility ON mod_packs WHEN old.visibility <> new.visibility BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = 'mod_packs/visibility=' || old.visibility;
  INSERT INTO row_counts (name, rows) VALUES ('mod_packs/visibility=' || new.visibility, 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;
END;
--> statement-breakpoint
INSERT INTO row_counts (name, rows) SELECT 'player_duplicates/kind=' || kind, count(*) FROM player_duplicates WHERE true GROUP BY kind ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO row_counts (name, rows) SELECT 'mod_packs/visibility=' || visibility, count(*) FROM mod_packs WHERE true GROUP BY visibility ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO mod_forks (path, n) SELECT forked_from_path, count(*) FROM mods
  WHERE is_visible AND forked_from_path IS NOT NULL GROUP BY forked_from_path ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO activity_days (day, samples, value_sum, at_sum, peak, peak_at, low, low_at)
  SELECT day, count(*), sum(estimate_day), sum(window_end), max(estimate_day), max(CASE WHEN by_peak = 1 THEN window_end END),
    min(estimate_day), max(CASE WHEN by_low = 1 THEN window_end END)
  FROM (SELECT window_end - window_end % 86400 AS day, window_end, estimate_day,
    row_number() OVER (PARTITION BY window_end / 86400 ORDER BY estimate_day DESC, window_end) AS by_peak,
    row_number() OVER (PARTITION BY window_end / 86400 ORDER BY estimate_day, window_end) AS by_low
    FROM activity_captures WHERE window_start IS NOT NULL AND estimate_day IS NOT NULL)
  GROUP BY day;
