import { env } from 'cloudflare:workers';
import { afterAll } from 'vitest';
import { switchEverythingOn } from '../support/endpoints.ts';
import { upstreamSession } from '../support/upstreams/session.ts';
import { seedStorage } from './seeds.ts';

// Before the first request of a test file, as the service keeps its settings for a while.
await switchEverythingOn();
await seedStorage();

// The platform of videos-b, which no test asks, and the resolver, whose port is not known when the service is configured.
const throughNetwork = globalThis.fetch;
const resolver = upstreamSession('name-resolver');
globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.hostname.endsWith('.hdslb.com')) {
    return new Response(new Uint8Array([0xff, 0xd8, 0xff]), { headers: { 'Content-Type': 'image/jpeg' } });
  }
  if (url.href.startsWith(env.DNS_OVER_HTTPS_URL)) return throughNetwork(`${resolver.vars.DNS_OVER_HTTPS_URL}${url.search}`, init);
  return throughNetwork(input, init);
};

// One line a request is more to collect than to answer; errors are still shown.
const log = console.log;
console.log = () => {};

// Other files may share the runtime.
afterAll(() => {
  globalThis.fetch = throughNetwork;
  console.log = log;
});
