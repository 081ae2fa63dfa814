import { pendingChange } from '../../platform/access/tokens/token-changes.ts';
import type { TokenRegistry } from '../../platform/access/tokens/token-registry.ts';
import { ApiError, notFound } from '../../platform/kit/errors/api-error.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import type { RequestContext } from './accounts.domain.ts';
import type { Account, AccountsStore } from './accounts.store.ts';
import { suspendedMail, suspensionEndedMail } from './mails.domain.ts';
import type { Suspension, SuspensionsStore } from './suspensions.store.ts';

interface SuspensionDeps {
  accounts: Pick<AccountsStore, 'byId'>;
  suspensions: SuspensionsStore;
  changeOwner: TokenRegistry['changeOwner'];
  mailer: Mailer;
  appName: string;
  newId(): string;
}

/** Who decides, and why. */
interface Decision {
  actor: string;
  reason: string;
}

type Context = Pick<RequestContext, 'now' | 'waitUntil'>;

/** Suspensions of abusive accounts by superusers. Changes throw 404 for an unknown account, and 503 while a gate has not confirmed. */
export interface AccountSuspension {
  /**
   * Ends the sessions of an account and stops its tokens, project keys and webhooks, which all depend on an active owner. Mails the reason. Does
   * nothing when it is suspended. Throws 409 for a superuser and for an account that is being deleted.
   */
  start(userId: string, decision: Decision, context: Context): Promise<Account>;
  /** Lets tokens, keys and webhooks work again. Throws 409 when the account is not suspended. */
  end(userId: string, decision: Decision, context: Context): Promise<Account>;
  /** Suspensions of an account, newest first. */
  list(userId: string): Promise<Suspension[]>;
}

export function createAccountSuspension({ accounts, suspensions, changeOwner, mailer, appName, newId }: SuspensionDeps): AccountSuspension {
  async function find(userId: string): Promise<Account> {
    const account = await accounts.byId(userId);
    if (!account) throw notFound('account not found');
    return account;
  }

  const isSuspended = async (userId: string) => (await suspensions.list(userId)).some(({ endedAt }) => endedAt === null);

  return {
    async start(userId, { actor, reason }, { now, waitUntil }) {
      const account = await find(userId);
      const tokens = changeOwner(userId, now);
      const mail = mailer.composeIf({ to: account.email, kind: 'alert', ...suspendedMail(appName, reason) }, now);
      const suspension = { id: newId(), userId, reason, startedAt: now, startedBy: actor };
      const isStarted = await suspensions.start(suspension, (isNew) => [...tokens.statements, mail.insertionIf(isNew)]);
      if (isStarted) waitUntil(mail.send());
      else if (account.isSuperuser) throw new ApiError('conflict', 'a superuser cannot be suspended');
      else if (!(await isSuspended(userId))) throw new ApiError('conflict', 'the account is being deleted');
      // The suspension is stored: a gate that is out of reach gets it from the job. Until then the response says that tokens may still work.
      if (!(await tokens.confirm())) throw pendingChange();
      return find(userId);
    },

    async end(userId, { actor, reason }, { now, waitUntil }) {
      const account = await find(userId);
      const tokens = changeOwner(userId, now);
      const mail = mailer.composeIf({ to: account.email, kind: 'alert', ...suspensionEndedMail(appName) }, now);
      const change = { endedAt: now, endedBy: actor, endReason: reason === '' ? null : reason };
      const isEnded = await suspensions.end(userId, change, (isEnding) => [...tokens.statements, mail.insertionIf(isEnding)]);
      if (!isEnded) throw new ApiError('conflict', 'the account is not suspended');
      waitUntil(mail.send());
      if (!(await tokens.confirm())) throw pendingChange();
      return find(userId);
    },

    async list(userId) {
      await find(userId);
      return suspensions.list(userId);
    },
  };
}
