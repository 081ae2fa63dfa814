import type { Passwords } from '../../platform/access/sessions/passwords.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { accountLockedError, invalidLinkError, type RequestContext, wrongPasswordError } from './account-rules.ts';
import type { Account, AccountsRepository } from './accounts.repository.ts';
import type { BreachedPasswords } from './breached-passwords.upstream.ts';
import { normalizeEmail } from './email-address.domain.ts';
import type { FirstSuperuser } from './first-superuser.ts';
import type { LoginFailures } from './login-failures.repository.ts';
import type { MailLinks } from './mail-links.ts';
import { newDeviceMail, passwordChangedMail, resetMail } from './mails.domain.ts';
import type { SessionService, SignedIn } from './session.service.ts';

export interface SignInDeps {
  accounts: AccountsRepository;
  passwords: Passwords;
  failures: LoginFailures;
  breached: BreachedPasswords;
  sessions: SessionService;
  firstSuperuser: FirstSuperuser;
  links: MailLinks;
  mailer: Mailer;
  appName: string;
}

export interface SignInService {
  /** Throws 429 `account_locked`, 401 `invalid_credentials`, 403 `email_unverified`. */
  signIn(given: { email: string; password: string }, device: string | null, context: RequestContext): Promise<SignedIn>;
  /** Mails a reset link after the response, so timing does not reveal whether the account exists. Throws 503. */
  sendResetMail(email: string, context: RequestContext): void;
  /** Sets a new password with a reset link and ends every session. Throws 400 for an invalid link. */
  reset(token: string, password: string, context: RequestContext): Promise<void>;
}

/** Account used for unknown email addresses, so timing does not reveal whether an account exists. */
const UNKNOWN_ACCOUNT = { id: '00000000-0000-0000-0000-000000000000', passwordHash: '-'.repeat(96) };

/** Verifies the password and counts failures by email address. Throws 429 and 401. */
export async function requirePassword(
  { failures, passwords, accounts }: Pick<SignInDeps, 'failures' | 'passwords' | 'accounts'>,
  given: { email: string; password: string },
  account: Account | null,
  now: number,
): Promise<Account> {
  const lockedFor = await failures.countAttempt(given.email, now);
  if (lockedFor > 0) throw accountLockedError(lockedFor);
  const { isCorrect, needsRehash } = await passwords.check(given.password, account?.passwordHash ?? null);
  if (!account || !isCorrect) throw wrongPasswordError();
  await failures.clear(given.email);
  if (needsRehash) await accounts.rehash(account.id, await passwords.hash(given.password));
  return account;
}

export function createSignInService(deps: SignInDeps): SignInService {
  const { accounts, passwords, failures, breached, sessions, firstSuperuser, links, mailer, appName } = deps;

  async function mailReset(email: string, { baseUrl, now }: RequestContext): Promise<void> {
    const to = normalizeEmail(email);
    const account = await accounts.byEmail(to);
    // Same work for unknown accounts, so timing does not reveal them.
    const text = resetMail(appName, await links.reset(account ?? UNKNOWN_ACCOUNT, baseUrl, now));
    await mailer.sendOrSimulate({ to, kind: 'reset', ...text }, account?.isActive === true, now);
  }

  return {
    async signIn(given, device, { now, waitUntil }) {
      await firstSuperuser.ensure(now);
      const email = normalizeEmail(given.email);
      const existing = await accounts.byEmail(email);
      const account = await requirePassword(deps, { email, password: given.password }, existing?.isActive ? existing : null, now);
      if (!account.isVerified) throw new ApiError('email_unverified', 'email address is not verified; open the link in the mail');
      return sessions.start(account, device, now, () => {
        const { id, insertion } = mailer.compose({ to: email, ...newDeviceMail(appName, device, now) }, now);
        waitUntil(mailer.send(id, now));
        return insertion;
      });
    },

    sendResetMail(email, context) {
      links.requireUsable();
      context.waitUntil(mailReset(email, context));
    },

    async reset(token, password, { now, waitUntil }) {
      const link = await links.readReset(token, now);
      const account = link && (await accounts.byId(link.userId));
      if (!account?.isActive || !link?.isCurrentFor(account)) throw invalidLinkError();
      await breached.requireNotBreached(password);
      if (!(await accounts.setPassword(account, await passwords.hash(password), true))) throw invalidLinkError();
      await failures.clear(account.email);
      waitUntil(mailer.queue({ to: account.email, ...passwordChangedMail(appName) }, now).then((id) => mailer.send(id, now)));
    },
  };
}
