/** Configuration of the deployment. */
export interface Environment {
  /** Development or test: requests may set the clock, and limits are scaled. */
  isNonProduction: boolean;
  rateLimitScale: number;
  /** Why mails with links are not sent; null where they are. */
  linkProblem: string | null;
  /** Replaces the hosts of the chat service on a developer's machine; null in production. */
  chatBaseUrlOverride: string | null;
  /** The data of `npm start` are made up: pages and `/health` say so. Never in production. */
  isDemo: boolean;
  /** Receives the requests of signed webhooks on a developer's machine; null in production. */
  signedBaseUrlOverride: string | null;
}

interface Vars {
  ENVIRONMENT?: string;
  RATE_LIMIT_MULTIPLIER?: string;
  BASE_URL?: string;
  WEBHOOK_POST_BASE?: string;
  DEMO_DATA?: string;
  SIGNED_WEBHOOK_POST_BASE?: string;
}

/** Anything but exactly `development` or `test` is production, absent and misspelt values included. */
export function readEnvironment(env: Vars): Environment {
  const isNonProduction = env.ENVIRONMENT === 'development' || env.ENVIRONMENT === 'test';
  const scale = Number(env.RATE_LIMIT_MULTIPLIER);
  // Without a configured origin a link would use the Host header, which the sender of the request chooses.
  const linkProblem = isNonProduction || env.BASE_URL ? null : 'BASE_URL is empty: mails with links are not sent';
  const rateLimitScale = isNonProduction && Number.isFinite(scale) && scale > 0 ? scale : 1;
  const chatBaseUrlOverride = (isNonProduction && env.WEBHOOK_POST_BASE) || null;
  const signedBaseUrlOverride = (isNonProduction && env.SIGNED_WEBHOOK_POST_BASE) || null;
  const isDemo = isNonProduction && env.DEMO_DATA === 'on';
  return { isNonProduction, linkProblem, chatBaseUrlOverride, signedBaseUrlOverride, rateLimitScale, isDemo };
}
