import type { ChangeJournal } from '../../platform/access/tokens/change-journal.ts';
import type { AccountData } from '../../platform/area/area.ts';
import type { Outbox } from '../../platform/durable/outbox.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import { SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import type { RequestContext } from './accounts.domain.ts';
import type { AccountsStore } from './accounts.store.ts';

/** Kind of the outbox entries, and name of the job; the key of an entry is the id of the account. */
const ACCOUNT_DELETIONS = 'account-deletions';
/** Shorter than the period of the job: each run repeats every deletion, so one ends within ten minutes of its gates being reachable. */
const PAUSE_SECONDS = 10;
const JOB_TIMEOUT_SECONDS = 55;
const LEASE_SECONDS = 60;
/** Deletions of one run of the job. */
const BATCH = 100;
const CONCURRENCY = 4;

interface AccountDeletionDeps {
  accounts: AccountsStore;
  outbox: Outbox;
  /** Data of other areas; deleted before the account. */
  data(): readonly AccountData[];
  /** Receives deleted accounts. */
  journal: Pick<ChangeJournal, 'write'>;
}

/** Deletions of accounts. A deletion is stored together with the end of all sessions; a job repeats it until all data is deleted. */
export interface AccountDeletion {
  /** Deactivates the account and deletes its data. False while a part is not deleted, for example because a gate cannot be reached. */
  start(userId: string, context: Pick<RequestContext, 'now' | 'waitUntil'>): Promise<boolean>;
  job: Job;
}

export function createAccountDeletion({ accounts, outbox, data, journal }: AccountDeletionDeps): AccountDeletion {
  const queue = outbox.kind({
    name: ACCOUNT_DELETIONS,
    policy: { tries: null, firstPauseSeconds: PAUSE_SECONDS, factor: 1, longestPauseSeconds: PAUSE_SECONDS },
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH,
    concurrency: CONCURRENCY,
    async deliver({ key: userId }) {
      // Again: the first superuser is activated at the next sign-in.
      await accounts.deactivate(userId);
      // The account last: its row is what a repeat finds the data by. Each part is idempotent.
      for (const area of data()) await area.delete?.(userId);
      return (await accounts.remove(userId)) ? { kind: 'done' } : { kind: 'retry', reason: 'the account was activated meanwhile' };
    },
  });

  return {
    async start(userId, { now, waitUntil }) {
      await accounts.deactivate(userId, queue.insertion({ key: userId }, now));
      await queue.deliver(userId, { now });
      const isDeleted = (await accounts.byId(userId)) === null;
      // After the response: a trigger queued the entry with the deletion, and another job repeats it.
      if (isDeleted) waitUntil(journal.write(`account:${userId}`, now));
      return isDeleted;
    },

    job: {
      name: ACCOUNT_DELETIONS,
      schedule: { everySeconds: 10 * SECONDS_PER_MINUTE },
      timeoutSeconds: JOB_TIMEOUT_SECONDS,
      run: ({ now, signal }) => queue.drain({ now, signal }),
    },
  };
}
