import { env } from 'cloudflare:workers';
import { composeApp } from '../../../src/composition.ts';

/** Rows of a table that are copied. */
const ORIGINALS = 5;
/** Values above are unix times in seconds. */
const EARLIEST_TIME = 1_000_000_000;

/** State of the service, not data that grows. Tables that declare to keep the newest state are not multiplied either. */
const NOT_MULTIPLIED = /^(?:setting_|codex_branches|archive_branches|mod_tag_counts)/;
const { tables } = composeApp(env).service;

interface Column {
  name: string;
  type: string;
  pk: number;
}

/** Tables of the service without those of a full-text index. */
async function listTables(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
       AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*'
       AND NOT EXISTS (SELECT 1 FROM sqlite_master v WHERE v.sql LIKE 'CREATE VIRTUAL%' AND sqlite_master.name GLOB v.name || '_*')`,
  ).all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !NOT_MULTIPLIED.test(name) && tables[name]?.growth?.kept !== 'newest state');
}

/** Columns of a table, and the names of those in a unique index. */
async function readColumns(table: string): Promise<{ columns: Column[]; unique: ReadonlySet<string> }> {
  const [columns, unique] = await env.DB.batch<Column>([
    env.DB.prepare('SELECT name, type, pk FROM pragma_table_info(?)').bind(table),
    env.DB.prepare(
      `SELECT DISTINCT info.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info WHERE list."unique" = 1`,
    ).bind(table),
  ]);
  return { columns: columns?.results ?? [], unique: new Set(unique?.results.map(({ name }) => name)) };
}

/** Value of a column in copy `i`: keys differ, times are earlier, everything else is equal. So a copy of a child belongs to the same parent. */
function copiedValue({ name, type, pk }: Column, unique: ReadonlySet<string>): string {
  const value = `t."${name}"`;
  // Few accounts are superusers, and each gets mails.
  if (name === 'is_superuser') return '0';
  const isInteger = /INT/i.test(type);
  if (pk > 0 || unique.has(name)) {
    if (isInteger) return `CASE WHEN ${value} > ${EARLIEST_TIME} THEN ${value} - i * 86400 ELSE ${value} + i END`;
    return `CASE WHEN typeof(${value}) = 'text' THEN ${value} || '~' || i ELSE ${value} END`;
  }
  const isTime = isInteger && /_at$|^at$|anchor|last_seen|window/.test(name);
  return isTime ? `CASE WHEN ${value} > ${EARLIEST_TIME} THEN ${value} - i * 60 ELSE ${value} END` : value;
}

/** Tables that stay empty in the test, and why what is stored there does not grow. */
const EMPTY: Readonly<Record<string, string>> = {
  archive_manifest: 'the version in progress',
  archive_work: 'the version in progress',
  codex_failures: 'the newest build',
  codex_staging: 'the build in progress',
  codex_totals: 'the newest build',
  mod_forks: 'triggers write it',
};

/**
 * Rows of tables that the examples of the document leave empty. Columns that are not named have their default. Rows with a retention are as
 * old as the requests of the test.
 */
const FIRST_ROWS: readonly string[] = [
  `INSERT INTO game_status_segments (environment, status, started_at, ended_at, last_confirmed_at)
     VALUES ('live', 'online', 1700000000, 1700000060, 1700000060)`,
  `INSERT INTO community_events (event_id, name, url, category, starts_at, ends_at)
     VALUES ('e', 'Event', 'https://events.example/e', 'shadow', 1700000000, 1700003600)`,
  `INSERT INTO player_renames (from_key, to_key, from_name, to_name, from_anchor, to_anchor, confidence, matched_boards, method_version, created_at, evidence)
     VALUES ('a', 'b', 'A', 'B', 1699990000, 1700000000, 0.9, 12, 1, 1700000000, '{}')`,
  ...['same_name', 'case', 'both'].map(
    (
      kind,
    ) => `INSERT INTO player_duplicates (key, name, kind, verdict, boards, max_occurrences, spellings, first_anchor, last_anchor, evidence, updated_at)
      VALUES ('${kind}', '${kind}', '${kind}', 'case_only', 3, 2, '[]', 1699990000, 1700000000, '{}', 1700000000)`,
  ),
  `INSERT INTO player_duplicate_sightings (key, anchor, name, kind, boards, max_occurrences, spellings)
     VALUES ('same_name', 1700000000, 'same_name', 'same_name', 3, 2, '[]')`,
  `INSERT INTO activity_days (day, samples, value_sum, at_sum, peak, peak_at, low, low_at)
     VALUES (1699920000, 1, 5, 1699990000, 5, 1699990000, 5, 1699990000)`,
  `INSERT INTO class_activity_days (day, first_at, samples, at_sum, active, clean)
     VALUES (1699920000, 1699990000, 1, 1699990000, '[]', '[]')`,
  "INSERT INTO activity_sets (anchor, part, stored_at, hashes) VALUES (1773100000, 0, 1773100000, '')",
  'INSERT INTO class_activity_sets (class_index, anchor, stored_at) VALUES (0, 1773100000, 1773100000)',
  `INSERT INTO clientapp_changelogs (repo, tags, commits, rate_limited) VALUES ('owner/repo', '[]', '[]', 0)`,
  "INSERT INTO codex_languages (branch, lang, slot) VALUES ('live-us', 'de', 1)",
  "INSERT INTO codex_translations (id, name_folded, description_folded) SELECT min(id), '', '' FROM codex_entries",
  "INSERT INTO mod_artifact_owners (sha256, handle) VALUES ('a', 'ana')",
  'INSERT INTO mod_downloads_daily (day, release_id, n) SELECT 20521, min(id), 1 FROM mod_releases',
  "INSERT INTO mod_release_prior_hashes (sha256, release_id) SELECT 'a', min(id) FROM mod_releases",
  "INSERT INTO mod_refused_files (sha256, mod_id, refused_at) SELECT 'b', min(id), 1700000000 FROM mods",
  `INSERT INTO project_take_downs (project_id, user_id, created_at) SELECT min(project_id), min(user_id), 1700000000 FROM project_members`,
  "INSERT INTO sign_in_refusals (hour, code, count) VALUES (492527, 'invalid_credentials', 1)",
  `INSERT INTO usage_days (user_id, day, request_count, error_count, rate_limited, duration_ms) SELECT min(id), 20521, 1, 0, 0, 5 FROM users`,
  "INSERT INTO usage_hours (hour, kind, request_count, error_count, rate_limited, duration_ms) VALUES (492527, 'token', 1, 0, 0, 5)",
];

/** Stores the first rows of tables without one. */
export async function seedEmptyTables(): Promise<void> {
  await env.DB.batch(FIRST_ROWS.map((statement) => env.DB.prepare(statement.replace('INSERT INTO', 'INSERT OR IGNORE INTO'))));
}

/** Adds the copies `from` to `to` of the first rows of every table. Returns the names of tables without a row that should have one. */
export async function multiplyTables(from: number, to: number): Promise<string[]> {
  const empty: string[] = [];
  for (const table of await listTables()) {
    const { columns, unique } = await readColumns(table);
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const values = columns.map((column) => copiedValue(column, unique)).join(', ');
    await env.DB.prepare(
      `WITH RECURSIVE numbers(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM numbers WHERE i < ${to})
       INSERT OR IGNORE INTO "${table}" (${names}) SELECT ${values} FROM (SELECT * FROM "${table}" LIMIT ${ORIGINALS}) AS t, numbers`,
    ).run();
    const row = await env.DB.prepare(`SELECT 1 AS one FROM "${table}" LIMIT 1`).first();
    if (!row && !(table in EMPTY)) empty.push(table);
  }
  return empty;
}
