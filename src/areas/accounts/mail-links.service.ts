import { createHash, randomUUID } from 'node:crypto';
import type { ClaimsType, SignedClaims } from '../../platform/access/sessions/sessions.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { logError } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { DEVICE_LINK_TTL_SECONDS, RESET_LINK_TTL_SECONDS, VERIFY_LINK_TTL_SECONDS } from './accounts.data.ts';
import type { Account } from './accounts.store.ts';

const HASH_PREFIX_LENGTH = 16;

/** What a link is bound to. */
export type LinkedAccount = Pick<Account, 'id' | 'email' | 'tokenVersion'>;

/** Hash prefix of an address. It detects a change without revealing the address. */
function markOf(email: string): string {
  return createHash('sha256').update(email).digest('hex').slice(0, HASH_PREFIX_LENGTH);
}

/** A valid link. */
interface MailedLink {
  id: string;
  userId: string;
  /** False once the address or the token version of the account has changed: after every use of a link, and after the end of all sessions. */
  isCurrentFor(account: Account): boolean;
}

/** A valid link that confirms a new address. */
interface ChangeLink extends MailedLink {
  newEmail: string;
  /** Whether exactly this link has set the address, for a repeated confirmation. */
  isUsedBy(account: Account): boolean;
}

/**
 * Signed tokens of mailed links, bound to the address and the token version of the account. The token is in the URL fragment, which browsers
 * do not send, so it appears in no log and no `Referer`. The page script reads it and removes it from the address bar.
 */
export interface MailLinks {
  /** Throws 503 when links are not configured. */
  requireUsable(): void;
  verification(account: LinkedAccount, baseUrl: string, now: UnixSeconds): Promise<string>;
  reset(account: LinkedAccount, baseUrl: string, now: UnixSeconds): Promise<string>;
  change(account: LinkedAccount, newEmail: string, baseUrl: string, now: UnixSeconds): Promise<string>;
  device(account: LinkedAccount, baseUrl: string, now: UnixSeconds): Promise<string>;
  /** The claims of a token; null when forged, expired or of another kind. */
  readVerification(token: string, now: UnixSeconds): Promise<MailedLink | null>;
  readReset(token: string, now: UnixSeconds): Promise<MailedLink | null>;
  readChange(token: string, now: UnixSeconds): Promise<ChangeLink | null>;
  readDevice(token: string, now: UnixSeconds): Promise<MailedLink | null>;
}

/** `problem`: why links cannot be mailed; null when they can. */
export function createMailLinks(claims: SignedClaims, problem: string | null = null): MailLinks {
  function requireUsable(): void {
    if (problem === null && claims.isConfigured) return;
    logError('link mail not sent', new Error(problem ?? 'SESSION_SECRET is missing or too short'));
    throw new ApiError('service_unavailable', 'mail links are not configured', { headers: { 'Retry-After': '3600' } });
  }

  async function link(
    type: ClaimsType,
    url: string,
    { id, email, tokenVersion }: LinkedAccount,
    ttlSeconds: number,
    now: UnixSeconds,
    more = {},
  ) {
    requireUsable();
    const content = { sub: id, jti: randomUUID(), mark: markOf(email), ver: tokenVersion, ...more };
    return `${url}#token=${await claims.sign(type, content, ttlSeconds, now)}`;
  }

  async function read(type: ClaimsType, token: string, now: UnixSeconds) {
    const payload = await claims.read(type, token, now);
    if (!payload?.sub || !payload.jti) return null;
    const isCurrentFor = ({ email, tokenVersion }: Account) => payload.mark === markOf(email) && payload.ver === tokenVersion;
    return { payload, link: { id: payload.jti, userId: payload.sub, isCurrentFor } };
  }

  const readLink = (type: ClaimsType) => async (token: string, now: UnixSeconds) => (await read(type, token, now))?.link ?? null;

  return {
    requireUsable,
    verification: (account, baseUrl, now) => link('verify', `${baseUrl}/auth/verify-email`, account, VERIFY_LINK_TTL_SECONDS, now),
    reset: (account, baseUrl, now) => link('reset', `${baseUrl}/portal/reset-password`, account, RESET_LINK_TTL_SECONDS, now),
    change: (account, newEmail, baseUrl, now) =>
      link('change', `${baseUrl}/auth/verify-email-change`, account, VERIFY_LINK_TTL_SECONDS, now, { to: newEmail }),
    device: (account, baseUrl, now) => link('device-link', `${baseUrl}/auth/confirm-device`, account, DEVICE_LINK_TTL_SECONDS, now),
    readVerification: readLink('verify'),
    readReset: readLink('reset'),
    readDevice: readLink('device-link'),

    async readChange(token, now) {
      const found = await read('change', token, now);
      const newEmail = found?.payload.to;
      if (!found || typeof newEmail !== 'string') return null;
      const isUsedBy = ({ email, tokenVersion }: Account) => email === newEmail && tokenVersion === Number(found.payload.ver) + 1;
      return { ...found.link, newEmail, isUsedBy };
    },
  };
}
