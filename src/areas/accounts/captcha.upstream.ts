import { ApiError } from '../../platform/errors/api-error.ts';
import { logError } from '../../platform/logging.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import type { Captcha, CaptchaAnswer } from './captcha.ts';

export interface CaptchaConfig {
  url: string;
  /** Public key, for the page. */
  siteKey: string;
  /** Undefined or empty: there is none. */
  secret: string | undefined;
  /** Development and test: without keys nothing is asked. In production that is a mistake, and nobody passes. */
  isForTesting: boolean;
}

const SOURCE = 'captcha';
const LONGEST_TOKEN = 2048;
const TIMEOUT_SECONDS = 5;
const MAX_ANSWER_BYTES = 16 * 1024;
/** The provider's documented keys for tests: their answers name neither host nor action of ours. */
const TEST_SECRET = /^[123]x0{30,}AA$/;

const failed = (message: string) => new ApiError('captcha_failed', message);

/** The captcha of the provider; a failure to ask it counts as a failure to answer. */
export function createCaptcha(upstream: UpstreamClient, { url, siteKey, secret, isForTesting }: CaptchaConfig): Captcha {
  async function isSolved({ token, action, callerAddress, hostname }: CaptchaAnswer, key: string): Promise<boolean> {
    const answer = await upstream.fetch({
      source: SOURCE,
      url,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ secret: key, response: token, ...(callerAddress === null ? {} : { remoteip: callerAddress }) }),
      timeoutSeconds: TIMEOUT_SECONDS,
      maxBytes: MAX_ANSWER_BYTES,
      redirect: 'manual',
      circuit: false,
    });
    const said = answer.json() as { success?: unknown; hostname?: unknown; action?: unknown } | null;
    if (said?.success !== true) return false;
    return TEST_SECRET.test(key) || (said.hostname === hostname && said.action === action);
  }

  return {
    siteKey: siteKey === '' ? null : siteKey,

    async require(answer) {
      if (!secret) {
        if (siteKey === '' && isForTesting) return;
        logError('the captcha is not configured: nobody can sign in', new Error('CAPTCHA_SECRET is missing'));
        throw failed('the captcha is not configured');
      }
      const { token = '' } = answer;
      if (token === '' || token.length > LONGEST_TOKEN) throw failed('solve the captcha');
      const solved = await isSolved(answer, secret).catch((error: unknown) => {
        logError('the captcha could not be checked', error);
        return false;
      });
      if (!solved) throw failed('the captcha was not solved, or its answer is too old');
    },
  };
}
