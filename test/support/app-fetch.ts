import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { createApp } from '../../src/app.ts';
import type { Fetch } from './requests.ts';

/** Sends requests directly to an application and waits for its `waitUntil` work. */
export function appFetch(app: ReturnType<typeof createApp>): Fetch {
  return async (request) => {
    const context = createExecutionContext();
    const response = await app.fetch(request, env, context);
    // Read the body first, because streaming it is part of the work. Event streams never end.
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
    const complete = response.body && !isStream ? new Response(await response.arrayBuffer(), response) : response;
    await waitOnExecutionContext(context);
    return complete;
  };
}
