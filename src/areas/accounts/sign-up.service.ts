import type { Passwords } from '../../platform/access/sessions/passwords.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import { emailTakenError, invalidLinkError, normalizeEmail, type RequestContext, requirePermanentEmail } from './accounts.domain.ts';
import type { Account, AccountsStore } from './accounts.store.ts';
import type { Attempts } from './attempts.store.ts';
import type { BreachedPasswords } from './breached-passwords.upstream.ts';
import type { FirstSuperuser } from './first-superuser.service.ts';
import type { LinkedAccount, MailLinks } from './mail-links.service.ts';
import { verificationMail } from './mails.domain.ts';
import { requirePassword } from './sign-in.service.ts';

interface SignUpDeps {
  accounts: AccountsStore;
  passwords: Passwords;
  attempts: Attempts;
  breached: BreachedPasswords;
  firstSuperuser: FirstSuperuser;
  links: MailLinks;
  mailer: Mailer;
  appName: string;
  newId(): string;
}

interface NewAccount {
  email: string;
  password: string;
  displayName: string | null;
}

export type SignUpService = ReturnType<typeof createSignUpService>;

export function createSignUpService(deps: SignUpDeps) {
  const { accounts, passwords, breached, firstSuperuser, links, mailer, appName, newId } = deps;

  async function verificationMessage(account: LinkedAccount, { baseUrl, now }: RequestContext) {
    const link = await links.verification(account, baseUrl, now);
    return { to: account.email, kind: 'verification', ...verificationMail(appName, link) } as const;
  }

  async function resendVerification(email: string, context: RequestContext): Promise<void> {
    const to = normalizeEmail(email);
    const account = await accounts.byEmail(to);
    // Same work for unknown accounts, so timing does not reveal them.
    const mail = await verificationMessage(account ?? { id: newId(), email: to, tokenVersion: 0 }, context);
    await mailer.sendOrSimulate(mail, account?.isActive === true && !account.isVerified, context.now);
  }

  return {
    /** Creates an account and mails a verification link. Throws 400, 409, and 503 while no superuser exists. */
    async signUp(input: NewAccount, context: RequestContext): Promise<Account> {
      const email = normalizeEmail(input.email);
      await firstSuperuser.requireExists(context.now);
      requirePermanentEmail(email);
      if (firstSuperuser.isReserved(email) || (await accounts.byEmail(email))) throw emailTakenError();
      await breached.requireNotBreached(input.password);
      const id = newId();
      const mail = mailer.compose(await verificationMessage({ id, email, tokenVersion: 0 }, context), context.now);
      const passwordHash = await passwords.hash(input.password);
      const row = { id, email, displayName: input.displayName, passwordHash, createdAt: context.now };
      if (!(await accounts.create(row, mail.insertion))) throw emailTakenError();
      context.waitUntil(mailer.send(mail.id, context.now));
      const created = await accounts.byId(id);
      if (!created) throw new Error('new account was not stored');
      return created;
    },

    /** Mails another link after the response, so timing does not reveal whether the account exists. Throws 503. */
    resend(email: string, context: RequestContext): void {
      links.requireUsable();
      context.waitUntil(resendVerification(email, context));
    },

    /**
     * Verifies the address that the link was mailed to. Also requires the account password, because mail scanners open links, including those
     * of accounts that someone else created. Idempotent. Throws 400, 401 and 429 `account_locked`.
     */
    async verify({ token, password }: { token: string; password: string }, now: number): Promise<void> {
      const link = await links.readVerification(token, now);
      const account = link && (await accounts.byId(link.userId));
      if (!account?.isActive || !link?.isCurrentFor(account)) throw invalidLinkError();
      await requirePassword(deps, password, account, `link\n${link.id}`, now);
      if (!(await accounts.verify(account.id, account.email))) throw invalidLinkError();
    },
  };
}
