import { ApiError } from '../../kit/errors/api-error.ts';
import { readEnvironment } from '../../settings/environment.ts';
import type { TokenFormat } from './token-format.ts';

/** Shorter keys are open to brute force: a token shows its id and its check characters. */
const MIN_KEY_LENGTH = 32;
/** Key of development and test, so that a token works in every local database. */
const DEVELOPMENT_KEY = 'key of development tokens, 32 or more';
const RETRY_SECONDS = 3600;

interface Vars {
  ENVIRONMENT?: string | undefined;
  TOKEN_PREFIX?: string | undefined;
  TOKEN_KEY?: string | undefined;
  TOKEN_KEY_PREVIOUS?: string | undefined;
  TOKEN_CHECK?: string | undefined;
}

/** The token format of a deployment. In production `key` is null while `TOKEN_KEY` is missing or too short. */
export function tokenFormatFrom(vars: Vars): TokenFormat {
  const { isNonProduction } = readEnvironment({ ENVIRONMENT: vars.ENVIRONMENT ?? '' });
  const given = vars.TOKEN_KEY?.trim() ?? '';
  const fallback = isNonProduction ? DEVELOPMENT_KEY : null;
  return {
    prefix: vars.TOKEN_PREFIX ?? '',
    key: given.length >= (isNonProduction ? 1 : MIN_KEY_LENGTH) ? given : fallback,
    previousKeys: (vars.TOKEN_KEY_PREVIOUS ?? '')
      .split(',')
      .map((key) => key.trim())
      .filter((key) => key !== ''),
    verifiesCheck: vars.TOKEN_CHECK?.trim() !== 'off',
  };
}

/** 503 while `TOKEN_KEY` is missing: tokens can be neither created nor checked. */
export function tokensNotConfigured(): ApiError {
  return new ApiError('service_unavailable', 'API tokens are not configured', { headers: { 'Retry-After': String(RETRY_SECONDS) } });
}
