import { USAGE_LAG_SECONDS } from '../../platform/access/usage/token-usage.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import { floorDiv, SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { readableTime } from '../../platform/kit/time/time-text.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import type { UsageStore, UserUsage } from './usage.store.ts';

interface UsageJobsDeps {
  usage: Pick<UsageStore, 'listRateLimited' | 'deleteExpired'>;
  mailer: Mailer;
  superusers(): Promise<{ id: string; email: string }[]>;
  appName: string;
}

/** Maximum number of accounts in the mail about rejected requests. */
const MAX_DIGEST_USERS = 20;
const TIMEOUT_SECONDS = 300;
const daily = { everySeconds: SECONDS_PER_DAY, text: 'daily' } as const;

/** Daily jobs that mail about rejected requests and delete old sums. */
export function createUsageJobs({ usage, mailer, superusers, appName }: UsageJobsDeps): Job[] {
  async function sendDigest(now: UnixSeconds, settings: Settings): Promise<void> {
    const { since, total, users } = await usage.listRateLimited(
      now - USAGE_LAG_SECONDS - settings.rateLimitDigestWindowHours * SECONDS_PER_HOUR,
      MAX_DIGEST_USERS,
    );
    if (total < settings.rateLimitAlertThreshold) return;
    const day = floorDiv(now, SECONDS_PER_DAY);
    // Once a day for each: a run that died may have queued some of them.
    for (const { id, email } of await superusers())
      await mailer.queue({ to: email, ...digestMail(appName, users, since) }, now, `rate-limit-digest-${id}-${day}`);
  }

  return [
    { name: 'rate-limit-digest', schedule: daily, timeoutSeconds: TIMEOUT_SECONDS, run: ({ now, settings }) => sendDigest(now, settings) },
    { name: 'usage-sweep', schedule: daily, timeoutSeconds: TIMEOUT_SECONDS, run: ({ now }) => usage.deleteExpired(now) },
  ];
}

/** `since`: start of the first day that is counted. */
function digestMail(appName: string, users: readonly UserUsage[], since: UnixSeconds) {
  const lines = users.map(({ email, userId, rateLimited }) => `${String(rateLimited).padStart(8)}  ${email ?? userId}`);
  return {
    subject: `${appName}: rate-limited accounts`,
    text: `Requests rejected with 429 since ${readableTime(since)}, by account:\n\n${lines.join('\n')}\n`,
  };
}
