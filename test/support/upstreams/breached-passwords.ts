import { createHash } from 'node:crypto';
import { httpUpstream } from './http-upstream.ts';

export interface BreachedState {
  /** Breached passwords. */
  passwords: string[];
}

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();

/** Mock of the range API for breached passwords; padding entries have the count 0. */
export const breachedPasswordsUpstream = httpUpstream<BreachedState>({
  name: 'breached-passwords',
  port: 9842,
  initial: () => ({ passwords: ['password1', 'correct horse battery staple'] }),
  respond(call, { passwords }) {
    const [, prefix] = /^\/range\/([0-9A-F]{5})$/.exec(call.path) ?? [];
    if (prefix === undefined) return { status: 400, body: 'The hash prefix was not in a valid format' };
    const known = passwords.map(sha1).filter((hash) => hash.startsWith(prefix));
    const lines = known.map((hash, index) => `${hash.slice(5)}:${index + 3}`);
    const padding = call.headers['add-padding'] === 'true' ? [0, 1, 2].map((index) => `${sha1(`${prefix}${index}`).slice(5)}:0`) : [];
    return { contentType: 'text/plain', body: [...lines, ...padding].join('\r\n') };
  },
  wiring: (url) => ({ vars: { BREACHED_PASSWORDS_URL: `${url}/range/` } }),
});
