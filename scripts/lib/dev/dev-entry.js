// Entry of `npm start`: the service, plus endpoints through which scripts access its database and archive. A second runtime over
// the same files would make the service fail with SQLITE_BUSY.
import service from '../../../src/index.ts';
import { withDefaults } from '../../../src/platform/settings/variables.data.ts';
import localState from './local-state-worker.js';

export * from '../../../src/index.ts';

/** KV key whose value is the state key of the last start that finished its preparations. */
const PREPARED_KEY = 'local-start';
const POLL_MS = 50;
const TIMEOUT_MS = 60_000;
let isPrepared = false;

/** Waits until `npm start` has migrated the database and stored accounts and settings, which it does through this server. */
async function prepared(env) {
  for (const deadline = Date.now() + TIMEOUT_MS; !isPrepared && Date.now() < deadline; ) {
    isPrepared = (await env.CACHE.get(PREPARED_KEY)) === env.LOCAL_STATE_KEY;
    if (!isPrepared) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Handles requests of scripts: access to the state, and the end of the preparations. */
async function fetchForScript(request, env) {
  const { pathname } = new URL(request.url);
  if (pathname === '/token-vars') {
    const { ENVIRONMENT, TOKEN_PREFIX, TOKEN_KEY, TOKEN_KEY_PREVIOUS, TOKEN_CHECK } = withDefaults(env);
    return Response.json({ ENVIRONMENT, TOKEN_PREFIX, TOKEN_KEY, TOKEN_KEY_PREVIOUS, TOKEN_CHECK });
  }
  if (pathname !== '/prepared') return localState.fetch(request, env);
  await env.CACHE.put(PREPARED_KEY, env.LOCAL_STATE_KEY);
  return Response.json(true);
}

export default {
  ...service,
  async fetch(request, env, context) {
    // The key prevents access by web pages in a local browser.
    const isScript = env.LOCAL_STATE_KEY && request.headers.get('X-Local-State-Key') === env.LOCAL_STATE_KEY;
    if (isScript) return fetchForScript(request, env);
    if (!isPrepared) await prepared(env);
    return service.fetch(request, env, context);
  },
};
