import { env } from 'cloudflare:workers';
import { afterAll } from 'vitest';
import { withDefaults } from '../../src/platform/settings/variables.data.ts';
import { enableAllFeatures } from '../support/endpoints.ts';
import { dnsAnswer } from '../support/upstreams/dns-answers.ts';
import '../support/random-sizes.ts';
import { seedStorage } from './seeds.ts';

// Before the first request of a test file, because the service caches its settings.
await enableAllFeatures();
await seedStorage();

// Mocks the platform of videos-b and the linked mods catalog, which tests must not request, and the resolver, whose time limit a busy machine may exceed.
const throughNetwork = globalThis.fetch;
globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.hostname.endsWith('.hdslb.com')) {
    return new Response(new Uint8Array([0xff, 0xd8, 0xff]), { headers: { 'Content-Type': 'image/jpeg' } });
  }
  if (url.href.startsWith(withDefaults(env).DNS_OVER_HTTPS_URL)) {
    const body = dnsAnswer(url.searchParams.get('name') ?? '', url.searchParams.get('type') ?? 'A');
    return new Response(body, { headers: { 'Content-Type': 'application/dns-json' } });
  }
  if (url.href.startsWith(`${withDefaults(env).MODS_MIRROR_URL}/`)) return Response.json([]);
  return throughNetwork(input, init);
};

// Other files may share the runtime.
afterAll(() => {
  globalThis.fetch = throughNetwork;
});
