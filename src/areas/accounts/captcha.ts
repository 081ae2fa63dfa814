/** Page of the captcha; the verification response must name the same action. */
export type CaptchaAction = 'signup' | 'login' | 'forgot-password' | 'resend-verification';

export interface CaptchaResponse {
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
