ALTER TABLE `api_tokens` ADD `expiry_notices` integer DEFAULT 0 NOT NULL;
