-- Literal substring search over what `mods.search_text` holds, folded already.
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
-- How many mods everybody sees, so that no list has to count them.
INSERT INTO mod_totals (name, n) VALUES ('visible', 0);
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
