import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { R2Bucket } from '@cloudflare/workers-types';
import { drizzle } from 'drizzle-orm/d1';
import { createDatabase } from '../../src/platform/storage/database.ts';
import type { ExampleServer } from '../../test/clients/examples.ts';
import { storeExampleProject } from '../../test/support/example-data.ts';
import { stopUpstreams } from '../../test/support/upstreams/registry.ts';
import { type DemoWorld, fillDemo } from '../demo/steps.ts';
import { ensureAccount, ORDINARY_ACCOUNT } from './accounts.ts';
import { contentsOf } from './archive/bindings.ts';
import { type BundleOptions, type RunningBundle, startBundle } from './bundle.ts';
import { productionVars, tokenFormatIn } from './config.ts';
import type { DevFile } from './dev/dev-file.ts';
import { chatMessagesUrlOf, startMocks, varsOf } from './dev/mock-services.ts';
import { createAccounts } from './dev/seed-accounts.ts';

/** A development server accepts the clock of a request; the multiplier lifts the rate limits. */
const VARS = { ENVIRONMENT: 'development', RATE_LIMIT_MULTIPLIER: '100', SESSION_SECRET: 'a secret of demo data, 32 or more characters' };

/** Small and quick; the journeys of users need `DEMO_SIZE`. */
const SMALL: Pick<DemoWorld, 'game' | 'hours'> = { game: { files: 300, entries: 120 }, hours: 30 };

/** Runs `use` against the bundle with demo data in every area and mocks of external services, then deletes the server and its storage. */
export async function withDemoWorld<Result>(
  { vars, size = SMALL, ...options }: Pick<BundleOptions, 'reuseBuild' | 'directSocket' | 'vars'> & { size?: typeof SMALL },
  use: (server: DevFile & ExampleServer, bundle: RunningBundle, state: string) => Promise<Result>,
): Promise<Result> {
  const state = mkdtempSync(join(tmpdir(), 'game-data-world-'));
  const mocks = await startMocks();
  try {
    const bundle = await startBundle({ ...options, vars: { ...VARS, ...varsOf(mocks), ...vars }, persistTo: state });
    try {
      const { database: binding, url: baseUrl } = bundle;
      const format = tokenFormatIn({ ...productionVars(), TOKEN_KEY: bundle.tokenKey });
      const server = await createAccounts({ binding, baseUrl, format, chatMessagesUrl: chatMessagesUrlOf(mocks) }, null);
      const contents = contentsOf((await bundle.mf.getR2Bucket('ARCHIVE')) as unknown as R2Bucket);
      const archive = { binding, db: createDatabase(binding), contents };
      await fillDemo({ server, state: archive, ...size });
      const userId = await ensureAccount(drizzle(binding), ORDINARY_ACCOUNT, Math.floor(Date.now() / 1000));
      return await use({ ...server, project_key: await storeExampleProject(archive.db, format, userId) }, bundle, state);
    } finally {
      await bundle.dispose();
    }
  } finally {
    await stopUpstreams(mocks);
    rmSync(state, { recursive: true, force: true });
  }
}
