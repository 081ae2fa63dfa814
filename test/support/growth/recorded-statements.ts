import { env } from 'cloudflare:workers';

type Prepare = (this: object, text: string) => D1PreparedStatement;

/** Records the text of every statement that the isolate prepares while `work` runs, also in objects. */
export async function recordStatements(work: () => Promise<unknown>): Promise<Set<string>> {
  const texts = new Set<string>();
  const owners = [Object.getPrototypeOf(env.DB), Object.getPrototypeOf(env.DB.withSession())] as { prepare: Prepare }[];
  const originals = owners.map((owner) => owner.prepare);
  for (const [index, owner] of owners.entries()) {
    owner.prepare = function (text) {
      texts.add(text);
      return (originals[index] as Prepare).call(this, text);
    };
  }
  try {
    await work();
  } finally {
    for (const [index, owner] of owners.entries()) owner.prepare = originals[index] as Prepare;
  }
  return texts;
}

/** Number of parameters of a statement: `?1` may repeat. */
function parametersOf(text: string): number {
  const bare = text.replaceAll(/'[^']*'/g, '');
  const numbered = [...bare.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
  return numbered.length > 0 ? Math.max(...numbered) : bare.split('?').length - 1;
}

const STATEMENTS_PER_BATCH = 50;

/** Names of the indexes that the plans of statements use. */
export async function indexesOf(texts: Iterable<string>): Promise<Set<string>> {
  const explained = [...texts]
    .filter((text) => /^\s*(?:select|with|insert|update|delete)\b/i.test(text))
    .map((text) => env.DB.prepare(`EXPLAIN QUERY PLAN ${text}`).bind(...Array(parametersOf(text)).fill('1')));
  const used = new Set<string>();
  for (let at = 0; at < explained.length; at += STATEMENTS_PER_BATCH) {
    for (const { results } of await env.DB.batch<{ detail: string }>(explained.slice(at, at + STATEMENTS_PER_BATCH))) {
      for (const { detail } of results) for (const [, name = ''] of detail.matchAll(/USING (?:COVERING )?INDEX (\w+)/g)) used.add(name);
    }
  }
  return used;
}

/** Names of the indexes that only make reads faster, by table: not those of a key or of a unique column. */
export async function listIndexes(): Promise<{ name: string; table: string }[]> {
  const { results } = await env.DB.prepare(
    `SELECT name, tbl_name AS "table" FROM sqlite_master WHERE type = 'index' AND sql NOT LIKE 'CREATE UNIQUE%' ORDER BY tbl_name, name`,
  ).all<{ name: string; table: string }>();
  return results;
}
