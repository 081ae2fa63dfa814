import { createHash } from 'node:crypto';
import type { SignedClaims } from '../../platform/access/sessions/signed-claims.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { logError } from '../../platform/logging.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { RESET_LINK_TTL_SECONDS, VERIFY_LINK_TTL_SECONDS } from './accounts.data.ts';
import type { Account } from './accounts.repository.ts';

const HASH_PREFIX_LENGTH = 16;
/** Portal page that asks for the new password. */
const RESET_PAGE = '/portal/reset-password';

/** Hash prefix of a value. It detects a change without revealing the value. */
function hashPrefixOf(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, HASH_PREFIX_LENGTH);
}

/**
 * Signed tokens of mailed links. A used link is invalid, because its token is bound to the old address or password. The token is in the URL
 * fragment, which browsers do not send, so it appears in no log and no `Referer`. The page script reads it and removes it from the address
 * bar.
 */
export interface MailLinks {
  /** Throws 503 when links are not configured. */
  requireUsable(): void;
  verification(account: Pick<Account, 'id' | 'email'>, baseUrl: string, now: UnixSeconds): Promise<string>;
  reset(account: Pick<Account, 'id' | 'passwordHash'>, baseUrl: string, now: UnixSeconds): Promise<string>;
  change(account: Account, newEmail: string, baseUrl: string, now: UnixSeconds): Promise<string>;
  /** Claims of a verification token; null when forged, expired or of another kind. */
  readVerification(token: string, now: UnixSeconds): Promise<{ userId: string; isCurrentFor(account: Account): boolean } | null>;
  readReset(token: string, now: UnixSeconds): Promise<{ userId: string; isCurrentFor(account: Account): boolean } | null>;
  readChange(
    token: string,
    now: UnixSeconds,
  ): Promise<{ userId: string; newEmail: string; isCurrentFor(account: Account): boolean } | null>;
}

/** `problem`: why links cannot be mailed; null when they can. */
export function createMailLinks(claims: SignedClaims, problem: string | null = null): MailLinks {
  const passwordMark = ({ passwordHash }: Pick<Account, 'passwordHash'>) => hashPrefixOf(passwordHash ?? '');

  function requireUsable(): void {
    if (problem === null && claims.isConfigured) return;
    logError('link mail not sent', new Error(problem ?? 'SESSION_SECRET is missing or too short'));
    throw new ApiError('service_unavailable', 'mail links are not configured', { headers: { 'Retry-After': '3600' } });
  }

  return {
    requireUsable,

    async verification({ id, email }, baseUrl, now) {
      requireUsable();
      const token = await claims.sign('verify', { sub: id, mark: hashPrefixOf(email) }, VERIFY_LINK_TTL_SECONDS, now);
      return `${baseUrl}/auth/verify-email#token=${token}`;
    },

    async reset(account, baseUrl, now) {
      requireUsable();
      const token = await claims.sign('reset', { sub: account.id, mark: passwordMark(account) }, RESET_LINK_TTL_SECONDS, now);
      return `${baseUrl}${RESET_PAGE}#token=${token}`;
    },

    async change(account, newEmail, baseUrl, now) {
      requireUsable();
      const token = await claims.sign(
        'change',
        { sub: account.id, mark: hashPrefixOf(account.email), to: newEmail },
        VERIFY_LINK_TTL_SECONDS,
        now,
      );
      return `${baseUrl}/auth/verify-email-change#token=${token}`;
    },

    async readVerification(token, now) {
      const payload = await claims.read('verify', token, now);
      return payload?.sub ? { userId: payload.sub, isCurrentFor: ({ email }) => payload.mark === hashPrefixOf(email) } : null;
    },

    async readReset(token, now) {
      const payload = await claims.read('reset', token, now);
      return payload?.sub ? { userId: payload.sub, isCurrentFor: (account) => payload.mark === passwordMark(account) } : null;
    },

    async readChange(token, now) {
      const payload = await claims.read('change', token, now);
      if (!payload?.sub || typeof payload.to !== 'string') return null;
      return { userId: payload.sub, newEmail: payload.to, isCurrentFor: ({ email }) => payload.mark === hashPrefixOf(email) };
    },
  };
}
