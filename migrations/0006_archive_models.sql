CREATE INDEX `archive_files_models` ON `archive_files` (`branch`,name COLLATE NOCASE) WHERE dir >= 'blueprints/' AND dir < 'blueprints0';
