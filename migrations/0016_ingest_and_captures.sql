CREATE INDEX `board_captures_board_pack` ON `board_captures` (`board_pack`,`anchor`);--> statement-breakpoint
CREATE INDEX `board_captures_player_pack` ON `board_captures` (`player_pack`,`anchor`);--> statement-breakpoint
CREATE INDEX `board_captures_raw_key` ON `board_captures` (`raw_key`);--> statement-breakpoint
CREATE INDEX `ingest_log_success` ON `ingest_log` (`success`,`id`);