ALTER TABLE `mod_packs` ADD `author_key` text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- SQL cannot fold letters outside ASCII: the last line of the search text is the author as the service folded it.
UPDATE `mod_packs` SET `author_key` = trim(replace(`search_text`, rtrim(`search_text`, replace(`search_text`, char(10), '')), ''));
