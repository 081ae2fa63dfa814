import { publicAccess } from '../../platform/access/policy/policy.ts';
import type { EventRegistry, EventSchemas } from '../../platform/events/event-declaration.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { GAP_COMMENT } from './events.data.ts';
import { streamMessage, streamQuery } from './events.schemas.ts';
import { streamLimits } from './events.settings.ts';
import { parseResumePoint, type ResumePoint } from './framing.domain.ts';
import type { EventHub } from './hub.service.ts';

const EXAMPLE = {
  type: 'corruxion',
  data: { active: false, starts_at: 1_774_004_400, ends_at: 1_774_263_600, seconds_remaining: 847_800, schedule: [] },
  ts: 1_773_156_600,
};

const DESCRIPTION = `A long-lived \`text/event-stream\`: the current state of every source, then one message per change, within a second of the change.

Without \`types\` the stream has all types except \`luxion\`, which \`types\` must name.

Each message has the lines \`event: <type>\`, \`id: <number>\` and \`data: {"type", "data", "ts"}\` on one line (\`StreamMessage\`). \`data.data\` is the response body of the matching endpoint, \`ts\` the creation time of the message in unix seconds. The server sends the comment \`: ping\` about every 20 seconds.

After a reconnect with \`Last-Event-ID\` (browsers send it themselves) or \`?since=\`, the stream first replays missed events of the last 7 days in order, then sends the snapshot. The comment line \`: ${GAP_COMMENT}\` comes first when missed events are older and so are lost. Its text does not change.

\`EventSource\` in a browser cannot send a token: use it within the anonymous rate limit, or read the stream with \`fetch\` and an \`Authorization\` header. Never put a token into a URL.`;

/** `GET /v1/events/stream`. */
export function createStreamEndpoint(hub: EventHub, events: EventRegistry, schemas: EventSchemas): Endpoint {
  return defineRoute({
    method: 'get',
    path: '/v1/events/stream',
    operationId: 'streamEvents',
    tag: 'Events',
    summary: 'Live event stream',
    description: DESCRIPTION,
    access: publicAccess('events:read'),
    query: streamQuery(events),
    streams: streamLimits,
    errors: ['service_unavailable'],
    ok: {
      contentTypes: ['text/event-stream'],
      description: 'The stream. It ends when the client or the server closes it.',
      example: EXAMPLE,
      document: streamMessage(events, schemas),
    },
  }).handle(async ({ query, request, now, admission }) => {
    const { slotHolder: holder } = admission;
    if (!holder) throw new Error('stream admitted without a slot holder');
    const { types = [...events.defaultTypes] } = query;
    const point = resumeFrom(request.headers.get('Last-Event-ID'), query.since);
    const body = await hub.open({ now, types, point, holder });
    return {
      kind: 'raw',
      body,
      contentType: 'text/event-stream',
      headers: { 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' },
    };
  });
}

/** The header takes precedence. A header that is not a number is ignored. */
function resumeFrom(header: string | null, since: ResumePoint | undefined): ResumePoint | null {
  if (header === null || header.trim() === '') return since ?? null;
  const point = parseResumePoint(header.trim());
  return point && 'afterId' in point ? point : null;
}
