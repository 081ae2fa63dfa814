-- Counts of filtered lists hold as long as this number does.
INSERT INTO mod_totals (name, n) VALUES ('revision', 0);
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
