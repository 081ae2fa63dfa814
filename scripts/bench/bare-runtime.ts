import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/** That of wrangler.toml: yardsticks run as the service does. */
export const COMPATIBILITY_DATE = '2026-10-23';

interface Needs {
  durableObjects?: Record<string, { className: string; useSQLite: boolean }>;
  r2Buckets?: string[];
  compatibilityFlags?: string[];
}

/** A runtime with one Worker of so much code and nothing else, which responds on a socket that leads straight to it. */
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
