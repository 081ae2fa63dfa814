import { publicAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import type { StreamMessage } from '../../platform/openapi/outgoing.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { streamLimits } from './events.budgets.ts';
import { streamMessage, streamQuery } from './events.schemas.ts';
import { commentFrame, eventFrame, type Newest, type ResumePoint, resumePointOf } from './framing.domain.ts';
import type { EventHub } from './hub.ts';
import type { SnapshotMaker } from './snapshot.ts';
import { openStream } from './stream.ts';

const encoder = new TextEncoder();

const EXAMPLE = {
  type: 'corruxion',
  data: { active: false, starts_at: 1_774_004_400, ends_at: 1_774_263_600, seconds_remaining: 847_800, schedule: [] },
  ts: 1_773_156_600,
};

const DESCRIPTION = `A long-lived \`text/event-stream\`. First the state of every source, then one message for each change, within a second.

Each message has the lines \`event: <type>\`, \`id: <number>\` and \`data: {"type", "data", "ts"}\` on one line, as \`StreamMessage\` describes; \`data.data\` is exactly the body of the matching route and \`ts\` the unix second in which the message was made. A comment \`: ping\` comes about every 20 seconds.

Reconnect with \`Last-Event-ID\` (browsers do it by themselves) or \`?since=\` and everything missed comes first, in order, as far back as the log goes (7 days); the snapshot follows in every case. When the gap is older than that, a comment line says so.

\`EventSource\` in a browser cannot send a token: use it on the anonymous budget, or read the stream with \`fetch\` and an \`Authorization\` header. Never put a token into a URL.`;

/** `GET /v1/events/stream`. */
export function createStreamEndpoint(hub: EventHub, snapshot: SnapshotMaker, messages: Readonly<Record<string, StreamMessage>>): Endpoint {
  return defineRoute({
    method: 'get',
    path: '/v1/events/stream',
    operationId: 'streamEvents',
    tag: 'Events',
    summary: 'Live event stream',
    description: DESCRIPTION,
    access: publicAccess('events:read'),
    query: streamQuery(messages),
    streams: streamLimits,
    errors: ['service_unavailable'],
    ok: {
      contentTypes: ['text/event-stream'],
      description: 'The stream; it ends only when the client or the server closes it.',
      example: EXAMPLE,
      document: streamMessage(messages),
    },
  }).handle(async ({ query, request, now, settings, admission, waitUntil }) => {
    const { streamSlot: slot } = admission;
    if (!slot) throw new Error('a stream was admitted without a slot');
    const freeSlot = () => waitUntil(slot.free());
    // A client that leaves while its stream is being opened must not keep the slot.
    request.signal.addEventListener('abort', freeSlot, { once: true });
    await slot.take();
    const socket = await hub.connect().catch(async (error: unknown) => {
      await slot.free();
      throw error;
    });
    const types = query.types ? new Set<string>(query.types) : null;
    const point = resumeFrom(request.headers.get('Last-Event-ID'), query.since);
    // The snapshot is made when it is sent, which may be long after the request when a slow reader has a long replay.
    const clockOffset = now - systemClock();

    async function* prologue(newest: Newest) {
      const covered = point ? yield* replay(hub, point, newest, types) : newest;
      const state = await snapshot({ now: systemClock() + clockOffset, newest: covered, types, settings });
      if (state.length > 0) yield state;
      return covered.id;
    }

    return {
      kind: 'raw',
      body: openStream({ socket, signal: request.signal, types, prologue, renew: slot.renew, onEnd: freeSlot }),
      contentType: 'text/event-stream',
      headers: { 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' },
    };
  });
}

/** The header wins; one that is no number counts as absent, as a client cannot help what it stored. */
function resumeFrom(header: string | null, since: ResumePoint | undefined): ResumePoint | null {
  if (header === null || header.trim() === '') return since ?? null;
  const point = resumePointOf(header.trim());
  return point && 'afterId' in point ? point : null;
}

/**
 * Everything missed up to the newest event of the shard, oldest first. Returns the newest event the client then knows:
 * one that comes from another shard may be ahead of this one, and must not be told the same twice.
 */
async function* replay(
  hub: EventHub,
  point: ResumePoint,
  newest: Newest,
  types: ReadonlySet<string> | null,
): AsyncGenerator<Uint8Array, Newest> {
  // After a restart everybody reconnects at once, and most have missed nothing: that takes no call.
  if ('afterId' in point && point.afterId === newest.id) return newest;
  const { from, hasGap, newest: logged } = await hub.resume(point);
  if (hasGap) yield encoder.encode(commentFrame('some missed events are older than the log and are lost'));
  if (from === null) return newest;
  for (let id = from; id < newest.id; ) {
    const page = (await hub.eventsAfter(id)).filter((event) => event.id <= newest.id);
    const missed = page.filter(({ type }) => types === null || types.has(type));
    if (missed.length > 0) yield encoder.encode(missed.map(eventFrame).join(''));
    id = page.at(-1)?.id ?? newest.id;
  }
  return from > newest.id ? { ...logged, id: from } : newest;
}
