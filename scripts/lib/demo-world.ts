import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { R2Bucket } from '@cloudflare/workers-types';
import { createContentStore } from '../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { storeExamples } from '../../test/support/example-data.ts';
import { demoLeaderboards } from '../demo/leaderboards.ts';
import { demoMarket } from '../demo/market.ts';
import { openArchive } from './archive/bindings.ts';
import { loadDemo } from './archive/demo.ts';
import { demoBuilds } from './archive/demo-builds.ts';
import { type BundleOptions, startBundle } from './bundle.ts';
import { createDemoClient, type DemoServer } from './demo-client.ts';
import { openMigratedState } from './dev/local-state.ts';

/** A development server takes the clock of a request, and limits that are no obstacle. */
const VARS = { ENVIRONMENT: 'development', RATE_LIMIT_MULTIPLIER: '100' };
const HOURS = 30;
const GAME = { files: 300, entries: 120 };
const INDEX_JOB = 'codexes-index';
const INDEX_TIMEOUT_MS = 120_000;
const POLL_MS = 500;

/** Runs `use` against the bundle with made-up data in every area; the server and its storage are gone afterwards. */
export async function withDemoWorld<Result>(
  options: Pick<BundleOptions, 'reuseBuild' | 'directSocket'>,
  use: (server: DemoServer) => Promise<Result>,
): Promise<Result> {
  const state = mkdtempSync(join(tmpdir(), 'game-data-world-'));
  try {
    await storeGame(state);
    const bundle = await startBundle({ ...options, vars: VARS, persistTo: state });
    try {
      const [token, superuserToken] = [await bundle.mintToken(), await bundle.mintToken({ superuser: true })];
      const server = { base_url: bundle.url, token, superuser_token: superuserToken };
      const contents = createContentStore((await bundle.mf.getR2Bucket('ARCHIVE')) as unknown as R2Bucket);
      await storeExamples(createDatabase(bundle.database), contents);
      await fill(server);
      return await use(server);
    } finally {
      await bundle.dispose();
    }
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** A made-up game of two versions. */
async function storeGame(state: string): Promise<void> {
  await (await openMigratedState(state)).dispose();
  const archive = await openArchive({ isRemote: false, state });
  const { first, second } = demoBuilds(GAME);
  try {
    await loadDemo({ branch: 'live-us', archive, builds: [first, second], parallel: 4 });
  } finally {
    await archive.dispose();
  }
}

/** Leaderboards and market through the inserts; the codexes through their job. */
async function fill(server: DemoServer): Promise<void> {
  const client = createDemoClient(server);
  await demoLeaderboards(client, HOURS);
  await demoMarket(client, { now: Math.floor(Date.now() / 1000), hours: 2 });
  await post(server, `/admin/jobs/${INDEX_JOB}/run`);
  for (const deadline = Date.now() + INDEX_TIMEOUT_MS; Date.now() < deadline; ) {
    const { items } = (await client.read('/v1/codexes/types')) as { items: unknown[] };
    if (items.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('the codexes were not indexed in time');
}

async function post({ base_url: origin, superuser_token: token }: DemoServer, path: string, body?: object): Promise<void> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
}
