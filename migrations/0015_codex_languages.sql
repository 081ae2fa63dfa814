CREATE TABLE `codex_languages` (
	`branch` text NOT NULL,
	`lang` text NOT NULL,
	`slot` integer NOT NULL,
	`translated` integer,
	PRIMARY KEY(`branch`, `lang`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `codex_languages_by_slot` ON `codex_languages` (`branch`,`slot`);
--> statement-breakpoint
CREATE TABLE `codex_translations` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text,
	`description` text,
	`name_folded` text NOT NULL,
	`description_folded` text NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER codex_translations_insert AFTER INSERT ON codex_translations BEGIN
  INSERT INTO codex_search (rowid, name, description) VALUES (new.id, new.name_folded || '  ', new.description_folded || '  ');
END;
--> statement-breakpoint
CREATE TRIGGER codex_translations_update AFTER UPDATE ON codex_translations
WHEN old.name_folded <> new.name_folded OR old.description_folded <> new.description_folded BEGIN
  INSERT INTO codex_search (codex_search, rowid, name, description) VALUES ('delete', old.id, old.name_folded || '  ', old.description_folded || '  ');
  INSERT INTO codex_search (rowid, name, description) VALUES (new.id, new.name_folded || '  ', new.description_folded || '  ');
END;
--> statement-breakpoint
CREATE TRIGGER codex_translations_delete AFTER DELETE ON codex_translations BEGIN
  INSERT INTO codex_search (codex_search, rowid, name, description) VALUES ('delete', old.id, old.name_folded || '  ', old.description_folded || '  ');
END;
--> statement-breakpoint
CREATE TRIGGER codex_translations_of_deleted AFTER DELETE ON codex_entries BEGIN
  DELETE FROM codex_translations WHERE id IN (old.id + 68719476736, old.id + 137438953472, old.id + 206158430208, old.id + 274877906944, old.id + 343597383680, old.id + 412316860416, old.id + 481036337152, old.id + 549755813888, old.id + 618475290624, old.id + 687194767360, old.id + 755914244096, old.id + 824633720832, old.id + 893353197568, old.id + 962072674304, old.id + 1030792151040);
END;
