import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/** Same as in wrangler.toml: the baselines run with the service's settings. */
export const COMPATIBILITY_DATE = '2026-10-23';

interface Needs {
  durableObjects?: Record<string, { className: string; useSQLite: boolean }>;
  r2Buckets?: string[];
  compatibilityFlags?: string[];
}

/** Starts a runtime with one Worker that listens on a socket without a proxy in front. */
export async function startBareRuntime(script: string, socket: { host: string; port: number }, needs: Needs = {}): Promise<Miniflare> {
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script,
      compatibilityDate: COMPATIBILITY_DATE,
      cf: false,
      host: '127.0.0.1',
      port: 0,
      logRequests: false,
      unsafeDirectSockets: [socket],
      ...needs,
    }),
  );
  await mf.ready;
  return mf;
}
