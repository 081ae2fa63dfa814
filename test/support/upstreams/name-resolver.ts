import { type DnsNames, dnsAnswer, KNOWN_NAMES } from './dns-answers.ts';
import { httpUpstream } from './http-upstream.ts';

export interface ResolverState {
  names: DnsNames;
}

/** Mock of a DNS over HTTPS resolver (JSON API). */
export const nameResolverUpstream = httpUpstream<ResolverState>({
  name: 'name-resolver',
  port: 9826,
  initial: () => ({ names: { ...KNOWN_NAMES } }),
  respond({ path, query: { name = '', type = 'A' } }, { names }) {
    if (path !== '/dns-query') return { status: 404, body: 'not found' };
    return { contentType: 'application/dns-json', body: dnsAnswer(name, type, names) };
  },
  wiring: (url) => ({ vars: { DNS_OVER_HTTPS_URL: `${url}/dns-query` }, settings: { game_status_resolver_url: `${url}/dns-query` } }),
});
