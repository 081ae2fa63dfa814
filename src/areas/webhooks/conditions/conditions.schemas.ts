import { z } from '@hono/zod-openapi';
import { namedEnum, string } from '../../../platform/http/bodies/body-schemas.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import {
  type Condition,
  type Conditions,
  MAX_CONDITION_VALUES,
  MAX_CONDITIONS,
  MAX_VALUE_LENGTH,
  type TriedCondition,
} from './conditions.domain.ts';

/** Schemas with the declared conditions of the events. */
export function createConditionSchemas({ events, names, problemOf }: Pick<Conditions, 'events' | 'names' | 'problemOf'>) {
  const fields = {
    event: namedEnum('WebhookConditionEvent', 'Event with conditions.', events).openapi({
      description: 'Event that the condition filters; one of `events`.',
      example: 'market_price',
    }),
    match: namedEnum('WebhookConditionName', 'What a condition compares.', names).openapi({
      description:
        'What the condition compares: `type` of a challenge, `change` of a merchant, `author` or `tag` of a mod, `server` that is down, `item` of the market.',
      example: 'item',
    }),
    values: z
      .array(z.string().trim().min(1).max(MAX_VALUE_LENGTH))
      .min(1)
      .max(MAX_CONDITION_VALUES)
      .openapi({ description: 'One of these values must match, regardless of case.', example: ['Sun Sap'] }),
    limit: z.number().nullable().default(null).openapi({
      description: '`item`: highest price of one piece. `server`: minutes without the server. Other conditions: null.',
      example: 150,
    }),
  };

  const WebhookCondition = z
    .object(fields)
    .superRefine((condition, context) => {
      const problem = problemOf(condition as Condition);
      if (problem) context.addIssue({ code: 'custom', message: problem.msg, path: problem.path, params: { type: 'invalid_value' } });
    })
    .openapi('WebhookConditionInput', { description: 'A condition: the webhook receives the event only if one of its conditions is met.' });

  const example = [{ event: 'challenge', match: 'type', values: ['rampage'], limit: null }];

  /** Conditions in requests. */
  const conditions = (z.array(WebhookCondition).max(MAX_CONDITIONS) as unknown as z.ZodType<Condition[]>).openapi({
    type: 'array',
    example,
    description:
      'An event is sent if one of its conditions is met. Events without a condition are always sent; `market_price` and `server_down` need one.',
  });

  const ConditionBody = z
    .object({
      ...fields,
      values: z.array(z.string()).openapi({ description: 'One of these values must match.', example: ['Sun Sap'] }),
      limit: z.number().nullable().openapi({ description: 'The limit; null for a condition without one.', example: 150 }),
      sentence: string('The condition in words.', 'Post when Sun Sap is at most 150 each'),
    })
    .openapi('WebhookCondition', { description: 'A condition of a webhook.' });

  /** Conditions in responses. */
  const conditionBodies = z.array(ConditionBody).openapi({ description: 'Conditions; events without one are always sent.' });

  const TryConditionsInput = z.object({ conditions }).openapi('TryConditionsInput');

  return { conditions, conditionBodies, TryConditionsInput };
}

export function toConditionBody(condition: Condition, { sentenceOf }: Pick<Conditions, 'sentenceOf'>) {
  const { event, match, values, limit } = condition;
  return { event, match, values: [...values], limit, sentence: sentenceOf(condition) };
}

export const TriedConditionsBody = z
  .object({
    items: z
      .array(
        z
          .object({
            sentence: string('The condition in words.', 'Post when Sun Sap is at most 150 each'),
            would_post: z
              .boolean()
              .nullable()
              .openapi({ description: 'Whether the last event meets the condition; null: no event yet.', example: true }),
            reason: string('What happened last.', 'the cheapest new listing of Sun Sap was 142.5 each'),
            event_at: z
              .string()
              .nullable()
              .openapi({ description: 'Time of the last event; null: none yet.', example: '2026-03-10T15:00:00.000Z' }),
          })
          .openapi('TriedCondition', { description: 'A condition compared with the last event.' }),
      )
      .openapi({ description: 'In the order of the request.' }),
  })
  .openapi('TriedConditions', { description: 'Conditions compared with the last events.' });

export function toTriedBody(sentence: string, { wouldPost, reason, at }: TriedCondition) {
  return { sentence, would_post: wouldPost, reason, event_at: at === null ? null : toIso(at) };
}

const ChoiceBody = z
  .object({ value: string('Value.', 'rampage'), label: string('Display name.', 'Rampage') })
  .openapi('WebhookConditionChoice', { description: 'A value of a condition.' });

/** A declared condition, for forms. */
export const DeclaredConditionBody = z
  .object({
    name: string('Name, as in `match`.', 'item'),
    label: string('Display name.', 'Market item is cheap'),
    choices: z.array(ChoiceBody).nullable().openapi({ description: 'Allowed values; null: any text.', example: null }),
    limit: z
      .object({
        label: string('Display name.', 'At most, each'),
        min: z.number().openapi({ description: 'Smallest limit.', example: 0.001 }),
        max: z.number().openapi({ description: 'Largest limit.', example: 1_000_000_000 }),
        decimals: z.number().int().openapi({ description: 'Digits after the decimal point.', example: 3 }),
      })
      .nullable()
      .openapi({
        description: 'The limit; null: none.',
        example: { label: 'At most, each', min: 0.001, max: 1_000_000_000, decimals: 3 },
      }),
  })
  .openapi('WebhookConditionMeta', { description: 'A condition that an event supports.' });

export function toDeclaredBody({ name, label, choices, limit }: ReturnType<Conditions['declaredOf']>[number]) {
  return {
    name,
    label,
    choices: choices ? choices.map(([value, choiceLabel]) => ({ value, label: choiceLabel })) : null,
    limit: limit ? { label: limit.label, min: limit.min, max: limit.max, decimals: limit.decimals } : null,
  };
}
