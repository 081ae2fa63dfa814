CREATE TABLE `mod_tag_counts` (
	`tag` text PRIMARY KEY NOT NULL,
	`n` integer NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER mod_tags_counted AFTER INSERT ON mod_tags WHEN EXISTS (SELECT 1 FROM mods WHERE id = new.mod_id AND is_visible) BEGIN
  INSERT INTO mod_tag_counts (tag, n) SELECT tag, 1 FROM mod_tags WHERE mod_id = new.mod_id AND tag = new.tag ON CONFLICT (tag) DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER mod_tags_uncounted AFTER DELETE ON mod_tags WHEN EXISTS (SELECT 1 FROM mods WHERE id = old.mod_id AND is_visible) BEGIN
  UPDATE mod_tag_counts SET n = n - 1 WHERE tag IN (old.tag);
  DELETE FROM mod_tag_counts WHERE tag IN (old.tag) AND n <= 0;
END;
--> statement-breakpoint
CREATE TRIGGER mods_tags_insert AFTER INSERT ON mods WHEN new.is_visible BEGIN
  INSERT INTO mod_tag_counts (tag, n) SELECT tag, 1 FROM mod_tags WHERE mod_id = new.id ON CONFLICT (tag) DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER mods_tags_shown AFTER UPDATE ON mods WHEN new.is_visible AND NOT old.is_visible BEGIN
  INSERT INTO mod_tag_counts (tag, n) SELECT tag, 1 FROM mod_tags WHERE mod_id = new.id ON CONFLICT (tag) DO UPDATE SET n = n + 1;
END;
--> statement-breakpoint
CREATE TRIGGER mods_tags_hidden AFTER UPDATE ON mods WHEN old.is_visible AND NOT new.is_visible BEGIN
  UPDATE mod_tag_counts SET n = n - 1 WHERE tag IN (SELECT tag FROM mod_tags WHERE mod_id = old.id);
  DELETE FROM mod_tag_counts WHERE tag IN (SELECT tag FROM mod_tags WHERE mod_id = old.id) AND n <= 0;
END;
--> statement-breakpoint
CREATE TRIGGER mods_tags_delete AFTER DELETE ON mods WHEN old.is_visible BEGIN
  UPDATE mod_tag_counts SET n = n - 1 WHERE tag IN (SELECT tag FROM mod_tags WHERE mod_id = old.id);
  DELETE FROM mod_tag_counts WHERE tag IN (SELECT tag FROM mod_tags WHERE mod_id = old.id) AND n <= 0;
END;
--> statement-breakpoint
INSERT INTO mod_tag_counts (tag, n) SELECT t.tag, count(*) FROM mod_tags t JOIN mods m ON m.id = t.mod_id
  WHERE m.is_visible GROUP BY t.tag ON CONFLICT DO NOTHING;
