import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { R2Bucket } from '@cloudflare/workers-types';
import { drizzle } from 'drizzle-orm/d1';
import { createDatabase } from '../../src/platform/storage/database.ts';
import type { ExampleServer } from '../../test/clients/examples.ts';
import { storeExampleProject } from '../../test/support/example-data.ts';
import { fillDemo } from '../demo/steps.ts';
import { ensureAccount, ORDINARY_ACCOUNT } from './accounts.ts';
import { contentsOf } from './archive/bindings.ts';
import { type BundleOptions, type RunningBundle, startBundle } from './bundle.ts';
import { productionVars, tokenFormatIn } from './config.ts';

/** A development server accepts the clock of a request; the multiplier lifts the rate limits. */
const VARS = { ENVIRONMENT: 'development', RATE_LIMIT_MULTIPLIER: '100' };
const HOURS = 30;
const GAME = { files: 300, entries: 120 };

/** Runs `use` against the bundle with demo data in every area, then deletes the server and its storage. */
export async function withDemoWorld<Result>(
  { vars, ...options }: Pick<BundleOptions, 'reuseBuild' | 'directSocket' | 'vars'>,
  use: (server: ExampleServer, bundle: RunningBundle, state: string) => Promise<Result>,
): Promise<Result> {
  const state = mkdtempSync(join(tmpdir(), 'game-data-world-'));
  try {
    const bundle = await startBundle({ ...options, vars: { ...VARS, ...vars }, persistTo: state });
    try {
      const [token, superuserToken] = [await bundle.mintToken(), await bundle.mintToken({ superuser: true })];
      const server = { base_url: bundle.url, token, superuser_token: superuserToken, portal: null };
      const contents = contentsOf((await bundle.mf.getR2Bucket('ARCHIVE')) as unknown as R2Bucket);
      const archive = { binding: bundle.database, db: createDatabase(bundle.database), contents };
      await fillDemo({ server, state: archive, game: GAME, hours: HOURS });
      const tokenFormat = tokenFormatIn({ ...productionVars(), TOKEN_KEY: bundle.tokenKey });
      const userId = await ensureAccount(drizzle(bundle.database), ORDINARY_ACCOUNT, Math.floor(Date.now() / 1000));
      return await use({ ...server, project_key: await storeExampleProject(archive.db, tokenFormat, userId) }, bundle, state);
    } finally {
      await bundle.dispose();
    }
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}
