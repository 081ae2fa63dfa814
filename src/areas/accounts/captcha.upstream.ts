import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';

interface CaptchaConfig {
  url: string;
  /** Public site key. */
  siteKey: string;
  /** Undefined or empty when not configured. */
  secret: string | undefined;
  /** Without keys, the captcha is skipped in development and tests; in production every request is rejected. */
  isNonProduction: boolean;
}

const SOURCE = 'captcha';
const MAX_CAPTCHA_TOKEN_LENGTH = 2048;
const TIMEOUT_SECONDS = 10;
const MAX_RESPONSE_BYTES = 16 * 1024;
/** Documented test keys of the provider. Responses for them contain neither our host nor our action. */
const TEST_SECRET = /^[123]x0{30,}AA$/;

const captchaError = (message: string) => new ApiError('captcha_failed', message);

/** Verifies captchas with the provider. Fails closed when the provider does not respond. */
export function createCaptcha(upstream: UpstreamClient, { url, siteKey, secret, isNonProduction }: CaptchaConfig): Captcha {
  async function isSolved({ token, action, clientAddress, hostname }: CaptchaResponse, key: string): Promise<boolean> {
    const response = await upstream.fetch({
      source: SOURCE,
      url,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ secret: key, response: token, ...(clientAddress === null ? {} : { remoteip: clientAddress }) }),
      timeoutSeconds: TIMEOUT_SECONDS,
      maxBytes: MAX_RESPONSE_BYTES,
      redirect: 'manual',
      circuit: false,
    });
    const result = response.json() as { success?: unknown; hostname?: unknown; action?: unknown } | null;
    if (result?.success !== true) return false;
    return TEST_SECRET.test(key) || (result.hostname === hostname && result.action === action);
  }

  return {
    siteKey: siteKey === '' ? null : siteKey,

    async require(captchaResponse) {
      if (!secret) {
        if (siteKey === '' && isNonProduction) return;
        logError('captcha is not configured: sign-in is disabled', new Error('CAPTCHA_SECRET is missing'));
        throw captchaError('captcha is not configured');
      }
      const { token = '' } = captchaResponse;
      if (token === '' || token.length > MAX_CAPTCHA_TOKEN_LENGTH) throw captchaError('captcha is required');
      const solved = await isSolved(captchaResponse, secret).catch((error: unknown) => {
        logError('captcha could not be verified', error);
        return false;
      });
      if (!solved) throw captchaError('captcha was not solved or has expired');
    },
  };
}

/** Page of the captcha; the verification response must name the same action. */
export type CaptchaAction = 'signup' | 'login' | 'forgot-password' | 'resend-verification' | 'read-sheet' | 'report';

interface CaptchaResponse {
  token: string | undefined;
  action: CaptchaAction;
  clientAddress: string | null;
  /** Host of the pages that show the captcha. */
  hostname: string;
}

/** Captcha verification. */
export interface Captcha {
  /** Public site key; null when no captcha is shown. */
  readonly siteKey: string | null;
  /** Throws 400 `captcha_failed`. */
  require(response: CaptchaResponse): Promise<void>;
}

/** Captcha input of a request. */
export function captchaResponse(
  { request, baseUrl }: { request: Request; baseUrl: string },
  action: CaptchaAction,
  token: string | undefined,
): CaptchaResponse {
  return { token, action, clientAddress: request.headers.get('CF-Connecting-IP'), hostname: new URL(baseUrl).hostname };
}
