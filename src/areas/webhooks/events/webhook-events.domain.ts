import type { EventBodies, EventDeclaration, EventFact, EventRegistry, EventType } from '../../../platform/events/event-declaration.ts';
import type { FollowedMessage, TriggeredEvent } from '../../../platform/events/event-source.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { createConditions } from '../conditions/conditions.domain.ts';
import { BLANK_TEMPLATE, type Template, type TemplateVariables } from './template.domain.ts';

/** Event of a webhook. */
export type WebhookEvent = EventType;

/** Texts of an event. */
type EventText = Pick<EventDeclaration, 'label' | 'summary' | 'hint'> & { chat: Pick<EventDeclaration['chat'], 'text'> };

/** An event to post to chats, once per key. */
export interface ChatJob {
  key: string;
  event: WebhookEvent;
  variables: TemplateVariables;
}

/** The events of webhooks, derived from the declarations of the areas. */
export type WebhookEvents = ReturnType<typeof createWebhookEvents>;

export function createWebhookEvents(registry: EventRegistry) {
  const chatOf = <Type extends WebhookEvent>(type: Type) => registry.of(type).chat;

  function variablesOf<Type extends WebhookEvent>(type: Type, body: EventBodies[Type], at: UnixSeconds): TemplateVariables | null {
    return chatOf(type).variablesOf(body, at);
  }

  function sampleVariables(type: WebhookEvent, now: UnixSeconds): TemplateVariables {
    return variablesOf(type, registry.of(type).sample(now), now) ?? {};
  }

  function jobOf<Type extends WebhookEvent>(type: Type, body: EventBodies[Type], at: UnixSeconds, key: string): ChatJob | null {
    const variables = variablesOf(type, body, at);
    const { keyOf } = chatOf(type);
    return variables && { key: keyOf?.(body) ?? key, event: type, variables };
  }

  function factsOf<Type extends WebhookEvent>(type: Type, body: EventBodies[Type], at: UnixSeconds): readonly EventFact[] {
    return registry.of(type).factsOf?.(body, at) ?? [];
  }

  const signed = namedValues('SignedWebhookEvent', 'Event type of a signed webhook.', [...registry.types, ...registry.triggers]);
  const chat = namedValues('WebhookEventName', 'Event of a chat webhook.', [...registry.chatTypes]);
  return {
    chat,
    signed,
    conditions: createConditions(registry),
    sampleVariables,
    declarationOf: (type: WebhookEvent): EventText => registry.of(type),
    placeholdersOf: (type: WebhookEvent) => Object.keys(sampleVariables(type, 0)),
    /** Template of an event for which the account has none. */
    defaultTemplateOf(type: WebhookEvent): Template {
      const { fields = [], ...text } = chatOf(type).text;
      return { ...BLANK_TEMPLATE, ...text, fields: fields.map(([name, value]) => ({ name, value, inline: true })) };
    },
    /** Job of a stream message; null when there is nothing to post. */
    chatJobOf(message: FollowedMessage): ChatJob | null {
      if (message.body === null || !chat.includes(message.type)) return null;
      const { type, body, id, at } = message;
      return jobOf(type, body, at, `${type}:${id}:${at}`);
    },
    /** Job of an event outside the stream. */
    triggeredJobOf: ({ type, body, at, key }: TriggeredEvent): ChatJob | null => jobOf(type, body, at, key),
    /** Facts that the body of an event states. */
    factsOf: ({ type, body, at }: Pick<FollowedMessage, 'type' | 'body' | 'at'>) => (body === null ? [] : factsOf(type, body, at)),
    /** In the order of the chat events, without duplicates. */
    sortChat: (events: readonly WebhookEvent[]) => chat.filter((event) => events.includes(event)),
    /** In the order of the stream, without duplicates. */
    sortSigned: (events: readonly WebhookEvent[]) => signed.filter((event) => events.includes(event)),
  };
}
