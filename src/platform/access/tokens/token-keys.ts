import { readEnvironment } from '../../environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { BoundedMap } from '../../storage/bounded-map.ts';
import { hasValidCheck, isWellFormedToken, type TokenFormat, tokenIdOf } from './token-format.ts';
import { hashToken } from './token-hash.ts';

/** Shorter keys are open to brute force: a token shows its id and its check characters. */
const MIN_KEY_LENGTH = 32;
/** Key of development and test, so that a token works in every local database. */
const DEVELOPMENT_KEY = 'key of development tokens, 32 or more';
const RETRY_SECONDS = 3600;
const RECENT_TOKENS = 5000;

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

/** A token as a client sent it. */
export interface PresentedToken {
  id: string;
  /** SHA-256 of the whole token, hex. */
  hash: string;
}

/**
 * Reads tokens without storage: `malformed` has a wrong format or checksum, `forged` was not created with a key of this deployment.
 * Throws 503 while the deployment has no key.
 */
export type TokenReader = (text: string) => PresentedToken | 'malformed' | 'forged';

export function createTokenReader(format: TokenFormat): TokenReader {
  const { prefix, key, verifiesCheck } = format;
  /** Genuine tokens of recent requests: saves a checksum, an HMAC and a hash per request. */
  const recent = new BoundedMap<string, PresentedToken>(RECENT_TOKENS);
  return (text) => {
    const known = recent.get(text);
    if (known) return known;
    if (!isWellFormedToken(text, prefix)) return 'malformed';
    if (key === null && verifiesCheck) throw tokensNotConfigured();
    const id = tokenIdOf(text, prefix);
    if (id === null || !hasValidCheck(text, format)) return 'forged';
    const token = { id, hash: hashToken(text) };
    recent.set(text, token);
    return token;
  };
}
