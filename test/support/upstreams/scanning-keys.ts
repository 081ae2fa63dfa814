import { EXAMPLE_REPORT, type ListedKey } from '../scanning-partner.ts';
import { httpUpstream } from './http-upstream.ts';

export interface ScanningKeysState {
  keys: ListedKey[];
}

/** Mock of the secret scanning partner's list of public keys. */
export const scanningKeysUpstream = httpUpstream<ScanningKeysState>({
  name: 'scanning-keys',
  port: 9846,
  initial: () => ({ keys: [EXAMPLE_REPORT.key] }),
  respond(call, { keys }) {
    if (call.path !== '/meta/public_keys/secret_scanning' || call.method !== 'GET') return { status: 404, body: { message: 'Not Found' } };
    return { body: { public_keys: keys } };
  },
  wiring: (url) => ({ vars: { SECRET_SCANNING_KEYS_URL: `${url}/meta/public_keys/secret_scanning` } }),
});
