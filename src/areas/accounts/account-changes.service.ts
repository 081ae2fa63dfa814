import type { SessionCaller } from '../../platform/access/sessions/sessions.ts';
import type { AccountData } from '../../platform/area.ts';
import { ApiError, badRequest } from '../../platform/errors/api-error.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import {
  emailTakenError,
  invalidLinkError,
  type RequestContext,
  requirePermanentEmail,
  tooManyMailsError,
  wrongPasswordError,
} from './account-rules.ts';
import type { Account } from './accounts.repository.ts';
import { normalizeEmail } from './email-address.domain.ts';
import { changedMail, changeMail, passwordChangedMail } from './mails.domain.ts';
import type { SignedIn } from './session.service.ts';
import { requirePassword, type SignInDeps } from './sign-in.service.ts';

export interface AccountChangesDeps extends SignInDeps {
  mailer: Mailer;
  /** Data of other areas; deleted before the account. */
  data(): readonly AccountData[];
}

/** Changes of the signed-in account. */
export interface AccountChanges {
  /** Returns the account of the session. Throws 401 when it no longer exists. */
  accountOf(caller: SessionCaller): Promise<Account>;
  rename(caller: SessionCaller, displayName: string | null): Promise<Account>;
  /** Ends every session and starts a new one. Throws 401 `invalid_credentials`. */
  changePassword(
    caller: SessionCaller,
    given: { current: string; next: string },
    device: string | null,
    context: RequestContext,
  ): Promise<SignedIn>;
  /** Mails a confirmation link to the new address. Throws 401, 409, 429 and 503. */
  changeEmail(caller: SessionCaller, given: { email: string; password: string }, context: RequestContext): Promise<void>;
  /**
   * Sets the address that the link was mailed to. Requires the account password, like `verify` of sign-up. Idempotent. Throws 400, 401, 429
   * `account_locked`, and 409 when another account has the address.
   */
  confirmEmail(given: { token: string; password: string }, context: RequestContext): Promise<void>;
  endSessions(caller: SessionCaller): Promise<void>;
  /** Throws 400 when `confirmEmail` does not match the account. */
  remove(caller: SessionCaller, confirmEmail: string): Promise<void>;
}

export function createAccountChanges(deps: AccountChangesDeps): AccountChanges {
  const { accounts, passwords, breached, firstSuperuser, links, mailer, sessions, appName, data } = deps;

  async function of({ userId }: SessionCaller): Promise<Account> {
    const account = await accounts.byId(userId);
    if (!account) throw new ApiError('not_authenticated', 'the account no longer exists', { headers: { 'WWW-Authenticate': 'Bearer' } });
    return account;
  }

  async function confirmPassword(caller: SessionCaller, password: string, now: number): Promise<Account> {
    const account = await of(caller);
    return requirePassword(deps, { email: account.email, password }, account, now);
  }

  return {
    accountOf: of,

    async rename(caller, displayName) {
      await accounts.setDisplayName(caller.userId, displayName);
      return of(caller);
    },

    async changePassword(caller, { current, next }, device, { now, waitUntil }) {
      const account = await confirmPassword(caller, current, now);
      await breached.requireNotBreached(next);
      if (!(await accounts.setPassword(account, await passwords.hash(next), false))) throw wrongPasswordError();
      waitUntil(
        mailer.queue({ to: account.email, kind: 'alert', ...passwordChangedMail(appName) }, now).then((id) => mailer.send(id, now)),
      );
      return sessions.start(await of(caller), device, now);
    },

    async changeEmail(caller, given, { baseUrl, now, waitUntil }) {
      const account = await confirmPassword(caller, given.password, now);
      const email = normalizeEmail(given.email);
      requirePermanentEmail(email);
      if (firstSuperuser.isReserved(email) || (await accounts.byEmail(email))) throw emailTakenError();
      const text = changeMail(appName, await links.change(account, email, baseUrl, now));
      const { id, insertion } = mailer.compose({ to: email, kind: 'address-change', causedBy: account.id, ...text }, now);
      const queued = await insertion;
      if (queued.length === 0) throw tooManyMailsError();
      waitUntil(mailer.send(id, now));
    },

    async confirmEmail({ token, password }, { now, waitUntil }) {
      const link = await links.readChange(token, now);
      const account = link && (await accounts.byId(link.userId));
      if (!link || !account?.isActive) throw invalidLinkError();
      const isAlreadyChanged = account.email === link.newEmail;
      if (!isAlreadyChanged && !link.isCurrentFor(account)) throw invalidLinkError();
      await requirePassword(deps, { email: account.email, password }, account, now);
      if (isAlreadyChanged) return;
      // The superuser may have been configured after the link was mailed.
      if (firstSuperuser.isReserved(link.newEmail)) throw emailTakenError();
      const { id, insertion } = mailer.compose({ to: account.email, kind: 'alert', ...changedMail(appName) }, now);
      if (!(await accounts.setEmail(account.id, link.newEmail, insertion))) throw emailTakenError();
      waitUntil(mailer.send(id, now));
    },

    endSessions: ({ userId }) => accounts.endSessions(userId),

    async remove(caller, confirmEmail) {
      const account = await of(caller);
      if (normalizeEmail(confirmEmail) !== account.email) throw badRequest('confirm_email must be the email address of the account');
      // The account row is deleted last, so a failed deletion can be retried.
      for (const area of data()) await area.delete?.(account.id);
      await accounts.remove(account.id);
    },
  };
}
