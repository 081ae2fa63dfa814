import { httpUpstream } from './http-upstream.ts';

export interface ResolverState {
  /** Addresses by name; other names do not exist. */
  names: Record<string, { A?: string | string[]; AAAA?: string | string[] }>;
}

const TYPES: Readonly<Record<string, number>> = { A: 1, AAAA: 28 };
const NO_SUCH_NAME = 3;

/** Mock of a DNS over HTTPS resolver (JSON API). */
export const nameResolverUpstream = httpUpstream<ResolverState>({
  name: 'name-resolver',
  port: 9826,
  initial: () => ({ names: { 'hooks.example.com': { A: '93.184.216.34', AAAA: '2606:2800:220:1:248:1893:25c8:1946' } } }),
  respond({ path, query: { name: queried = '', type = 'A' } }, { names }) {
    if (path !== '/dns-query') return { status: 404, body: 'not found' };
    const name = queried.replace(/\.$/, '');
    const known = names[name];
    const data = type === 'A' || type === 'AAAA' ? known?.[type] : undefined;
    // A name without addresses of the type has an alias only.
    const alias = { name, type: 5, TTL: 60, data: `alias.${name}` };
    const records = [data ?? []].flat().map((one) => ({ name, type: TYPES[type], TTL: 60, data: one }));
    const entries = [alias, ...records];
    const body = { Status: known ? 0 : NO_SUCH_NAME, Question: [{ name, type: TYPES[type] }], ...(known ? { Answer: entries } : {}) };
    return { contentType: 'application/dns-json', body: JSON.stringify(body) };
  },
  wiring: (url) => ({ vars: { DNS_OVER_HTTPS_URL: `${url}/dns-query` }, settings: { game_status_resolver_url: `${url}/dns-query` } }),
});
