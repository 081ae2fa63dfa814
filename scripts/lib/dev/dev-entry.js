// What `npm start` serves: the service, and beside it the endpoints by which scripts reach its database and archive. A second
// runtime over the same files would make the service fail with SQLITE_BUSY.
import service from '../../../src/index.ts';
import localState from './local-state-worker.js';

export * from '../../../src/index.ts';

export default {
  ...service,
  fetch(request, env, context) {
    // The key keeps out the pages of a browser on this machine.
    const isScript = env.LOCAL_STATE_KEY && request.headers.get('X-Local-State-Key') === env.LOCAL_STATE_KEY;
    return isScript ? localState.fetch(request, env) : service.fetch(request, env, context);
  },
};
