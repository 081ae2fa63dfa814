import { randomUUID } from 'node:crypto';
import type { Passwords } from '../../platform/access/sessions/passwords.ts';
import { bind } from '../../platform/kit/bind.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import { ACCOUNT_FAILURES, DEVICE_FAILURES, PASSWORD_LOCKOUT, RESET_ATTEMPTS } from './accounts.data.ts';
import {
  accountLockedError,
  deviceUnconfirmedError,
  invalidLinkError,
  normalizeEmail,
  type RequestContext,
  type SignInClient,
  wrongPasswordError,
} from './accounts.domain.ts';
import type { Account, AccountsStore } from './accounts.store.ts';
import type { Attempts } from './attempts.store.ts';
import type { BreachedPasswords } from './breached-passwords.upstream.ts';
import type { FirstSuperuser } from './first-superuser.service.ts';
import type { KnownDevices } from './known-devices.service.ts';
import type { MailLinks } from './mail-links.service.ts';
import { deviceLinkMail, newDeviceMail, passwordChangedMail, resetMail } from './mails.domain.ts';
import type { SecondFactor } from './second-factor.service.ts';
import type { SessionService, SignedIn } from './session.service.ts';

export interface SignInDeps {
  accounts: AccountsStore;
  passwords: Passwords;
  attempts: Attempts;
  breached: BreachedPasswords;
  sessions: SessionService;
  secondFactor: SecondFactor;
  devices: KnownDevices;
  firstSuperuser: FirstSuperuser;
  links: MailLinks;
  mailer: Mailer;
  appName: string;
}

/** A new session, and the cookie that identifies the device from now on. */
interface SignedInDevice {
  session: SignedIn;
  deviceCookie: string;
}

interface SignInInput {
  email: string;
  password: string;
  /** Code of the second factor, or a recovery code. */
  code?: string | null | undefined;
}

export type SignInService = ReturnType<typeof createSignInService>;

/** Account used for unknown email addresses, so timing does not reveal whether an account exists. */
const unknownAccount = (email: string) => ({ id: '00000000-0000-0000-0000-000000000000', email, tokenVersion: 0 });

type PasswordDeps = Pick<SignInDeps, 'attempts' | 'passwords' | 'accounts'>;

/**
 * Verifies a password that is not a sign-in. `source`: the session or link whose failures are counted. Returns the account with a hash of the
 * current cost. Throws 429 and 401.
 */
export async function requirePassword(
  deps: PasswordDeps,
  password: string,
  account: Account,
  source: string,
  now: number,
): Promise<Account> {
  const key = `password\n${source}`;
  const lockedFor = await deps.attempts.count(key, PASSWORD_LOCKOUT, now);
  if (lockedFor > 0) throw accountLockedError(lockedFor);
  const { isCorrect, needsRehash } = await deps.passwords.check(password, account.passwordHash);
  if (!isCorrect) throw wrongPasswordError();
  await deps.attempts.clear(key);
  return needsRehash ? rehash(deps, account, password) : account;
}

async function rehash({ accounts, passwords }: PasswordDeps, account: Account, password: string): Promise<Account> {
  const passwordHash = await passwords.hash(password);
  await accounts.rehash(account, passwordHash);
  return { ...account, passwordHash };
}

export function createSignInService(deps: SignInDeps) {
  return bind(deps, { signIn, confirmDevice, sendResetMail, reset });
}

async function mailReset({ accounts, links, mailer, appName }: SignInDeps, email: string, { baseUrl, now }: RequestContext): Promise<void> {
  const to = normalizeEmail(email);
  const account = await accounts.byEmail(to);
  // Same work for unknown accounts, so timing does not reveal them.
  const text = resetMail(appName, await links.reset(account ?? unknownAccount(to), baseUrl, now));
  await mailer.sendOrSimulate({ to, kind: 'reset', ...text }, account?.isActive === true, now);
}

async function mailDeviceLink(
  { links, mailer, appName }: SignInDeps,
  email: string,
  account: Account | null,
  isCorrect: boolean,
  { baseUrl, now }: RequestContext,
) {
  const text = deviceLinkMail(appName, await links.device(account ?? unknownAccount(email), baseUrl, now));
  await mailer.sendOrSimulate({ to: email, kind: 'verification', ...text }, isCorrect, now);
}

/** Checks the password of a device that has signed in. Null when its cookie had too many failures. */
async function checkKnown({ passwords, attempts }: SignInDeps, password: string, account: Account, deviceId: string, now: number) {
  const key = `device\n${deviceId}`;
  if ((await attempts.count(key, DEVICE_FAILURES, now)) > 0) return null;
  const checked = await passwords.check(password, account.passwordHash);
  if (checked.isCorrect) await attempts.clear(key);
  return checked;
}

/**
 * Checks the password of an unknown device. Failures are counted by client and account, so one client cannot lock another out, and by account:
 * above that limit the response is the same for every password, and only the right one sends the mail.
 */
