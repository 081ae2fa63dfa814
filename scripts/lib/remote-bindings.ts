import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { getPlatformProxy } from 'wrangler';
import { readWranglerConfig, remoteEnvironment } from './config.ts';
import { inRoot } from './paths.ts';
import { close, runStep } from './steps.ts';
import { writeWholeFile } from './whole-files.ts';

/** wrangler uploads a preview Worker and starts a local runtime. */
const OPEN_TIMEOUT_MS = 180_000;

export interface RemoteBindings {
  database: D1Database;
  bucket: R2Bucket;
  dispose(): Promise<void>;
}

/**
 * Opens the deployed database and one bucket through wrangler's proxy. Its configuration has these bindings only and does not run the
 * Worker. Throws UserError when the platform refuses or does not respond.
 */
export async function openRemoteBindings(bucketBinding: 'ARCHIVE' | 'BACKUPS'): Promise<RemoteBindings> {
  const environment = remoteEnvironment();
  // wrangler logs a failure with its stack; the error that it throws has the reason.
  process.env.WRANGLER_LOG = 'none';
  const step = {
    name: `Opening the deployed database and the bucket ${bucketBinding} of ${environment}`,
    standing: 'Nothing was read or changed. Check CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_API_TOKEN and the network, then run the command again.',
    timeoutMs: OPEN_TIMEOUT_MS,
  };
  return runStep(step, async () => {
    const { name, compatibility_date, d1_databases, r2_buckets } = readWranglerConfig(environment);
    const remote = <Item extends object>(items: readonly Item[]) => items.map((item) => ({ ...item, remote: true }));
    const buckets = r2_buckets.filter(({ binding }: { binding: string }) => binding === bucketBinding);
    const configPath = inRoot('.local', `${bucketBinding.toLowerCase()}-remote.wrangler.json`);
    writeWholeFile(
      configPath,
      JSON.stringify({ name, compatibility_date, d1_databases: remote(d1_databases), r2_buckets: remote(buckets) }),
    );
    const proxy = await getPlatformProxy<Record<'DB', D1Database> & Record<typeof bucketBinding, R2Bucket>>({
      configPath,
      envFiles: [],
      remoteBindings: true,
    });
    return { database: proxy.env.DB, bucket: proxy.env[bucketBinding], dispose: () => close(() => proxy.dispose()) };
  });
}
