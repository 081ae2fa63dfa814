// Entry of `npm start`: the service, and beside it the endpoints by which scripts reach its database and archive. A second
// runtime over the same files would make the service fail with SQLITE_BUSY.
import service from '../../../src/index.ts';
import localState from './local-state-worker.js';

export * from '../../../src/index.ts';

/** In the cache: the key of the start that prepared the state. */
const PREPARED_KEY = 'local-start';
const POLL_MS = 50;
const TIMEOUT_MS = 60_000;
let isPrepared = false;

/** `npm start` migrates the database, makes accounts and settings through this very server. Requests wait for it. */
async function prepared(env) {
  for (const deadline = Date.now() + TIMEOUT_MS; !isPrepared && Date.now() < deadline; ) {
    isPrepared = (await env.CACHE.get(PREPARED_KEY)) === env.LOCAL_STATE_KEY;
    if (!isPrepared) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Scripts work on the state, and say when the preparations of this start are made. */
async function fetchForScript(request, env) {
  const { pathname } = new URL(request.url);
  if (pathname === '/token-prefix') return Response.json(env.TOKEN_PREFIX);
  if (pathname !== '/prepared') return localState.fetch(request, env);
  await env.CACHE.put(PREPARED_KEY, env.LOCAL_STATE_KEY);
  return Response.json(true);
}

export default {
  ...service,
  async fetch(request, env, context) {
    // The key keeps out the pages of a browser on this machine.
    const isScript = env.LOCAL_STATE_KEY && request.headers.get('X-Local-State-Key') === env.LOCAL_STATE_KEY;
    if (isScript) return fetchForScript(request, env);
    if (!isPrepared) await prepared(env);
    return service.fetch(request, env, context);
  },
};
