import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { createApp } from '../../src/app.ts';
import type { Fetch } from './requests.ts';

/** Calls an application directly and waits for the work that goes on after the response. */
export function appFetch(app: ReturnType<typeof createApp>): Fetch {
  return async (request) => {
    const context = createExecutionContext();
    const response = await app.fetch(request, env, context);
    // A response that is made while it is sent is part of that work, so it is read first. Event streams never end.
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
    const whole = response.body && !isStream ? new Response(await response.arrayBuffer(), response) : response;
    await waitOnExecutionContext(context);
    return whole;
  };
}
