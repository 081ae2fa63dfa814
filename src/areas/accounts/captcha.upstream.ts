import { ApiError } from '../../platform/errors/api-error.ts';
import { logError } from '../../platform/logging.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import type { Captcha, CaptchaResponse } from './captcha.ts';

export interface CaptchaConfig {
  url: string;
  /** Public site key. */
  siteKey: string;
  /** Undefined or empty when not configured. */
  secret: string | undefined;
  /** Without keys the captcha is skipped in development and tests; in production every sign-in is refused. */
  isNonProduction: boolean;
}

const SOURCE = 'captcha';
const MAX_CAPTCHA_TOKEN_LENGTH = 2048;
const TIMEOUT_SECONDS = 5;
const MAX_ANSWER_BYTES = 16 * 1024;
/** The provider's documented test keys: their responses carry neither our host nor our action. */
const TEST_SECRET = /^[123]x0{30,}AA$/;

const failed = (message: string) => new ApiError('captcha_failed', message);

/** Captcha verified by the provider. Fails closed when the provider does not respond. */
export function createCaptcha(upstream: UpstreamClient, { url, siteKey, secret, isNonProduction }: CaptchaConfig): Captcha {
  async function isSolved({ token, action, callerAddress, hostname }: CaptchaResponse, key: string): Promise<boolean> {
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
        if (siteKey === '' && isNonProduction) return;
        logError('captcha is not configured: sign-in is disabled', new Error('CAPTCHA_SECRET is missing'));
        throw failed('captcha is not configured');
      }
      const { token = '' } = answer;
      if (token === '' || token.length > MAX_CAPTCHA_TOKEN_LENGTH) throw failed('captcha is required');
      const solved = await isSolved(answer, secret).catch((error: unknown) => {
        logError('captcha could not be verified', error);
        return false;
      });
      if (!solved) throw failed('captcha was not solved or has expired');
    },
  };
}
