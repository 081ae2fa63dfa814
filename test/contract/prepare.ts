import { env } from 'cloudflare:workers';
import { afterAll } from 'vitest';
import { withDefaults } from '../../src/platform/variables.data.ts';
import { enableAllFeatures } from '../support/endpoints.ts';
import { upstreamSession } from '../support/upstreams/session.ts';
import { seedStorage } from './seeds.ts';

// Before the first request of a test file, because the service caches its settings.
await enableAllFeatures();
await seedStorage();

// Mocks the platform of videos-b, which tests must not request, and redirects to the resolver, whose port is dynamic.
const throughNetwork = globalThis.fetch;
const resolver = upstreamSession('name-resolver');
globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.hostname.endsWith('.hdslb.com')) {
    return new Response(new Uint8Array([0xff, 0xd8, 0xff]), { headers: { 'Content-Type': 'image/jpeg' } });
  }
  if (url.href.startsWith(withDefaults(env).DNS_OVER_HTTPS_URL))
    return throughNetwork(`${resolver.vars.DNS_OVER_HTTPS_URL}${url.search}`, init);
  return throughNetwork(input, init);
};

// Silences the request log, which slows the tests down. Errors are still printed.
const log = console.log;
console.log = () => {};

// Restores both, because other files may share the runtime.
afterAll(() => {
  globalThis.fetch = throughNetwork;
  console.log = log;
});
