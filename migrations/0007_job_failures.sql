ALTER TABLE `job_runs` ADD `failures` integer DEFAULT 0 NOT NULL;
