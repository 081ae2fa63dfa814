import { createHash } from 'node:crypto';
import type { SignedClaims } from '../../platform/access/sessions/signed-claims.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { logError } from '../../platform/logging.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { RESET_SECONDS, VERIFY_SECONDS } from './accounts.data.ts';
import type { Account } from './accounts.repository.ts';

const MARK_LENGTH = 16;
/** Page of the portal that asks for the new password. */
const RESET_PAGE = '/portal/reset-password';

/** First digits of a hash: enough to notice a change, too little to find the value. */
function markOf(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, MARK_LENGTH);
}

/**
 * What the links in mails say. Each dies by what it brings about: the address or the password it was made for is no more.
 * The token is in the fragment, which browsers send to no server: it is in no log and no `Referer`. The script of the page
 * reads it and takes it out of the address bar.
 */
export interface MailLinks {
  /** Throws 503 where no link can be made. */
  requireUsable(): void;
  verification(account: Pick<Account, 'id' | 'email'>, baseUrl: string, now: UnixSeconds): Promise<string>;
  reset(account: Pick<Account, 'id' | 'passwordHash'>, baseUrl: string, now: UnixSeconds): Promise<string>;
  change(account: Account, newEmail: string, baseUrl: string, now: UnixSeconds): Promise<string>;
  /** Whose address a token verifies; null when it is forged, expired or of another kind. */
  readVerification(token: string, now: UnixSeconds): Promise<{ userId: string; isFor(account: Account): boolean } | null>;
  readReset(token: string, now: UnixSeconds): Promise<{ userId: string; isFor(account: Account): boolean } | null>;
  readChange(token: string, now: UnixSeconds): Promise<{ userId: string; newEmail: string; isFor(account: Account): boolean } | null>;
}

/** `problem`: why no link may be mailed; null where they may. */
export function createMailLinks(claims: SignedClaims, problem: string | null = null): MailLinks {
  const passwordMark = ({ passwordHash }: Pick<Account, 'passwordHash'>) => markOf(passwordHash ?? '');

  function requireUsable(): void {
    if (problem === null && claims.isConfigured) return;
    logError('a link was not mailed', new Error(problem ?? 'SESSION_SECRET is missing or too short'));
    throw new ApiError('service_unavailable', 'mails with links are not configured', { headers: { 'Retry-After': '3600' } });
  }

  return {
    requireUsable,

    async verification({ id, email }, baseUrl, now) {
      requireUsable();
      const token = await claims.sign('verify', { sub: id, mark: markOf(email) }, VERIFY_SECONDS, now);
      return `${baseUrl}/auth/verify-email#token=${token}`;
    },

    async reset(account, baseUrl, now) {
      requireUsable();
      const token = await claims.sign('reset', { sub: account.id, mark: passwordMark(account) }, RESET_SECONDS, now);
      return `${baseUrl}${RESET_PAGE}#token=${token}`;
    },

    async change(account, newEmail, baseUrl, now) {
      requireUsable();
      const token = await claims.sign('change', { sub: account.id, mark: markOf(account.email), to: newEmail }, VERIFY_SECONDS, now);
      return `${baseUrl}/auth/verify-email-change#token=${token}`;
    },

    async readVerification(token, now) {
      const payload = await claims.read('verify', token, now);
      return payload?.sub ? { userId: payload.sub, isFor: ({ email }) => payload.mark === markOf(email) } : null;
    },

    async readReset(token, now) {
      const payload = await claims.read('reset', token, now);
      return payload?.sub ? { userId: payload.sub, isFor: (account) => payload.mark === passwordMark(account) } : null;
    },

    async readChange(token, now) {
      const payload = await claims.read('change', token, now);
      if (!payload?.sub || typeof payload.to !== 'string') return null;
      return { userId: payload.sub, newEmail: payload.to, isFor: ({ email }) => payload.mark === markOf(email) };
    },
  };
}
