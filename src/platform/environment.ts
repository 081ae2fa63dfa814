/** What the deployment says about itself. */
export interface Environment {
  /** Development or test: the clock of a request may be set, and limits scaled. */
  isForTesting: boolean;
  rateLimitScale: number;
}

/** Anything but exactly `development` or `test` is production, absent and misspelt values included. */
export function readEnvironment(env: { ENVIRONMENT?: string; RATE_LIMIT_MULTIPLIER?: string }): Environment {
  const isForTesting = env.ENVIRONMENT === 'development' || env.ENVIRONMENT === 'test';
  const scale = Number(env.RATE_LIMIT_MULTIPLIER);
  return { isForTesting, rateLimitScale: isForTesting && Number.isFinite(scale) && scale > 0 ? scale : 1 };
}
