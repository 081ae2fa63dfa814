import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Story, User } from './user.ts';

const WAIT_MS = 15_000;

export const streamStories: readonly Story[] = [
  {
    title: 'resume the event stream after a broken connection without losing an event',
    async run(user) {
      const first = await eventsUntil(user, {}, (events) => events.some(({ id }) => id !== ''));
      const lastId = first.findLast(({ id }) => id !== '')?.id ?? '';
      const title = `Story ${randomUUID()}`;
      await openGiveaway(user, title);
      const missed = await eventsUntil(user, { 'Last-Event-ID': lastId }, (events) => events.some(({ data }) => data.includes(title)));
      assert.ok(missed.some(({ id }) => Number(id) > Number(lastId)));
    },
  },
];

/** Opens and cancels a giveaway, which the stream reports. */
async function openGiveaway(user: User, title: string): Promise<void> {
  const secret = user.devFile.superuser_token;
  const terms = { title, prize_name: 'Nothing', prize_code: 'NONE', starts_at: 0, ends_at: 4_000_000_000 };
  const { id } = (await (await user.send('/admin/giveaways', { body: terms }, secret)).json()) as { id: string };
  await user.send(`/admin/giveaways/${id}/cancel`, { method: 'POST' }, secret);
}

interface StreamEvent {
  id: string;
  data: string;
}

/** Reads events of a connection until the expected one. */
async function eventsUntil(
  user: User,
  headers: Record<string, string>,
  isThere: (events: readonly StreamEvent[]) => boolean,
): Promise<StreamEvent[]> {
  const abort = AbortSignal.timeout(WAIT_MS);
  const response = await user.send('/v1/events/stream?types=giveaways', { headers, signal: abort });
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
