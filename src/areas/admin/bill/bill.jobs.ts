import type { Job } from '../../../platform/durable/schedule/job.ts';
import { logError } from '../../../platform/kit/logging.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { alarmLines, billOf, isOverDailyAmount, monthOf } from './bill.domain.ts';
import type { BillStore } from './bill.store.ts';
import { ANALYTICS_SOURCE, type UsageAnalytics } from './usage-analytics.upstream.ts';

/** Six requests, each with up to two attempts. */
const TIMEOUT_SECONDS = 120;
/** At half past: the jobs of the full hour start at the same time. */
const OFFSET_SECONDS = 1800;

interface BillJobDeps {
  store: BillStore;
  /** Null without a token of the platform's analytics. */
  analytics: UsageAnalytics | null;
  /** Sends a message to the operator. Returns whether a channel accepted it. */
  alert(lines: readonly string[], now: UnixSeconds): Promise<boolean>;
}

/** The job that computes the bill of the month and sends the alarm of a day. */
export function billJob({ store, analytics, alert }: BillJobDeps): Job {
  return {
    name: 'bill',
    schedule: { everySeconds: SECONDS_PER_HOUR, offsetSeconds: OFFSET_SECONDS },
    timeoutSeconds: TIMEOUT_SECONDS,
    ...(analytics && { sources: [ANALYTICS_SOURCE] }),
    async run({ now, settings, signal }) {
      const { start } = monthOf(now);
      const amounts = await store.readAmounts(start);
      const { measured, failure } = (await analytics?.read(start, now, signal)) ?? { measured: {}, failure: null };
      if (failure !== null) logError('the analytics of the platform could not be read', failure);
      const bill = billOf({ now, ...amounts, measured });
      const problem = failure === null ? null : 'the analytics of the platform could not be read completely';
      const today = now - (now % SECONDS_PER_DAY);
      const last = await store.find();
      const limit = settings.alarmDailyDollars;
      const alarmedDay = last?.alarmedDay ?? null;
      const isDue = isOverDailyAmount(bill, limit) && alarmedDay !== today;
      // A message that was not delivered is sent again with the next run.
      const isSent = isDue && (await alert(alarmLines(bill, limit), now));
      await store.save({ bill, alarmedDay: isSent ? today : alarmedDay, problem });
    },
  };
}
