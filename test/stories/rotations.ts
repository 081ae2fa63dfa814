import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Story } from './user.ts';

const DAY = 86_400;

interface Visits {
  active: boolean;
  starts_at: number;
  ends_at: number;
  schedule: { starts_at: number; ends_at: number }[];
}

export const rotationStories: readonly Story[] = [
  {
    title: 'find the next visit of each merchant',
    async run(user) {
      const { now_unix: now } = await user.read<{ now_unix: number }>('/v1/rotations/server-time');
      for (const merchant of ['corruxion', 'fluxion']) {
        const { starts_at, ends_at, schedule } = await user.read<Visits>(`/v1/rotations/${merchant}`);
        assert.ok(ends_at > now && ends_at > starts_at, merchant);
        const next = schedule.find((visit) => visit.starts_at > now);
        assert.ok(next && next.starts_at - now < 31 * DAY, `${merchant} visits within a month`);
      }
    },
  },
  {
    title: "find tomorrow's bonus",
    async run(user) {
      const { now_unix: now, game_day: today } = await user.read<{ now_unix: number; game_day: string }>('/v1/rotations/server-time');
      type Day = { name: string; weekday: string; normal_buffs: string[] };
      const { current } = await user.read<{ current: Day }>(`/v1/rotations/daily-buffs?at=${now + DAY}`);
      assert.notEqual(current.weekday, today);
      assert.ok(current.normal_buffs.length > 0);
    },
  },
  {
    title: 'subscribe to the rotations in a calendar app',
    async run(user) {
      const first = await user.send('/v1/rotations/calendar.ics?types=corruxion');
      assert.match(first.headers.get('content-type') ?? '', /^text\/calendar/);
      const text = await first.text();
      assert.match(text, /^BEGIN:VCALENDAR\r\n/);
      assert.ok(text.split('BEGIN:VEVENT').length > 10);
      // The app polls again with the ETag.
      const etag = first.headers.get('etag') ?? '';
      const again = await fetch(`${user.devFile.base_url}/v1/rotations/calendar.ics?types=corruxion`, {
        headers: { 'If-None-Match': etag },
      });
      assert.equal(again.status, 304);
    },
  },
  {
    title: 'receive challenges in a chat channel',
    async run(user) {
      const session = await user.signIn();
      const url = `https://discord.com/api/webhooks/1201/story-${randomUUID()}`;
      const send = async (path: string, options: object) =>
        (await (await user.send(path, options, session)).json()) as { id: string; ok: boolean };
      const { id } = await send('/v1/webhooks', { body: { url, events: ['challenge'], label: 'story' } });
      try {
        assert.equal((await send(`/v1/webhooks/${id}/test?event=challenge`, { method: 'POST' })).ok, true);
      } finally {
        await user.send(`/v1/webhooks/${id}`, { method: 'DELETE' }, session);
      }
    },
  },
];
