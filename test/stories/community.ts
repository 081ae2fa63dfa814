import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import type { Story } from './user.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const communityStories: readonly Story[] = [
  {
    title: 'read the odds of a giveaway and verify its draw',
    async run(user) {
      const [open] = await user.read<{ entry_count: number; seed_hash: string }[]>('/v1/giveaways/ongoing');
      assert.ok(open && open.entry_count > 0 && /^[0-9a-f]{64}$/.test(open.seed_hash));
      const ended = await user.read<{ id: string; title: string; status: string }[]>('/v1/giveaways/ended');
      const drawn = ended.find(({ status }) => status === 'drawn');
      type Draw = { seed: string; seed_hash: string; entries_hash: string; winner_entry_id: string; entries: string[] };
      const draw = await user.read<Draw>(`/v1/giveaways/${drawn?.id}/draw`);
      assert.equal(sha256(draw.seed), draw.seed_hash);
      assert.equal(sha256(draw.entries.join('\n')), draw.entries_hash);
      const number = BigInt(`0x${createHmac('sha256', draw.seed).update(draw.entries_hash).digest('hex')}`);
      assert.equal(draw.entries[Number(number % BigInt(draw.entries.length))], draw.winner_entry_id);
    },
  },
  {
    title: 'read the server status and since when it applies',
    async run(user) {
      const history = await user.read<{ uptime: number; segments: { status: string; started_at: number }[] }>(
        '/v1/misc/game-status/history',
      );
      assert.ok(history.segments.length > 0 && history.uptime > 0 && history.uptime <= 1);
      assert.match(await user.text('/v1/misc/badge/game-status.svg'), /^<svg/);
    },
  },
  {
    title: 'read the news in a feed reader',
    async run(user) {
      const response = await user.send('/v1/feeds/news.atom');
      assert.match(response.headers.get('content-type') ?? '', /^application\/atom\+xml/);
      const text = await response.text();
      assert.ok(text.split('<entry>').length > 2 && text.includes('<title'));
    },
  },
];
