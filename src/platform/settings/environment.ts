/** Configuration of the deployment. */
export interface Environment {
  /** Development or test: requests can set the clock, and rate limits are scaled. */
  isNonProduction: boolean;
  rateLimitScale: number;
  /** Why mails with links are not sent; null if they are sent. */
  linkProblem: string | null;
  /** Replaces the hosts of the chat service (Discord) in development; null in production. */
  chatBaseUrlOverride: string | null;
  /** True with the demo data of `npm start`: pages and `/health` show a notice. Never in production. */
  isDemo: boolean;
  /** Share of requests with a log line, 0 to 1. */
  logSample: number;
  /** Receives all signed webhook requests in development; null in production. */
  signedBaseUrlOverride: string | null;
}

/** Share of requests with a log line in production. A log event costs twice as much as the request. */
const DEFAULT_LOG_SAMPLE = 0.1;

interface Vars {
  ENVIRONMENT?: string;
  RATE_LIMIT_MULTIPLIER?: string;
  BASE_URL?: string;
  WEBHOOK_POST_BASE?: string;
  DEMO_DATA?: string;
  LOG_SAMPLE?: string;
  SIGNED_WEBHOOK_POST_BASE?: string;
}

/** Every `ENVIRONMENT` except `development` and `test` is production, including absent and misspelt values. */
export function readEnvironment(env: Vars): Environment {
  const isNonProduction = env.ENVIRONMENT === 'development' || env.ENVIRONMENT === 'test';
  const scale = Number(env.RATE_LIMIT_MULTIPLIER);
  // Without a configured origin a link would use the Host header, which the client controls.
  const linkProblem = isNonProduction || env.BASE_URL ? null : 'BASE_URL is empty: mails with links are not sent';
  const rateLimitScale = isNonProduction && Number.isFinite(scale) && scale > 0 ? scale : 1;
  const chatBaseUrlOverride = (isNonProduction && env.WEBHOOK_POST_BASE) || null;
  const signedBaseUrlOverride = (isNonProduction && env.SIGNED_WEBHOOK_POST_BASE) || null;
  const isDemo = isNonProduction && env.DEMO_DATA === 'on';
  const logSample = shareFrom(env.LOG_SAMPLE) ?? (isNonProduction ? 1 : DEFAULT_LOG_SAMPLE);
  return { isNonProduction, linkProblem, chatBaseUrlOverride, signedBaseUrlOverride, rateLimitScale, isDemo, logSample };
}

/** A number from 0 to 1; null for an absent or invalid one. */
function shareFrom(text: string | undefined): number | null {
  const share = text?.trim() ? Number(text) : Number.NaN;
  return share >= 0 && share <= 1 ? share : null;
}
