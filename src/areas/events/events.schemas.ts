import { z } from '@hono/zod-openapi';
import type { EventRegistry, EventSchemas } from '../../platform/events/event-declaration.ts';
import { nameList } from '../../platform/http/pipeline/query-schemas.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';
import type { FeatureName } from '../../platform/settings/settings.data.ts';
import { parseResumePoint, type ResumePoint } from './framing.domain.ts';

/** Query of the stream. Error messages list the types of disabled areas separately. */
export function streamQuery({ all, types }: EventRegistry) {
  const switches = Object.fromEntries(all.flatMap(({ type, feature }) => (feature ? [[type, feature]] : [])));
  return z.object({
    types: nameList(namedValues('StreamEventType', 'Type of an event stream message.', [...types]), {
      description: 'Types to receive, in the snapshot and live. Default: all except luxion.',
      example: ['challenge', 'chaos'],
      switches,
    }).optional(),
    since: z
      .string()
      .transform((text, context): ResumePoint => {
        const point = parseResumePoint(text);
        if (point) return point;
        context.addIssue({ code: 'custom', message: 'must be an event id or unix seconds', params: { type: 'invalid_format' } });
        return z.NEVER;
      })
      .optional()
      .openapi({
        type: 'string',
        pattern: '^\\d{1,15}$',
        description:
          'Replay missed events: the id of the last received event, or unix seconds (10 digits). For clients that cannot set `Last-Event-ID`. The header takes precedence.',
        example: '1773156600',
      }),
  });
}

/** `data` of every message of the stream, discriminated by `type`. */
export function streamMessage(events: EventRegistry, schemas: EventSchemas) {
  const [first, ...more] = events.all.flatMap(({ type, feature }) => {
    const data = schemas[type];
    return data ? [messageOf(type, data, feature)] : [];
  });
  if (!first) throw new Error('the event stream has no messages');
  return z.discriminatedUnion('type', [first, ...more]).openapi('StreamMessage', { description: 'An event stream message.' });
}

function messageOf(type: string, data: z.ZodType, feature: FeatureName | undefined) {
  const name = type.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return z
    .object({
      type: z.literal(type).openapi({ description: 'Type of the message.', example: type }),
      data,
      ts: z.number().int().openapi({ description: 'Creation time of the message, in unix seconds.', example: 1_773_156_600 }),
    })
    .openapi(`${name}Message`, { description: `A \`${type}\` message.`, ...(feature ? { 'x-switch': feature } : {}) });
}
