import { env } from 'cloudflare:workers';
import { afterAll } from 'vitest';
import { withDefaults } from '../../src/platform/settings/variables.data.ts';
import { enableAllFeatures } from '../support/endpoints.ts';
import { oncePerFile } from '../support/once-per-file.ts';
import { dnsAnswer } from '../support/upstreams/dns-answers.ts';
import { seedStorage } from './seeds.ts';

/**
 * Enables every area, stores the data of the examples and replaces external services, once for each test file. Call before the first
 * request of the file, because the service caches its settings.
 */
export const prepare = oncePerFile(async () => {
  replaceUpstreams();
  await enableAllFeatures();
  await seedStorage();
});

/** Mocks the platform of videos-b and the linked mods catalog, which tests must not request, and the resolver, whose time limit a busy machine may exceed. */
function replaceUpstreams(): void {
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
  afterAll(() => {
    globalThis.fetch = throughNetwork;
  });
}
