import { httpUpstream } from './http-upstream.ts';

export interface CaptchaState {
  secret: string;
  /** Host of the page that showed the captcha. */
  hostname: string;
  /** Responses that were already checked; each is valid once. */
  spent: string[];
}

/** Response of a solved captcha for an action. */
export const solvedCaptcha = (action: string) => `solved.${action}.${crypto.randomUUID()}`;

/** Mock of the captcha provider: accepts each solved response once for its action, and refuses others with error codes. */
export const captchaUpstream = httpUpstream<CaptchaState>({
  name: 'captcha',
  port: 9841,
  initial: () => ({ secret: 'captcha-secret', hostname: 'api.test', spent: [] }),
  respond(call, state, now) {
    if (call.path !== '/turnstile/v0/siteverify' || call.method !== 'POST') return { status: 404, body: 'not found' };
    const { secret, response } = readFields(call.body, call.headers['content-type'] ?? '');
    const refused = (code: string) => ({ body: { success: false, 'error-codes': [code], messages: [] } });
    if (!secret) return refused('missing-input-secret');
    if (secret !== state.secret) return refused('invalid-input-secret');
    if (!response) return refused('missing-input-response');
    const [, action] = /^solved\.([\w-]+)\./.exec(response) ?? [];
    if (action === undefined || response.length > 2048) return refused('invalid-input-response');
    if (state.spent.includes(response)) return refused('timeout-or-duplicate');
    state.spent.push(response);
    const { hostname } = state;
    return { body: { success: true, challenge_ts: new Date(now * 1000).toISOString(), hostname, 'error-codes': [], action, cdata: '' } };
  },
  // No secret, so that the captcha stays off: the real widget does not load offline.
  wiring: (url) => ({ vars: { CAPTCHA_URL: `${url}/turnstile/v0/siteverify` } }),
});

function readFields(body: string, contentType: string): Record<string, string> {
  if (contentType.startsWith('application/json')) return JSON.parse(body) as Record<string, string>;
  return Object.fromEntries(new URLSearchParams(body));
}
