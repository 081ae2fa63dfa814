-- Every entry of a branch by what it is found and sorted by, as JSON, in parts by name: readers hold it in memory.
CREATE TABLE `codex_outlines` (
	`branch` text NOT NULL,
	`part` integer NOT NULL,
	`generation` integer NOT NULL,
	`entries` integer NOT NULL,
	`weight` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY (`branch`, `part`)
);
--> statement-breakpoint
INSERT INTO `codex_outlines` (`branch`, `part`, `generation`, `entries`, `weight`, `body`)
	SELECT branch, part, (SELECT generation FROM codex_branches b WHERE b.branch = rows.branch), max(entries), max(weight),
		json_group_array(json(body) ORDER BY place)
	FROM (SELECT e.branch, row_number() OVER by_name AS place,
			sum(octet_length(e.name_folded) + octet_length(e.description_folded) + 100) OVER by_name / 300000 AS part,
			count(*) OVER (PARTITION BY e.branch) AS entries,
			sum(octet_length(e.name_folded) + octet_length(e.description_folded) + 100) OVER (PARTITION BY e.branch) AS weight,
			json_array(e.id, e.type, e.name_folded, e.description_folded, e.category, e.tradable, e.mastery, e.mastery_geode,
				e.power_rank, e.indexed_at,
				json((SELECT json_group_array(s.stat) FROM codex_stats s WHERE s.branch = e.branch AND s.path = e.path)),
				json((SELECT json_group_array(a.ref) FROM codex_abilities a WHERE a.branch = e.branch AND a.path = e.path))) AS body
		FROM codex_entries e
		WINDOW by_name AS (PARTITION BY e.branch ORDER BY e.name_folded, e.path ROWS UNBOUNDED PRECEDING)) rows
	GROUP BY branch, part;
--> statement-breakpoint
INSERT INTO `codex_facets` (`branch`, `kind`, `type`, `key`, `name`, `description`, `n`)
	SELECT branch, 'change', '', ordinal, '', '', count(*) FROM codex_changes GROUP BY branch, ordinal;
