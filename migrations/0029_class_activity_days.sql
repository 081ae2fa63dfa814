CREATE TABLE `class_activity_days` (
	`day` integer PRIMARY KEY NOT NULL,
	`first_at` integer NOT NULL,
	`samples` integer NOT NULL,
	`at_sum` integer NOT NULL,
	`active` text NOT NULL,
	`clean` text NOT NULL
);
--> statement-breakpoint
INSERT INTO class_activity_days (day, first_at, samples, at_sum, active, clean)
  SELECT c.day, min(c.window_end), count(*), sum(c.window_end),
    (SELECT json_group_array(json_object('n', n, 'sum', sum, 'max', max)) FROM (
      SELECT count(v.value) AS n, coalesce(sum(v.value), 0) AS sum, max(v.value) AS max FROM class_activity_captures o, json_each(o.day_values, '$.active') AS v
      WHERE o.window_end >= c.day AND o.window_end < c.day + 86400 GROUP BY v.key ORDER BY v.key)),
    (SELECT json_group_array(json_object('n', n, 'sum', sum, 'max', max)) FROM (
      SELECT count(v.value) AS n, coalesce(sum(v.value), 0) AS sum, max(v.value) AS max FROM class_activity_captures o, json_each(o.day_values, '$.clean') AS v
      WHERE o.window_end >= c.day AND o.window_end < c.day + 86400 GROUP BY v.key ORDER BY v.key))
  FROM (SELECT window_end, window_end - window_end % 86400 AS day FROM class_activity_captures) c GROUP BY c.day;
