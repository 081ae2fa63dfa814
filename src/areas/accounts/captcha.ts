/** Captcha action: the verification response must name the same action as the page. */
export type CaptchaAction = 'signup' | 'login' | 'forgot-password' | 'resend-verification';

export interface CaptchaAnswer {
  token: string | undefined;
  action: CaptchaAction;
  callerAddress: string | null;
  /** Host of the pages that show the captcha. */
  hostname: string;
}

/** Captcha verification. */
export interface Captcha {
  /** Public site key; null when no captcha is shown. */
  readonly siteKey: string | null;
  /** Throws 400 `captcha_failed`. */
  require(answer: CaptchaAnswer): Promise<void>;
}

/** Captcha input of a request. */
export function captchaAnswer(
  { request, baseUrl }: { request: Request; baseUrl: string },
  action: CaptchaAction,
  token: string | undefined,
): CaptchaAnswer {
  return { token, action, callerAddress: request.headers.get('CF-Connecting-IP'), hostname: new URL(baseUrl).hostname };
}
