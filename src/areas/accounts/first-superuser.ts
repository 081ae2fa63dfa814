import type { Passwords } from '../../platform/access/sessions/passwords.ts';
import { logError } from '../../platform/logging.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { MIN_PASSWORD_LENGTH } from './accounts.data.ts';
import type { AccountsRepository } from './accounts.repository.ts';
import { normalizeEmail } from './email-address.domain.ts';

/** The superuser that the configuration names: somebody must be able to administer a new deployment. */
export interface FirstSuperuser {
  /**
   * Makes the account or promotes the one that has the address, whose password stays. Done once in the life of an isolate,
   * before a sign-in; a failure is logged and tried again with the next.
   */
  ensure(now: UnixSeconds): Promise<void>;
}

export interface FirstSuperuserDeps {
  email: string | undefined;
  password: string | undefined;
  accounts: AccountsRepository;
  passwords: Passwords;
  /** To be told when an account has got other rights. */
  onRightsChanged(userId: string): Promise<void>;
  drawId(): string;
}

export function createFirstSuperuser({ email, password = '', accounts, ...deps }: FirstSuperuserDeps): FirstSuperuser {
  let isDone = !email;

  async function makeOrPromote(address: string, now: UnixSeconds): Promise<void> {
    const known = await accounts.byEmail(address);
    if (known?.isSuperuser && known.isActive && known.isVerified) return;
    if (known) {
      await accounts.makeSuperuser(known.id);
      await deps.onRightsChanged(known.id);
      return;
    }
    if (password.length < MIN_PASSWORD_LENGTH) throw new Error(`SUPERUSER_PASSWORD has fewer than ${MIN_PASSWORD_LENGTH} characters`);
    const passwordHash = await deps.passwords.hash(password);
    const row = { id: deps.drawId(), email: address, passwordHash, isVerified: true, isSuperuser: true, createdAt: now };
    // False when another isolate made it meanwhile, which is as good.
    await accounts.create(row);
  }

  return {
    async ensure(now) {
      if (isDone || !email) return;
      try {
        await makeOrPromote(normalizeEmail(email), now);
        isDone = true;
      } catch (error) {
        logError('the first superuser could not be made', error);
      }
    },
  };
}
