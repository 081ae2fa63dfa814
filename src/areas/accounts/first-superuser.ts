import type { Passwords } from '../../platform/access/sessions/passwords.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { log, logError } from '../../platform/logging.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { MIN_PASSWORD_LENGTH } from './accounts.data.ts';
import type { AccountsRepository } from './accounts.repository.ts';
import { normalizeEmail } from './email-address.domain.ts';

const CLOSED_RETRY_SECONDS = 300;

/** The configured superuser: a new deployment needs an administrator. */
export interface FirstSuperuser {
  /**
   * Creates the account or promotes the existing one. Only a verified account keeps its password: an unverified
   * one may belong to anyone, so it gets the configured password and loses its sessions. Runs once per isolate,
   * before the first sign-in or sign-up. A failure is logged and retried with the next.
   */
  ensure(now: UnixSeconds): Promise<void>;
  /** Throws 503 while no superuser exists: in production, and wherever a superuser is configured. */
  requireExists(now: UnixSeconds): Promise<void>;
  /** Whether a normalised address is the configured one. No account can take it through the API. */
  isReserved(email: string): boolean;
}

export interface FirstSuperuserDeps {
  email: string | undefined;
  password: string | undefined;
  isProduction: boolean;
  accounts: AccountsRepository;
  passwords: Passwords;
  /** Called when the permissions of an account changed. */
  onRightsChanged(userId: string): Promise<void>;
  newId(): string;
}

export function createFirstSuperuser({ email, password = '', isProduction, accounts, ...deps }: FirstSuperuserDeps): FirstSuperuser {
  const address = email ? normalizeEmail(email) : null;
  let isDone = address === null;
  let isOpen = address === null && !isProduction;

  async function passwordHash(): Promise<string> {
    if (password.length < MIN_PASSWORD_LENGTH) throw new Error(`SUPERUSER_PASSWORD must have at least ${MIN_PASSWORD_LENGTH} characters`);
    return deps.passwords.hash(password);
  }

  /** False when another request changed the account concurrently. */
  async function makeOrPromote(superuser: string, now: UnixSeconds): Promise<boolean> {
    const known = await accounts.byEmail(superuser);
    if (!known) {
      const row = { id: deps.newId(), email: superuser, isVerified: true, isSuperuser: true, createdAt: now };
      return accounts.create({ ...row, passwordHash: await passwordHash() });
    }
    if (known.isVerified && known.passwordHash !== null) {
      if (known.isSuperuser && known.isActive) return true;
      await accounts.makeSuperuser(known.id);
    } else if (!(await accounts.takeOver(known, await passwordHash()))) {
      return false;
    }
    await deps.onRightsChanged(known.id);
    return true;
  }

  async function ensure(now: UnixSeconds): Promise<void> {
    if (isDone || address === null) return;
    try {
      // The retry reads what the concurrent request stored.
      isDone = (await makeOrPromote(address, now)) || (await makeOrPromote(address, now));
    } catch (error) {
      logError('the first superuser could not be created', error);
    }
  }

  return {
    ensure,
    isReserved: (candidate) => candidate === address,

    async requireExists(now) {
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
