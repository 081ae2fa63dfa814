import type { SessionCaller } from '../../platform/access/sessions/sessions.ts';
import { bind } from '../../platform/kit/bind.ts';
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
export type AccountChanges = ReturnType<typeof createAccountChanges>;

export function createAccountChanges(deps: AccountChangesDeps) {
  return bind(deps, {
    accountOf: of,
    rename,
    changePassword,
    changeEmail,
    confirmEmail,
    setUpSecondFactor,
    enableSecondFactor,
    disableSecondFactor,
    renewRecoveryCodes,
    endSessions,
    keepDevice,
    remove,
  });
}

/** Returns the account of the session. Throws 401 when it no longer exists. */
async function of({ accounts }: AccountChangesDeps, { userId }: Pick<SessionCaller, 'userId'>): Promise<Account> {
  const account = await accounts.byId(userId);
  if (!account) throw new ApiError('not_authenticated', 'the account no longer exists', { headers: { 'WWW-Authenticate': 'Bearer' } });
  return account;
}

async function confirmed(
  deps: AccountChangesDeps,
  caller: SessionCaller,
  { password, code }: Confirmation,
  context: RequestContext,
): Promise<Account> {
  const account = await requirePassword(deps, password, await of(deps, caller), `session\n${caller.sessionId}`, context.now);
  await deps.secondFactor.require(account, code, 'session', context);
  return account;
}

async function rename(deps: AccountChangesDeps, caller: SessionCaller, displayName: string | null): Promise<Account> {
  await deps.accounts.setDisplayName(caller.userId, displayName);
  return of(deps, caller);
}

/** Ends every session and starts a new one. Throws 401 `invalid_credentials`. */
async function changePassword(
  deps: AccountChangesDeps,
  caller: SessionCaller,
  given: Confirmation & { next: string },
  device: string | null,
  context: RequestContext,
): Promise<SignedIn> {
  const { now, waitUntil } = context;
  const account = await confirmed(deps, caller, given, context);
  await deps.breached.requireNotBreached(given.next);
  const mail = deps.mailer.composeIf({ to: account.email, kind: 'alert', ...passwordChangedMail(deps.appName) }, now);
  if (!(await deps.accounts.setPassword(account, await deps.passwords.hash(given.next), false, mail.insertionIf)))
    throw wrongPasswordError();
  waitUntil(mail.send());
  return deps.sessions.start(afterChange(account), device, now);
}

/** Mails a confirmation link to the new address. Throws 401, 409, 429 and 503. */
async function changeEmail(
  deps: AccountChangesDeps,
  caller: SessionCaller,
  given: Confirmation & { email: string },
  context: RequestContext,
): Promise<void> {
  const { baseUrl, now, waitUntil } = context;
  const account = await confirmed(deps, caller, given, context);
  const email = normalizeEmail(given.email);
  requirePermanentEmail(email);
  if (deps.firstSuperuser.isReserved(email) || (await deps.accounts.byEmail(email))) throw emailTakenError();
  const text = changeMail(deps.appName, await deps.links.change(account, email, baseUrl, now));
  const { id, insertion } = deps.mailer.compose({ to: email, kind: 'address-change', causedBy: account.id, ...text }, now);
  // Stored alone: the link itself carries the change, which is made when it is opened.
  const queued = await insertion;
  if (queued.length === 0) throw tooManyMailsError();
  waitUntil(deps.mailer.send(id, now));
}

/**
 * Sets the address that the link was mailed to. Requires the account password, like `verify` of sign-up. Idempotent. Throws 400, 401, 429
 * `account_locked`, and 409 when another account has the address.
 */
