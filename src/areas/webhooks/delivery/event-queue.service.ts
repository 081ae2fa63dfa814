import type { EventFact, EventFacts } from '../../../platform/events/event-declaration.ts';
import type { EventFollower, EventTrigger, FollowedMessage, TriggeredEvent } from '../../../platform/events/event-source.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import { factRanges, lastFactsOf } from '../conditions/conditions.domain.ts';
import { type SignedMessage, signedMessageOf, triggeredMessageOf } from '../events/signed-message.domain.ts';
import type { ChatJob, WebhookEvent, WebhookEvents } from '../events/webhook-events.domain.ts';
import type { LastFactsStore } from '../records/last-facts.store.ts';
import type { WebhookFormat } from '../records/webhooks.tables.ts';
import { type DeliveriesStore, type QueuedJob, TOO_MANY_QUEUED } from './deliveries.store.ts';
import { MESSAGE_TTL_SECONDS, SIGNED_TTL_SECONDS } from './delivery.data.ts';
import type { WakeSenders } from './delivery.domain.ts';

interface EventQueueDeps {
  events: Pick<WebhookEvents, 'chatJobOf' | 'triggeredJobOf' | 'factsOf' | 'conditions'>;
  deliveries: Pick<DeliveriesStore, 'enqueue' | 'listWanted'>;
  lastFacts: Pick<LastFactsStore, 'save'>;
  /** Facts that the bodies of events lack. */
  moreFacts(): EventFacts;
  senders: { wake: WakeSenders };
  settings: SettingsSource;
  /** Current time in milliseconds. */
  nowMs(): number;
  newId(): string;
}

/**
 * Enqueues the deliveries of each event once and wakes the senders: events of the stream (`receive`), and those outside it (`trigger`).
 * Throws when an event cannot be enqueued.
 */
export function createEventQueue(deps: EventQueueDeps): EventFollower & { trigger: EventTrigger } {
  const { events, deliveries, lastFacts, moreFacts, senders, settings, nowMs, newId } = deps;
  const { declaredOf, needsCondition } = events.conditions;
  /** Read by the first message: complete only after all areas are created. */
  let factReaders: EventFacts | null = null;

  /** Errors are only logged: a job wakes senders with overdue deliveries every minute. */
  async function wake(senderIndexes: readonly number[]): Promise<void> {
    await senders.wake(senderIndexes).catch((error: unknown) => logError('webhook sender could not be woken', error));
  }

  async function enqueue(format: WebhookFormat, jobs: readonly QueuedJob[], ttlSeconds: number): Promise<void> {
    if (jobs.length === 0) return;
    const now = nowMs();
    const { senders: woken, dropped } = await deliveries.enqueue(format, jobs, newId(), { now, expiresAt: now + ttlSeconds * 1000 });
    for (const { webhookId, count } of dropped) {
      logError('webhook messages lost', new Error(TOO_MANY_QUEUED), { webhook_id: webhookId, count });
    }
    await wake(woken);
  }

  const conditional = (event: WebhookEvent, facts: readonly EventFact[]) => ({
    facts: factRanges(facts, declaredOf(event)),
    needsCondition: needsCondition(event),
  });

  const toChatJob = ({ key, event, variables }: ChatJob, facts: readonly EventFact[]): QueuedJob => ({
    key,
    event,
    content: JSON.stringify(variables),
    ...conditional(event, facts),
  });

  const toSignedJob = ({ id, event, body }: SignedMessage, facts: readonly EventFact[]): QueuedJob => ({
    key: id,
    event,
    content: body,
    ...conditional(event, facts),
  });

  /** The facts of an event of the stream, which are also stored as the last ones. */
  async function storedFacts(message: FollowedMessage): Promise<readonly EventFact[]> {
    const { type, body, at } = message;
    if (declaredOf(type).length === 0 || body === null) return [];
    factReaders ??= moreFacts();
    const read = factReaders[type] as ((body: unknown) => Promise<readonly EventFact[]>) | undefined;
    const facts = [...events.factsOf(message), ...((await read?.(body)) ?? [])];
    if (facts.length > 0) await lastFacts.save(type, lastFactsOf(facts, at), false);
    return facts;
  }

  /** Enqueues those of the events that meet a condition of a webhook, with one search and one transaction per format. */
  async function triggerType(type: WebhookEvent, triggered: readonly TriggeredEvent[]): Promise<void> {
    const all = triggered.map((event) => ({ event, facts: events.factsOf(event) }));
    await lastFacts.save(type, Object.assign({}, ...all.map(({ event, facts }) => lastFactsOf(facts, event.at))), true);
    const rangesOf = ({ facts }: (typeof all)[number]) => factRanges(facts, declaredOf(type));
    const wanted = new Set((await deliveries.listWanted(type, all.flatMap(rangesOf))).map(([key]) => key));
    const met = all.filter((one) => rangesOf(one).some(([key]) => wanted.has(key)));
    const chat = met.flatMap(({ event, facts }) => {
      const job = events.triggeredJobOf(event);
      return job ? [toChatJob(job, facts)] : [];
    });
    await enqueue('chat', chat, MESSAGE_TTL_SECONDS);
    await enqueue(
      'signed',
      met.map(({ event, facts }) => toSignedJob(triggeredMessageOf(event), facts)),
      SIGNED_TTL_SECONDS,
    );
  }

  return {
    async receive(messages) {
      if (!(await settings.current()).featureWebhooksEnabled) return;
      for (const message of messages) {
        const facts = await storedFacts(message);
        const chat = events.chatJobOf(message);
        if (chat) await enqueue('chat', [toChatJob(chat, facts)], MESSAGE_TTL_SECONDS);
        await enqueue('signed', [toSignedJob(signedMessageOf(message), facts)], SIGNED_TTL_SECONDS);
      }
    },

    async trigger(triggered) {
      if (!(await settings.current()).featureWebhooksEnabled) return;
      for (const [type, ofType] of Map.groupBy(triggered, ({ type }) => type)) await triggerType(type, ofType);
    },
  };
}
