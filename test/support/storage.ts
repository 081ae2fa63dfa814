import { env } from 'cloudflare:workers';

/** Tables that any request may change: token usage, insert log, queued mail. */
const BOOKKEEPING = ['api_tokens', 'ingest_log', 'usage_days', 'mail_outbox'];

/** Content of all other tables, as text to compare. */
export async function storedState(): Promise<string> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*' ORDER BY name",
  ).all<{ name: string }>();
  const tables = results.map(({ name }) => name).filter((name) => !BOOKKEEPING.includes(name));
  const rows = await env.DB.batch(tables.map((name) => env.DB.prepare(`SELECT * FROM "${name}"`)));
  return JSON.stringify(rows.map((result, index) => [tables[index], result.results]));
}
