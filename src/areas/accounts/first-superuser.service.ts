import type { Passwords } from '../../platform/access/sessions/passwords.ts';
import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { log, logError } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { mailAddressFault } from '../../platform/kit/values/mail-address.domain.ts';
import { MIN_PASSWORD_LENGTH } from './accounts.data.ts';
import { normalizeEmail } from './accounts.domain.ts';
import type { AccountsStore } from './accounts.store.ts';

const CLOSED_RETRY_SECONDS = 300;

/** The configured superuser, the first administrator of a deployment. */
export type FirstSuperuser = ReturnType<typeof createFirstSuperuser>;

interface FirstSuperuserDeps {
  email: string | undefined;
  password: string | undefined;
  isProduction: boolean;
  accounts: AccountsStore;
  passwords: Passwords;
  /** For a change of the permissions of an account. */
  changeOwner: TokenRegistry['changeOwner'];
  newId(): string;
}

export function createFirstSuperuser({ email, password = '', isProduction, accounts, ...deps }: FirstSuperuserDeps) {
  const address = email ? normalizeEmail(email) : null;
  let isDone = address === null;
  let isOpen = address === null && !isProduction;

  async function passwordHash(): Promise<string> {
    if (password.length < MIN_PASSWORD_LENGTH) throw new Error(`SUPERUSER_PASSWORD must have at least ${MIN_PASSWORD_LENGTH} characters`);
    return deps.passwords.hash(password);
  }

  /** False when another request changed the account concurrently. */
  async function createOrPromote(superuser: string, now: UnixSeconds): Promise<boolean> {
    const fault = mailAddressFault(superuser);
    // With another address the account could not sign in.
    if (fault !== null) throw new Error(`SUPERUSER_EMAIL ${fault}`);
    const existing = await accounts.byEmail(superuser);
    if (!existing) {
      const row = { id: deps.newId(), email: superuser, isVerified: true, isSuperuser: true, createdAt: now };
      return accounts.create({ ...row, passwordHash: await passwordHash() });
    }
    const tokenChange = deps.changeOwner(existing.id, now);
    if (existing.isVerified && existing.passwordHash !== null) {
      if (existing.isSuperuser && existing.isActive) return true;
      await accounts.makeSuperuser(existing.id, ...tokenChange.statements);
    } else if (!(await accounts.takeOver(existing, await passwordHash(), ...tokenChange.statements))) {
      return false;
    }
    // The service repeats a message that a gate has not confirmed.
    await tokenChange.confirm();
    return true;
  }

  /**
   * Creates the account or promotes the existing one. Only a verified account keeps its password: an unverified account may belong to
   * anyone, so it gets the configured password and loses its sessions. Runs once per isolate, before the first sign-in or sign-up. Errors
   * are logged, and the next request retries.
   */
  async function ensure(now: UnixSeconds): Promise<void> {
    if (isDone || address === null) return;
    try {
      // The retry reads the result of the concurrent request.
      isDone = (await createOrPromote(address, now)) || (await createOrPromote(address, now));
    } catch (error) {
      logError('the first superuser could not be created', error);
    }
  }

  return {
    ensure,
    /** Whether a normalized address is the configured one. No account can take it through the API. */
    isReserved: (candidate: string): boolean => candidate === address,

    /** Throws 503 while no superuser exists, in production and when a superuser is configured. */
    async requireExists(now: UnixSeconds): Promise<void> {
      if (isOpen) return;
      await ensure(now);
      isOpen = (isDone && address !== null) || (await accounts.superusers()).length > 0;
      if (isOpen) return;
      log({ level: 'error', message: 'sign-up is closed: no superuser exists; set SUPERUSER_EMAIL and SUPERUSER_PASSWORD' });
      throw new ApiError('service_unavailable', 'sign-up is closed until the operator has configured the first superuser', {
        headers: { 'Retry-After': String(CLOSED_RETRY_SECONDS) },
      });
    },
  };
}
