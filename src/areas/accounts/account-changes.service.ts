import type { SessionCaller } from '../../platform/access/sessions/sessions.ts';
import { ApiError, badRequest } from '../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import type { AccountDeletion } from './account-deletion.service.ts';
import {
  emailTakenError,
  invalidLinkError,
  normalizeEmail,
  pendingDeletionError,
  type RequestContext,
  requirePermanentEmail,
  tooManyMailsError,
  wrongPasswordError,
} from './accounts.domain.ts';
import type { Account } from './accounts.store.ts';
import { changedMail, changeMail, passwordChangedMail } from './mails.domain.ts';
import type { SetUp } from './second-factor.service.ts';
import type { SignedIn } from './session.service.ts';
import { requirePassword, type SignInDeps } from './sign-in.service.ts';

interface AccountChangesDeps extends SignInDeps {
  mailer: Mailer;
  deletion: Pick<AccountDeletion, 'start'>;
}

/** Code of the second factor; required when the account has one. */
type GivenCode = string | null | undefined;

/** What confirms a change: the password, and the code of the second factor. */
interface Confirmation {
  password: string;
  code?: GivenCode;
}

/** Changes of the signed-in account. Those that take a `code` throw 403 `second_factor_required`, 401 and 429 like the sign-in. */
export interface AccountChanges {
  /** Returns the account of the session. Throws 401 when it no longer exists. */
  accountOf(account: Pick<SessionCaller, 'userId'>): Promise<Account>;
  rename(caller: SessionCaller, displayName: string | null): Promise<Account>;
  /** Ends every session and starts a new one. Throws 401 `invalid_credentials`. */
  changePassword(
    caller: SessionCaller,
    given: Confirmation & { next: string },
    device: string | null,
    context: RequestContext,
  ): Promise<SignedIn>;
  /** Mails a confirmation link to the new address. Throws 401, 409, 429 and 503. */
  changeEmail(caller: SessionCaller, given: Confirmation & { email: string }, context: RequestContext): Promise<void>;
  /**
   * Sets the address that the link was mailed to. Requires the account password, like `verify` of sign-up. Idempotent. Throws 400, 401, 429
   * `account_locked`, and 409 when another account has the address.
   */
  confirmEmail(given: { token: string; password: string }, context: RequestContext): Promise<void>;
  /** Starts the set-up of a second factor. Throws 400 and 401. */
  setUpSecondFactor(caller: SessionCaller, password: string, context: RequestContext): Promise<SetUp>;
  /** Finishes the set-up, ends every session and starts a new one. Throws 400, 401 and 429. */
  enableSecondFactor(
    caller: SessionCaller,
    code: string,
    device: string | null,
    context: RequestContext,
  ): Promise<{ session: SignedIn; recoveryCodes: string[] }>;
  disableSecondFactor(caller: SessionCaller, given: Confirmation, context: RequestContext): Promise<void>;
  renewRecoveryCodes(caller: SessionCaller, given: Confirmation, context: RequestContext): Promise<string[]>;
  endSessions(caller: SessionCaller): Promise<void>;
  /** The device that made a change which ended all sessions and all known devices: it stays known if it was. `cookie`: of its request. */
  keepDevice(caller: SessionCaller, cookie: string | null, now: UnixSeconds): Promise<{ device?: string }>;
  /** Ends every session, then deletes the data. Throws 400 when `confirmEmail` does not match the account, 401, and 503 while the job finishes it. */
  remove(caller: SessionCaller, given: Confirmation & { confirmEmail: string }, context: RequestContext): Promise<void>;
}

export function createAccountChanges(deps: AccountChangesDeps): AccountChanges {
  const { accounts, passwords, breached, firstSuperuser, links, mailer, sessions, secondFactor, appName, deletion, devices } = deps;

  async function of({ userId }: Pick<SessionCaller, 'userId'>): Promise<Account> {
    const account = await accounts.byId(userId);
    if (!account) throw new ApiError('not_authenticated', 'the account no longer exists', { headers: { 'WWW-Authenticate': 'Bearer' } });
    return account;
  }

  async function confirmed(caller: SessionCaller, { password, code }: Confirmation, context: RequestContext): Promise<Account> {
    const account = await requirePassword(deps, password, await of(caller), `session\n${caller.sessionId}`, context.now);
    await secondFactor.require(account, code, 'session', context);
    return account;
  }

  return {
    accountOf: of,

    async rename(caller, displayName) {
      await accounts.setDisplayName(caller.userId, displayName);
      return of(caller);
    },

    async changePassword(caller, given, device, context) {
      const { now, waitUntil } = context;
      const account = await confirmed(caller, given, context);
      await breached.requireNotBreached(given.next);
      const mail = mailer.composeIf({ to: account.email, kind: 'alert', ...passwordChangedMail(appName) }, now);
      if (!(await accounts.setPassword(account, await passwords.hash(given.next), false, mail.insertionIf))) throw wrongPasswordError();
      waitUntil(mail.send());
      return sessions.start(afterChange(account), device, now);
    },

    async changeEmail(caller, given, context) {
      const { baseUrl, now, waitUntil } = context;
      const account = await confirmed(caller, given, context);
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
      const isAlreadyChanged = link.isUsedBy(account);
      if (!isAlreadyChanged && !link.isCurrentFor(account)) throw invalidLinkError();
      await requirePassword(deps, password, account, `link\n${link.id}`, now);
      if (isAlreadyChanged) return;
      // The superuser may have been configured after the link was mailed.
      if (firstSuperuser.isReserved(link.newEmail)) throw emailTakenError();
      const mail = { to: account.email, kind: 'alert', ...changedMail(appName) } as const;
      let mailId = '';
      const result = await accounts.setEmail(account, link.newEmail, (isCurrent) => {
        const { id, insertion } = mailer.compose(mail, now, undefined, isCurrent);
        mailId = id;
        return insertion;
      });
      if (result === 'taken') throw emailTakenError();
      if (result === 'stale') throw invalidLinkError();
      waitUntil(mailer.send(mailId, now));
    },

    async setUpSecondFactor(caller, password, context) {
      return secondFactor.begin(await confirmed(caller, { password }, context), context.now);
    },

    async enableSecondFactor(caller, code, device, context) {
      const account = await of(caller);
      const recoveryCodes = await secondFactor.enable(account, code, context);
      return { session: await sessions.start(afterChange(account), device, context.now), recoveryCodes };
    },

    async disableSecondFactor(caller, given, context) {
      await secondFactor.disable(await confirmed(caller, given, context), context);
    },

    async renewRecoveryCodes(caller, given, context) {
      return secondFactor.renewRecoveryCodes(await confirmed(caller, given, context), context.now);
    },

    endSessions: ({ userId }) => accounts.endSessions(userId),

    async keepDevice(caller, cookie, now) {
      const [device, { tokenVersion }] = await Promise.all([devices.read(cookie, now), of(caller)]);
      if (device?.userId !== caller.userId || device.tokenVersion !== tokenVersion - 1) return {};
      return { device: await devices.sign({ ...device, tokenVersion }, now) };
    },

    async remove(caller, { confirmEmail, ...given }, context) {
      const { email } = await of(caller);
      if (normalizeEmail(confirmEmail) !== email) throw badRequest('confirm_email must be the email address of the account');
      const account = await confirmed(caller, given, context);
      if (!(await deletion.start(account.id, context))) throw pendingDeletionError();
    },
  };
}

/** The account after the change that ended its sessions: a concurrent end of all sessions also ends the one that is started for it. */
const afterChange = (account: Account): Account => ({ ...account, tokenVersion: account.tokenVersion + 1, knownDevices: [] });
