import assert from 'node:assert/strict';
import type { Story, User } from './user.ts';

const WAIT_MS = 15_000;

export const streamStories: readonly Story[] = [
  {
    title: 'lose the connection of the stream, come back, and miss nothing',
    async tell(user) {
      const first = await eventsUntil(user, {}, (events) => events.some(({ id }) => id !== ''));
      const lastId = first.findLast(({ id }) => id !== '')?.id ?? '';
      const { name: before } = await user.read<{ name: string | null }>('/v1/rotations/challenge/current');
      const name = before === 'RAMPAGE ALERT!' ? 'Racing Challenge' : 'RAMPAGE ALERT!';
      await report(user, name);
      const missed = await eventsUntil(user, { 'Last-Event-ID': lastId }, (events) => events.some(({ data }) => data.includes(name)));
      assert.ok(missed.some(({ id }) => Number(id) > Number(lastId)));
    },
  },
];

/** With a token of its own: each may report once in five minutes. */
async function report(user: User, name: string): Promise<void> {
  const session = await user.signInAsSuperuser();
  type Created = { id: string; token: string };
  const created = (await (await user.ask('/tokens', { body: { name: 'story' } }, session)).json()) as Created;
  try {
    await user.ask('/v1/rotations/challenge/insert', { body: { name } }, created.token);
  } finally {
    await user.ask(`/tokens/${created.id}/revoke`, { body: { reason: 'the story is over' } }, session);
  }
}

interface StreamEvent {
  id: string;
  data: string;
}

/** The events of a connection up to the one that is waited for. */
async function eventsUntil(
  user: User,
  headers: Record<string, string>,
  isThere: (events: readonly StreamEvent[]) => boolean,
): Promise<StreamEvent[]> {
  const abort = AbortSignal.timeout(WAIT_MS);
  const response = await user.ask('/v1/events/stream?types=challenge', { headers, signal: abort });
  const events: StreamEvent[] = [];
  let rest = '';
  for await (const text of (response.body as ReadableStream<Uint8Array>).pipeThrough(
    new TextDecoderStream() as never,
  ) as ReadableStream<string>) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) events.push({ id: /^id: ?(.*)$/m.exec(block)?.[1] ?? '', data: /^data: ?(.*)$/m.exec(block)?.[1] ?? '' });
    if (isThere(events)) return events;
  }
  throw new Error('the stream ended early');
}
