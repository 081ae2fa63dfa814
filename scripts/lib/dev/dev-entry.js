// What `npm start` serves: the service, and beside it the endpoints by which scripts reach its database and archive. A second
// runtime over the same files would make the service fail with SQLITE_BUSY.
import service from '../../../src/index.ts';
import localState from './local-state-worker.js';

export * from '../../../src/index.ts';

const POLL_MS = 50;
const MIGRATION_TIMEOUT_MS = 60_000;
const IS_APPLIED = 'SELECT 1 FROM d1_migrations WHERE name = ?';
let isMigrated = false;

/** `npm start` migrates the database through this very server. Requests wait for it. */
async function migrated(env) {
  for (const deadline = Date.now() + MIGRATION_TIMEOUT_MS; !isMigrated && Date.now() < deadline; ) {
    const row = await env.DB.prepare(IS_APPLIED)
      .bind(env.LOCAL_MIGRATION)
      .first()
      .catch(() => null);
    isMigrated = row !== null;
    if (!isMigrated) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export default {
  ...service,
  async fetch(request, env, context) {
    // The key keeps out the pages of a browser on this machine.
    const isScript = env.LOCAL_STATE_KEY && request.headers.get('X-Local-State-Key') === env.LOCAL_STATE_KEY;
    if (isScript) return localState.fetch(request, env);
    if (!isMigrated) await migrated(env);
    return service.fetch(request, env, context);
  },
};