async function checkUnknown(
  deps: SignInDeps,
  email: string,
  password: string,
  account: Account | null,
  address: string,
  context: RequestContext,
) {
  const pairKey = `pair\n${address}\n${email}`;
  const accountKey = `account\n${email}`;
  const lockedFor = await deps.attempts.count(pairKey, PASSWORD_LOCKOUT, context.now);
  if (lockedFor > 0) throw accountLockedError(lockedFor);
  const isOverLimit = (await deps.attempts.count(accountKey, ACCOUNT_FAILURES, context.now)) > 0;
  const checked = await deps.passwords.check(password, account?.passwordHash ?? null);
  if (isOverLimit) {
    deps.links.requireUsable();
    context.waitUntil(mailDeviceLink(deps, email, account, account !== null && checked.isCorrect, context));
    throw deviceUnconfirmedError();
  }
  if (account && checked.isCorrect) {
    await deps.attempts.clear(pairKey);
    await deps.attempts.takeBack(accountKey, ACCOUNT_FAILURES);
  }
  return checked;
}

/**
 * Throws 429 `account_locked`, 401 `invalid_credentials`, and 403: `email_unverified`, `second_factor_required`, `device_unconfirmed`.
 */
async function signIn(
  deps: SignInDeps,
  { email: given, password, code }: SignInInput,
  client: SignInClient,
  context: RequestContext,
): Promise<SignedInDevice> {
  const { now, waitUntil } = context;
  await deps.firstSuperuser.ensure(now);
  const email = normalizeEmail(given);
  const device = await deps.devices.read(client.cookie, now);
  const existing = await deps.accounts.byEmail(email);
  const active = existing?.isActive ? existing : null;
  const isKnown = active !== null && device?.userId === active.id && device.tokenVersion === active.tokenVersion;
  const known = isKnown ? await checkKnown(deps, password, active, device.id, now) : null;
  const checked = known ?? (await checkUnknown(deps, email, password, active, client.address, context));
  if (!active || !checked.isCorrect) throw wrongPasswordError();
  const account = checked.needsRehash ? await rehash(deps, active, password) : active;
  if (!account.isVerified) throw new ApiError('email_unverified', 'email address is not verified; open the link in the mail');
  const deviceId = known && device ? device.id : null;
  await deps.secondFactor.require(account, code, deviceId ?? 'unknown device', context);
  const deviceCookie = await deps.devices.sign(
    { id: deviceId ?? randomUUID(), userId: account.id, tokenVersion: account.tokenVersion },
    now,
  );
  let mailId = '';
  const session = await deps.sessions.start(account, client.label, now, () => {
    const { id, insertion } = deps.mailer.compose({ to: email, ...newDeviceMail(deps.appName, client.label, now) }, now);
    mailId = id;
    return insertion;
  });
  // After the transaction: an attempt before it finds no mail, which then waits up to a minute for the job.
  if (mailId !== '') waitUntil(deps.mailer.send(mailId, now));
  return { session, deviceCookie };
}

/** Returns the cookie of a device confirmed with a mailed link. Does not sign in. Throws 400 for an invalid link. */
async function confirmDevice({ accounts, devices, links }: SignInDeps, token: string, { now }: RequestContext): Promise<string> {
  const link = await links.readDevice(token, now);
  const account = link && (await accounts.byId(link.userId));
  if (!account?.isActive || !link?.isCurrentFor(account)) throw invalidLinkError();
  return devices.sign({ id: link.id, userId: account.id, tokenVersion: account.tokenVersion }, now);
}

/** Mails a reset link after the response, so timing does not reveal whether the account exists. Throws 503. */
function sendResetMail(deps: SignInDeps, email: string, context: RequestContext): void {
  deps.links.requireUsable();
  context.waitUntil(mailReset(deps, email, context));
}

/**
 * Sets a new password with a reset link and ends every session. Does not sign in; returns the cookie of a confirmed device, because the link
 * proves access to the mail. Throws 400 for an invalid link, and after five attempts with one.
 */
async function reset(
  { accounts, passwords, attempts, breached, devices, links, mailer, appName }: SignInDeps,
  token: string,
  password: string,
  { now, waitUntil }: RequestContext,
): Promise<string> {
  const link = await links.readReset(token, now);
  const account = link && (await accounts.byId(link.userId));
  if (!account?.isActive || !link?.isCurrentFor(account)) throw invalidLinkError();
  if ((await attempts.count(`reset\n${link.id}`, RESET_ATTEMPTS, now)) > 0) throw invalidLinkError();
  await breached.requireNotBreached(password);
  const mail = mailer.composeIf({ to: account.email, ...passwordChangedMail(appName) }, now);
  if (!(await accounts.setPassword(account, await passwords.hash(password), true, mail.insertionIf))) throw invalidLinkError();
  waitUntil(mail.send());
  // The change of the password raised the version.
  return devices.sign({ id: link.id, userId: account.id, tokenVersion: account.tokenVersion + 1 }, now);
}
