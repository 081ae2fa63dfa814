/** What the deployment says about itself. */
export interface Environment {
  /** Development or test: the clock of a request may be set, and limits scaled. */
  isForTesting: boolean;
  rateLimitScale: number;
  /** Why mails with links are not sent; null where they are. */
  linkProblem: string | null;
}

/** Anything but exactly `development` or `test` is production, absent and misspelt values included. */
export function readEnvironment(env: { ENVIRONMENT?: string; RATE_LIMIT_MULTIPLIER?: string; BASE_URL?: string }): Environment {
  const isForTesting = env.ENVIRONMENT === 'development' || env.ENVIRONMENT === 'test';
  const scale = Number(env.RATE_LIMIT_MULTIPLIER);
  // Without an address of its own a link would lead to the host that the request names, which its sender chooses.
  const linkProblem = isForTesting || env.BASE_URL ? null : 'BASE_URL is empty: mails with links are not sent';
  return { isForTesting, linkProblem, rateLimitScale: isForTesting && Number.isFinite(scale) && scale > 0 ? scale : 1 };
}
