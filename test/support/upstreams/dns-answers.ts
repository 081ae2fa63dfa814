/** Addresses of a host name by type of record. */
export type DnsNames = Record<string, { A?: string | string[]; AAAA?: string | string[] }>;

/** The names that the mock of the resolver knows. */
export const KNOWN_NAMES: DnsNames = { 'hooks.example.com': { A: '93.184.216.34', AAAA: '2606:2800:220:1:248:1893:25c8:1946' } };

const TYPES: Readonly<Record<string, number>> = { A: 1, AAAA: 28 };
const NO_SUCH_NAME = 3;

/** Body of a DNS over HTTPS response (JSON API). Names that are not in `names` do not exist. */
export function dnsAnswer(queried: string, type: string, names: DnsNames = KNOWN_NAMES): string {
  const name = queried.replace(/\.$/, '');
  const known = names[name];
  const data = type === 'A' || type === 'AAAA' ? known?.[type] : undefined;
  // A name without addresses of the type has an alias only.
  const alias = { name, type: 5, TTL: 60, data: `alias.${name}` };
  const records = [data ?? []].flat().map((one) => ({ name, type: TYPES[type], TTL: 60, data: one }));
  const entries = [alias, ...records];
  return JSON.stringify({
    Status: known ? 0 : NO_SUCH_NAME,
    Question: [{ name, type: TYPES[type] }],
    ...(known ? { Answer: entries } : {}),
  });
}
