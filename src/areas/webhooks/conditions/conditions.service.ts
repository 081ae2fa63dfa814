import { validationError } from '../../../platform/kit/errors/api-error.ts';
import type { WebhookEvent } from '../webhook-events.domain.ts';
import type { Webhook } from '../webhooks.repository.ts';
import type { Condition, Conditions, StoredCondition, TriedCondition } from './conditions.domain.ts';
import type { LastFactsRepository } from './last-facts.repository.ts';

/** Conditions with their keys. Throws 422 for a condition of another event, and for an event that lacks one. */
export function storedConditions(
  { mismatches, toStored }: Pick<Conditions, 'mismatches' | 'toStored'>,
  events: readonly WebhookEvent[],
  conditions: readonly Condition[],
): StoredCondition[] {
  const problems = mismatches(events, conditions);
  if (problems.length > 0) {
    throw validationError(problems.map(({ path, msg }) => ({ loc: ['body', 'conditions', ...path], msg, type: 'invalid_value' })));
  }
  return conditions.map(toStored);
}

/** Conditions after an edit; undefined when they stay. The storage deletes those of removed events. Throws 422. */
export function editedConditions(
  known: Pick<Conditions, 'mismatches' | 'toStored'>,
  webhook: Pick<Webhook, 'events' | 'conditions'>,
  edit: { events?: WebhookEvent[] | undefined; conditions?: Condition[] | undefined },
): StoredCondition[] | undefined {
  const events = edit.events ?? webhook.events;
  const kept = webhook.conditions.filter(({ event }) => events.includes(event));
  const stored = storedConditions(known, events, edit.conditions ?? kept);
  return edit.conditions && stored;
}

/** Compares conditions with the last events. */
export async function tryConditions(
  { toStored, tried, sentenceOf }: Pick<Conditions, 'toStored' | 'tried' | 'sentenceOf'>,
  lastFacts: Pick<LastFactsRepository, 'find'>,
  conditions: readonly Condition[],
): Promise<{ sentence: string; result: TriedCondition }[]> {
  const last = await lastFacts.find([...new Set(conditions.map(({ event }) => event))]);
  return conditions.map((condition) => ({
    sentence: sentenceOf(condition),
    result: tried(toStored(condition), last.get(condition.event) ?? {}),
  }));
}
