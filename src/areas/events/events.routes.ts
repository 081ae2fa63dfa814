import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../platform/access/policy/policy.ts';
import type { EventRegistry, EventSchemas } from '../../platform/events/event-declaration.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { nameList } from '../../platform/http/pipeline/query-schemas.ts';
import { admitsType } from '../../platform/http/replies/accept.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';
import type { FeatureName } from '../../platform/settings/settings.data.ts';
import type { EventClient } from './event-client.service.ts';
import { GAP_COMMENT } from './events.data.ts';
import { streamLimits } from './events.settings.ts';
import { parseResumePoint, type ResumePoint } from './framing.domain.ts';

const RESUME_PATTERN = '^\\d{1,15}$';

/** A parameter with the point to resume from. `isAbsent`: texts that count as no parameter. */
function resumePoint(isAbsent: (text: string) => boolean) {
  return z
    .string()
    .transform((text, context): ResumePoint | undefined => {
      const point = parseResumePoint(text);
      if (point) return point;
      if (isAbsent(text)) return undefined;
      context.addIssue({ code: 'custom', message: 'must be an event id or unix seconds', params: { type: 'invalid_format' } });
      return z.NEVER;
    })
    .optional();
}

/** Query of the stream. Error messages list the types of disabled areas separately. */
function streamQuery(events: EventRegistry) {
  const { all, types } = events;
  const switches = Object.fromEntries(all.flatMap(({ type, feature }) => (feature ? [[type, feature]] : [])));
  return z.object({
    types: nameList(namedValues('StreamEventType', 'Type of an event stream message.', [...types]), {
      description: `Types to receive, in the snapshot and live. Default: all except ${listOnRequest(events, (type) => type)}.`,
      example: ['challenge', 'chaos'],
      switches,
    }).optional(),
    lastEventId: resumePoint((text) => text === '').openapi({
      type: 'string',
      pattern: RESUME_PATTERN,
      description: 'The same as `since`, which it precedes: the name that a common `EventSource` polyfill sends.',
      example: '30',
    }),
    since: resumePoint(() => false).openapi({
      type: 'string',
      pattern: RESUME_PATTERN,
      description:
        'Replay missed events: the id of the last received event, or unix seconds (10 digits). For clients that cannot set `Last-Event-ID`. The header takes precedence.',
      example: '1773156600',
    }),
  });
}

/** The types that `types` must name. */
function listOnRequest({ types, defaultTypes }: EventRegistry, format: (type: string) => string): string {
  return types
    .filter((type) => !defaultTypes.includes(type))
    .map(format)
    .join(' and ');
}

/** `data` of every message of the stream, discriminated by `type`. */
function streamMessage(events: EventRegistry, schemas: EventSchemas) {
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

const EXAMPLE = {
  type: 'corruxion',
  data: { active: false, starts_at: 1_774_004_400, ends_at: 1_774_263_600, seconds_remaining: 847_800, schedule: [] },
  ts: 1_773_156_600,
};

const STREAM_TYPE = 'text/event-stream';
const NOT_ACCEPTABLE = 406;

const descriptionOf = (
  onRequest: string,
) => `A long-lived \`text/event-stream\`: the current state of every source, then one message per change, within a second of the change.

Without \`types\` the stream has all types except ${onRequest}, which \`types\` must name.

Each message has the lines \`event: <type>\`, \`id: <number>\` and \`data: {"type", "data", "ts"}\` on one line (\`StreamMessage\`). \`data.data\` is the response body of the matching endpoint, \`ts\` the creation time of the message in unix seconds. The server sends the comment \`: ping\` about every 20 seconds.

After a reconnect with \`Last-Event-ID\` (browsers send it themselves) or \`?since=\`, the stream first replays missed events of the last 7 days in order, then sends the snapshot. The comment line \`: ${GAP_COMMENT}\` comes first when missed events are older and so are lost. Its text does not change.

\`EventSource\` in a browser cannot send a token: use it within the anonymous rate limit, or read the stream with \`fetch\` and an \`Authorization\` header. Never put a token into a URL.`;

/** `GET /v1/events/stream`. */
export function createStreamEndpoint(client: EventClient, events: EventRegistry, schemas: EventSchemas): Endpoint {
  return defineRoute({
    method: 'get',
    path: '/v1/events/stream',
    operationId: 'streamEvents',
    tag: 'Events',
    summary: 'Live event stream',
    description: descriptionOf(listOnRequest(events, (type) => `\`${type}\``)),
    access: publicAccess('events:read'),
    query: streamQuery(events),
    streams: streamLimits,
    errors: ['service_unavailable'],
    ok: {
      contentTypes: [STREAM_TYPE],
      description: 'The stream. It ends when the client or the server closes it.',
      example: EXAMPLE,
      document: streamMessage(events, schemas),
    },
  }).handle(async ({ query, request, now, admission }) => {
    const { slotHolder: holder } = admission;
    if (!holder) throw new Error('stream admitted without a slot holder');
    const { types = [...events.defaultTypes] } = query;
    if (!admitsType(request.headers.get('Accept'), STREAM_TYPE)) {
      throw new ApiError('bad_request', `Accept must admit ${STREAM_TYPE}`, {
        status: NOT_ACCEPTABLE,
        hint: `send Accept: ${STREAM_TYPE}, or no Accept`,
      });
    }
    const point = resumeFrom(request.headers.get('Last-Event-ID'), query.lastEventId ?? query.since);
    const body = await client.open({ now, types, point, holder });
    return {
      kind: 'raw',
      body,
      contentType: STREAM_TYPE,
      headers: { 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' },
    };
  });
}

/** The header takes precedence. A header that is not a number is ignored. */
function resumeFrom(header: string | null, query: ResumePoint | undefined): ResumePoint | null {
  if (header === null || header.trim() === '') return query ?? null;
  const point = parseResumePoint(header.trim());
  return point && 'afterId' in point ? point : null;
}
