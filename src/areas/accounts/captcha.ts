/** What the page that shows the captcha says it is for; the answer must say the same. */
export type CaptchaAction = 'signup' | 'login' | 'forgot-password' | 'resend-verification';

export interface CaptchaAnswer {
  token: string | undefined;
  action: CaptchaAction;
  callerAddress: string | null;
  /** Host of the pages that show it. */
  hostname: string;
}

/** Tells people from programs. */
export interface Captcha {
  /** Key for the page; null when nothing is to be shown. */
  readonly siteKey: string | null;
  /** Throws 400 `captcha_failed`. */
  require(answer: CaptchaAnswer): Promise<void>;
}

/** What the captcha needs of a request. */
export function captchaAnswer(
  { request, baseUrl }: { request: Request; baseUrl: string },
  action: CaptchaAction,
  token: string | undefined,
): CaptchaAnswer {
  return { token, action, callerAddress: request.headers.get('CF-Connecting-IP'), hostname: new URL(baseUrl).hostname };
}
