import { createHash } from 'node:crypto';
import type { SignedClaims } from '../../platform/access/sessions/signed-claims.ts';
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

/** What the links in mails say. Each dies by what it brings about: the address or the password it was made for is no more. */
export interface MailLinks {
  verification(account: Pick<Account, 'id' | 'email'>, baseUrl: string, now: UnixSeconds): Promise<string>;
  reset(account: Account, baseUrl: string, now: UnixSeconds): Promise<string>;
  change(account: Account, newEmail: string, baseUrl: string, now: UnixSeconds): Promise<string>;
  /** Whose address a token verifies; null when it is forged, expired or of another kind. */
  readVerification(token: string, now: UnixSeconds): Promise<{ userId: string; isFor(account: Account): boolean } | null>;
  readReset(token: string, now: UnixSeconds): Promise<{ userId: string; isFor(account: Account): boolean } | null>;
  readChange(token: string, now: UnixSeconds): Promise<{ userId: string; newEmail: string; isFor(account: Account): boolean } | null>;
}

export function createMailLinks(claims: SignedClaims): MailLinks {
  const passwordMark = ({ passwordHash }: Account) => markOf(passwordHash ?? '');

  return {
    async verification({ id, email }, baseUrl, now) {
      const token = await claims.sign('verify', { sub: id, mark: markOf(email) }, VERIFY_SECONDS, now);
      return `${baseUrl}/auth/verify-email?token=${token}`;
    },

    async reset(account, baseUrl, now) {
      const token = await claims.sign('reset', { sub: account.id, mark: passwordMark(account) }, RESET_SECONDS, now);
      return `${baseUrl}${RESET_PAGE}?token=${token}`;
    },

    async change(account, newEmail, baseUrl, now) {
      const token = await claims.sign('change', { sub: account.id, mark: markOf(account.email), to: newEmail }, VERIFY_SECONDS, now);
      return `${baseUrl}/auth/verify-email-change?token=${token}`;
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
