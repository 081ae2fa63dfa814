import { env } from 'cloudflare:workers';
import { MOD_LIMITS, RELEASE_LIMITS } from '../../src/areas/mods-catalog/records/catalog.data.ts';

/** Mods and releases with the longest permitted texts, copied in the database: an insert of each would take minutes. */

type Values = Record<string, string | number | null>;

/** Copies the first row of a table, with the values of each change. */
async function copyRow(table: string, generated: readonly string[], changes: readonly Values[]): Promise<void> {
  const { results } = await env.DB.prepare(`select * from ${table} order by rowid limit 1`).all<Values>();
  const columns = Object.keys(results[0] ?? {}).filter((name) => !generated.includes(name));
  const values = columns.map((name) => `json_extract(?1, '$.${name}')`);
  const insert = env.DB.prepare(`insert into ${table} (${columns.join()}) select ${values.join()}`);
  for (let start = 0; start < changes.length; start += 25) {
    const rows = changes.slice(start, start + 25).map((change) => JSON.stringify({ ...results[0], ...change }));
    await env.DB.batch(rows.map((row) => insert.bind(row)));
  }
}

export const copiedHash = (n: number) => n.toString(16).padStart(64, 'a');

/** Adds copies of the first release to its mod, with the longest changelog. */
export function copyRelease(copies: number, changelog = 'c'.repeat(RELEASE_LIMITS.changelog)): Promise<void> {
  const changes = Array.from({ length: copies }, (_, n) => ({ id: `copy-${n}`, tag: `t${n}`, sha256: copiedHash(n), changelog }));
  return copyRow('mod_releases', [], changes);
}

/** Adds copies of the first mod with texts of three bytes a character and a translation: 100 of them have 30 MB. */
export function copyMod(copies: number): Promise<void> {
  const readme = '\u6f22'.repeat(MOD_LIMITS.readme);
  const texts = { readme_text: readme, readme_i18n: JSON.stringify({ ja: readme }) };
  const changes = Array.from({ length: copies }, (_, n) => ({ ...texts, id: 1000 + n, slug: `copy-${n}`, source_id: null }));
  return copyRow('mods', ['is_visible', 'download_count'], changes);
}
