import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { demoBuilds } from '../../scripts/lib/archive/demo-builds.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { createRecipeTreeStore } from '../../src/areas/codexes/crafting/recipe-tree.store.ts';
import { createCodexEndpoints } from '../../src/areas/codexes/index.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { createFolderIndex, type FolderIndex } from './index-folder.ts';

const BRANCH = 'live-us';
/** Size of the demo game of `npm start`. */
const DEMO = { files: 400, entries: 200 };

/** Requests by path with their query; `{…}` are values of the indexed game. */
const REQUESTS: readonly string[] = [
  '/v1/codexes/types',
  '/v1/codexes/languages',
  '/v1/codexes/{type}?limit=50',
  '/v1/codexes/{type}?limit=200&offset=400&sort=-mastery',
  '/v1/codexes/{type}?search={word}',
  '/v1/codexes/{type}?stat={stat}&sort=-stat_value',
  '/v1/codexes/{type}?tradable=true&category={category}',
  '/v1/codexes/{type}/categories',
  '/v1/codexes/{type}/stat-keys',
  '/v1/codexes/{type}/abilities',
  '/v1/codexes/{type}/entry?path={path}',
  '/v1/codexes/search?q={word}',
  '/v1/codexes/search?q={word}&lang={lang}',
  '/v1/codexes/search?q=a&sort=-mastery',
  '/v1/codexes/search?limit=200&offset=5000',
  '/v1/codexes/links?path={path}&direction=in',
  '/v1/codexes/links?path={target}&direction=in',
  '/v1/codexes/stats?stat={stat}',
  '/v1/codexes/upgrades',
  '/v1/codexes/changes?since=0&limit=200',
  '/v1/codexes/changes?since=1&limit=200&offset=400',
  '/v1/codexes/builds',
  '/v1/codexes/changes/{ordinal}?limit=200',
];

interface Row {
  statements: number;
  'rows read': number;
  bytes: number;
  ms: number;
}

/**
 * `node test/corpus/request-costs.ts OLD NEW`: prints what requests of the codex cost with the demo game and with two real versions: statements and rows
 * read of the first request and of a repetition, bytes and milliseconds of the repetition. Reads the folders in place.
 */
await runMain(async () => {
  const folders = process.argv.slice(2);
  if (folders.length === 0) throw new UserError('Usage: node test/corpus/request-costs.ts OLD NEW');
  const temporary = mkdtempSync(join(tmpdir(), 'request-costs-'));
  try {
    const { first, second } = demoBuilds(DEMO);
    const demo = [first, second].map(({ versionTag, logical }) => writeFolder(join(temporary, versionTag), logical));
    for (const [name, dirs] of Object.entries({ 'demo game': demo, 'real game': folders })) {
      const index = await createFolderIndex(join(temporary, name, 'v3'));
      try {
        for (const dir of dirs) await index.index(dir);
        console.log(`\n${name}`);
        console.table(await measureRequests(index, dirs.length));
      } finally {
        await index.dispose();
      }
    }
  } finally {
    rmSync(temporary, { recursive: true });
  }
});

function writeFolder(dir: string, files: ReadonlyMap<string, Uint8Array>): string {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), bytes);
  }
  return dir;
}

async function measureRequests(index: FolderIndex, ordinal: number): Promise<Record<string, Row & { first: number }>> {
  const endpoints = await createCodexEndpoints(index.db, index.contents as Parameters<typeof createCodexEndpoints>[1]);
  const values: Record<string, string> = { ...(await valuesOf(index)), ordinal: String(ordinal) };
  const rows: Record<string, Row & { first: number }> = {};
  for (const request of REQUESTS) {
    const first = await send(index, endpoints, request, values);
    const again = await send(index, endpoints, request, values);
    rows[request] = { ...again, first: first['rows read'] };
  }
  const tree = createRecipeTreeStore(index.db);
  let bytes = 0;
  const startedAt = performance.now();
  const cost = await index.measure(async () => {
    const graph = await tree.readGraph(BRANCH, values.crafted ?? '');
    bytes = JSON.stringify({ ...graph, entries: [...graph.entries] }).length;
  });
  const ms = Math.round(performance.now() - startedAt);
  rows['crafting tree of {crafted}'] = { statements: cost.statements, 'rows read': cost.rowsRead, first: cost.rowsRead, bytes, ms };
  return rows;
}

/** Values for the requests: those with the most matches. */
async function valuesOf({ binding }: FolderIndex): Promise<Record<string, string>> {
  const one = async (sql: string) => String(Object.values((await binding.prepare(sql).all()).results[0] ?? {})[0] ?? '');
  const type = await one('SELECT type FROM codex_entries GROUP BY type ORDER BY count(*) DESC LIMIT 1');
  const entry = `FROM codex_entries WHERE type = '${type}'`;
  return {
    type,
    path: await one(`SELECT path ${entry} ORDER BY path LIMIT 1 OFFSET 20`),
    category: await one(`SELECT category ${entry} GROUP BY category ORDER BY count(*) DESC LIMIT 1`),
    word: await one("SELECT substr(name_folded, 1, 3) FROM codex_entries WHERE name <> '' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"),
    stat: await one('SELECT stat FROM codex_stats GROUP BY stat ORDER BY count(*) DESC LIMIT 1'),
    target: await one('SELECT target FROM codex_links GROUP BY target ORDER BY count(*) DESC LIMIT 1'),
    crafted: await one("SELECT target FROM codex_links WHERE rel = 'crafts' ORDER BY target LIMIT 1 OFFSET 50"),
    lang: await one('SELECT lang FROM codex_languages ORDER BY lang LIMIT 1'),
  };
}

async function send(index: FolderIndex, endpoints: readonly Endpoint[], template: string, values: Record<string, string>): Promise<Row> {
  const [path = '', search = ''] = template.split('?');
  const query = new URLSearchParams(search.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '')));
  const endpoint = endpoints.find(({ spec }) => spec.path === path);
  if (!endpoint) throw new Error(`no endpoint ${path}`);
  const { spec, handler } = endpoint;
  const params = Object.fromEntries(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, values[name]]));
  const pending: Promise<unknown>[] = [];
  const input = {
    params: spec.params?.parse(params),
    query: spec.query?.parse(Object.fromEntries(query)),
    request: new Request(`http://localhost${path}`),
    baseUrl: 'http://localhost',
    waitUntil: (promise: Promise<unknown>) => pending.push(promise),
  } as unknown as Parameters<typeof handler>[0];
  let bytes = 0;
  const startedAt = performance.now();
  const cost = await index.measure(async () => {
    const reply = (await handler(input)) as unknown as { kind: string; text?: string; body?: ReadableStream<Uint8Array> | null };
    if (reply.kind === 'json') bytes = Buffer.byteLength(reply.text ?? '');
    else if (reply.body) for await (const chunk of reply.body) bytes += chunk.length;
  });
  const ms = Math.round(performance.now() - startedAt);
  await Promise.all(pending);
  return { statements: cost.statements, 'rows read': cost.rowsRead, bytes, ms };
}
