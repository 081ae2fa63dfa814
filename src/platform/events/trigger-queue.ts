import type { Outbox } from '../durable/outbox.ts';
import type { RetryPolicy } from '../durable/retry-policy.domain.ts';
import type { Job } from '../durable/schedule/job.ts';
import { logError } from '../kit/logging.ts';
import { SECONDS_PER_HOUR, SECONDS_PER_MINUTE, type UnixSeconds } from '../kit/time/clock.ts';
import type { EventType } from './event-declaration.ts';
import type { EventTrigger, TriggeredEvent } from './event-source.ts';

/** Retries with every run of the job, until the events are old. */
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 30, factor: 1, longestPauseSeconds: 30 };
const LEASE_SECONDS = 60;
const BATCH_SIZE = 20;
const JOB_TIMEOUT_SECONDS = 60;
/** Age above which undelivered events are dropped. */
export const TRIGGER_TTL_SECONDS = SECONDS_PER_HOUR;

/** Events of a type outside the stream, queued in the transaction of their cause: a crash loses none. */
export type TriggerQueue = ReturnType<typeof createTriggerQueue>;

/** `eventsOf`: the events of a payload, each with the same key whenever it is called. `jobName`: the job that retries. */
export function createTriggerQueue(
  outbox: Outbox,
  trigger: EventTrigger,
  { type, jobName, eventsOf }: { type: EventType; jobName: string; eventsOf(payload: string): TriggeredEvent[] },
) {
  const queue = outbox.kind({
    name: type,
    policy: POLICY,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH_SIZE,
    concurrency: 1,
    async deliver({ payload }) {
      await trigger(eventsOf(payload));
      return { kind: 'done' };
    },
  });
  const job: Job = {
    name: jobName,
    // After a crash only: the cause of an event delivers it.
    schedule: { everySeconds: 5 * SECONDS_PER_MINUTE, text: 'every 5 minutes, for events that webhooks did not receive yet' },
    timeoutSeconds: JOB_TIMEOUT_SECONDS,
    async run(context) {
      await queue.drain(context);
      await queue.deleteExpired(context.now);
    },
  };
  return {
    kind: type,
    job,
    /** The statement that queues a payload. */
    insertion: (key: string, payload: string, now: UnixSeconds) =>
      queue.insertion({ key, payload, expiresAt: now + TRIGGER_TTL_SECONDS }, now),
    /** Delivers queued payloads. Never rejects: their cause is stored, and the job delivers what remains. */
    drain: (now: UnixSeconds) =>
      queue.drain({ now }).catch((error: unknown) => logError('queued events were not delivered', error, { type })),
  };
}
