import { createHash } from 'node:crypto';
import type { D1Database } from '@cloudflare/workers-types';
import { type RunningBundle, startBundle } from '../../scripts/lib/bundle.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';

const BRANCH = 'live-us';
const TIMEOUT_SECONDS = 300;
const LOOK_EVERY_MS = 50;

/** Content of an indexed branch by table: number of rows, and a hash of the rows without build numbers. */
export interface IndexedState {
  tables: Record<string, string>;
  /** Number of orphaned or missing rows by kind; empty if consistent. */
  orphans: Record<string, number>;
}

const TABLES = ['entries', 'stats', 'abilities', 'links', 'requirements', 'upgrades', 'units', 'facets', 'changes', 'failures'];

const ORPHANS: Readonly<Record<string, string>> = {
  stats:
    'SELECT count(*) AS n FROM codex_stats s WHERE NOT EXISTS (SELECT 1 FROM codex_entries e WHERE e.branch = s.branch AND e.path = s.path)',
  abilities:
    'SELECT count(*) AS n FROM codex_abilities a WHERE NOT EXISTS (SELECT 1 FROM codex_entries e WHERE e.branch = a.branch AND e.path = a.path)',
  links: `SELECT count(*) AS n FROM codex_links l WHERE l.unit LIKE 'entry:%'
    AND NOT EXISTS (SELECT 1 FROM codex_entries e WHERE e.branch = l.branch AND 'entry:' || e.path = l.unit)`,
  staging: 'SELECT count(*) AS n FROM codex_staging',
  searched: 'SELECT abs((SELECT count(*) FROM codex_entries) - (SELECT count(*) FROM codex_search)) AS n',
};

/** Runs the index of a branch on stored state to completion. Prints `started`, `done`, and the stored content as JSON. */
await runMain(async () => {
  const [state] = process.argv.slice(2);
  if (!state) throw new UserError('the state folder is missing');
  const bundle = await startBundle({
    reuseBuild: true,
    withoutAssets: true,
    persistTo: state,
    vars: { ENVIRONMENT: 'development', LOG_SAMPLE: '0' },
  });
  try {
    await index(bundle);
    console.log('done');
    console.log(JSON.stringify(await stateOf(bundle.database)));
  } finally {
    await bundle.dispose();
  }
});

async function index({ mf, database }: RunningBundle): Promise<void> {
  const objects = await mf.getDurableObjectNamespace('CODEX_INDEX');
  const stub = objects.getByName(BRANCH) as unknown as { start(branch: string, now: number): Promise<string> };
  console.log('started');
  const until = performance.now() + TIMEOUT_SECONDS * 1000;
  // `start` returns `current` once the newest version is indexed.
  while ((await stub.start(BRANCH, Math.floor(Date.now() / 1000))) !== 'current') {
    if (performance.now() > until) throw new UserError('the index did not finish in time');
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  const row = await database.prepare('SELECT dump_sha256 FROM codex_branches WHERE branch = ?').bind(BRANCH).first();
  if (row?.dump_sha256 == null) throw new UserError('the dump is missing');
}

async function stateOf(database: D1Database): Promise<IndexedState> {
  const tables: Record<string, string> = {};
  for (const table of TABLES) {
    const { results } = await database.prepare(`SELECT * FROM codex_${table} WHERE branch = ?`).bind(BRANCH).all();
    const rows = results.map((row) => JSON.stringify({ ...row, id: 0, indexed_at: 0 })).sort();
    tables[table] = `${rows.length} rows ${createHash('sha256').update(rows.join('\n')).digest('hex').slice(0, 16)}`;
  }
  const branch = await database.prepare('SELECT ordinal, dump_sha256 FROM codex_branches WHERE branch = ?').bind(BRANCH).first();
  tables.branch = JSON.stringify(branch);
  const orphans: Record<string, number> = {};
  for (const [kind, sql] of Object.entries(ORPHANS)) {
    const n = Number((await database.prepare(sql).first<{ n: number }>())?.n ?? 0);
    if (n > 0) orphans[kind] = n;
  }
  return { tables, orphans };
}