async function confirmEmail(
  deps: AccountChangesDeps,
  { token, password }: { token: string; password: string },
  { now, waitUntil }: RequestContext,
): Promise<void> {
  const link = await deps.links.readChange(token, now);
  const account = link && (await deps.accounts.byId(link.userId));
  if (!link || !account?.isActive) throw invalidLinkError();
  const isAlreadyChanged = link.isUsedBy(account);
  if (!isAlreadyChanged && !link.isCurrentFor(account)) throw invalidLinkError();
  await requirePassword(deps, password, account, `link\n${link.id}`, now);
  if (isAlreadyChanged) return;
  // The superuser may have been configured after the link was mailed.
  if (deps.firstSuperuser.isReserved(link.newEmail)) throw emailTakenError();
  const mail = { to: account.email, kind: 'alert', ...changedMail(deps.appName) } as const;
  let mailId = '';
  const result = await deps.accounts.setEmail(account, link.newEmail, (isCurrent) => {
    const { id, insertion } = deps.mailer.compose(mail, now, undefined, isCurrent);
    mailId = id;
    return insertion;
  });
  if (result === 'taken') throw emailTakenError();
  if (result === 'stale') throw invalidLinkError();
  waitUntil(deps.mailer.send(mailId, now));
}

/** Starts the set-up of a second factor. Throws 400 and 401. */
async function setUpSecondFactor(
  deps: AccountChangesDeps,
  caller: SessionCaller,
  password: string,
  context: RequestContext,
): Promise<SetUp> {
  return deps.secondFactor.begin(await confirmed(deps, caller, { password }, context), context.now);
}

/** Finishes the set-up, ends every session and starts a new one. Throws 400, 401 and 429. */
async function enableSecondFactor(
  deps: AccountChangesDeps,
  caller: SessionCaller,
  code: string,
  device: string | null,
  context: RequestContext,
): Promise<{ session: SignedIn; recoveryCodes: string[] }> {
  const account = await of(deps, caller);
  const recoveryCodes = await deps.secondFactor.enable(account, code, context);
  return { session: await deps.sessions.start(afterChange(account), device, context.now), recoveryCodes };
}

async function disableSecondFactor(
  deps: AccountChangesDeps,
  caller: SessionCaller,
  given: Confirmation,
  context: RequestContext,
): Promise<void> {
  await deps.secondFactor.disable(await confirmed(deps, caller, given, context), context);
}

async function renewRecoveryCodes(
  deps: AccountChangesDeps,
  caller: SessionCaller,
  given: Confirmation,
  context: RequestContext,
): Promise<string[]> {
  return deps.secondFactor.renewRecoveryCodes(await confirmed(deps, caller, given, context), context.now);
}

const endSessions = ({ accounts }: AccountChangesDeps, { userId }: SessionCaller): Promise<void> => accounts.endSessions(userId);

/** The device that made a change which ended all sessions and all known devices: it stays known if it was. `cookie`: of its request. */
async function keepDevice(
  deps: AccountChangesDeps,
  caller: SessionCaller,
  cookie: string | null,
  now: UnixSeconds,
): Promise<{ device?: string }> {
  const [device, { tokenVersion }] = await Promise.all([deps.devices.read(cookie, now), of(deps, caller)]);
  if (device?.userId !== caller.userId || device.tokenVersion !== tokenVersion - 1) return {};
  return { device: await deps.devices.sign({ ...device, tokenVersion }, now) };
}

/** Ends every session, then deletes the data. Throws 400 when `confirmEmail` does not match the account, 401, and 503 while the job finishes it. */
async function remove(
  deps: AccountChangesDeps,
  caller: SessionCaller,
  { confirmEmail, ...given }: Confirmation & { confirmEmail: string },
  context: RequestContext,
): Promise<void> {
  const { email } = await of(deps, caller);
  if (normalizeEmail(confirmEmail) !== email) throw badRequest('confirm_email must be the email address of the account');
  const account = await confirmed(deps, caller, given, context);
  if (!(await deps.deletion.start(account.id, context))) throw pendingDeletionError();
}

/** The account after the change that ended its sessions: a concurrent end of all sessions also ends the one that is started for it. */
const afterChange = (account: Account): Account => ({ ...account, tokenVersion: account.tokenVersion + 1, knownDevices: [] });
