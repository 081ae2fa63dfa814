import assert from 'node:assert/strict';
import type { Story } from './user.ts';

const WEEK = 604_800;
const WEEKLY_BOARD = 21_004;

export const boardStories: readonly Story[] = [
  {
    title: 'read my rank over a week',
    async run(user) {
      type Series = { anchors: number[]; series: { points: { rank: number; score: number }[] }[] };
      const { anchors, series } = await user.readWithToken<Series>('/v1/leaderboards/players/Nimbus/series?days=7');
      assert.ok((anchors.at(-1) ?? 0) - (anchors[0] ?? 0) >= 6 * 86_400, 'a week of captures');
      assert.ok(series.some(({ points }) => points.length > 20 && points.every(({ rank }) => rank >= 1)));
    },
  },
  {
    title: 'find the leader of a board a week ago',
    async run(user) {
      const { weekly_reset_at: nextReset } = await user.read<{ weekly_reset_at: number }>('/v1/rotations/server-time');
      type Entries = { anchor: number; items: { rank: number; player_name: string; score: number }[] };
      const endOfLastWeek = nextReset - WEEK - 1;
      const { items } = await user.readWithToken<Entries>(`/v1/leaderboards/${WEEKLY_BOARD}/entries?at=${endOfLastWeek}&limit=1`);
      assert.equal(items[0]?.rank, 1);
      assert.ok(items[0].player_name.length > 0 && items[0].score > 0);
    },
  },
  {
    title: 'see who rose most on a board in a week, as data and as a table',
    async run(user) {
      type Gains = { window_start: number; window_end: number; items: { place: number; gain: number }[] };
      const path = '/v1/leaderboards/1/gains?days=7';
      const { window_start: start, window_end: end, items } = await user.readWithToken<Gains>(path);
      assert.ok(end - start >= 86_400, `${end - start} s`);
      assert.ok(items.length > 0 && items.every(({ gain }) => gain > 0));
      assert.deepEqual(
        items.map(({ gain }) => gain),
        items.map(({ gain }) => gain).sort((one, other) => other - one),
      );
      const table = await user.send(path, { headers: { Accept: 'text/csv' } }, user.devFile.token);
      assert.match(await table.text(), /^place,rank,player_name,score,prev_rank,prev_score,gain\r?\n1,/);
    },
  },
  {
    title: 'see the top of a board on its page, and embed the card in a README',
    async run(user) {
      const page = await user.text('/leaderboards/1?days=7');
      assert.match(page, /Largest gains/);
      const [, image = ''] = /\]\((https?:[^)]+\/card\.svg)\)/.exec(page) ?? [];
      const { pathname } = new URL(image);
      const response = await user.send(`${pathname}?theme=light`);
      assert.equal(response.headers.get('Content-Type'), 'image/svg+xml');
      assert.match(await response.text(), /<title>Leaderboard · .+<\/title>/);
      const cached = await user.send(pathname);
      assert.match(cached.headers.get('Cache-Control') ?? '', /^public, max-age=\d+$/);
    },
  },
  {
    title: 'find the later name of a player, and names that two characters share',
    async run(user) {
      type Chain = { current_name: string; aliases: string[]; edges: { confidence: number }[] };
      const { current_name: current, aliases, edges } = await user.readWithToken<Chain>('/v1/leaderboards/renames/Stratus');
      assert.equal(current, 'Cumulus');
      assert.deepEqual(aliases, ['Cumulus', 'Stratus']);
      assert.ok(edges[0] && edges[0].confidence >= 0.5);
      const profile = await user.readWithToken<{ player_name: string }>('/v1/leaderboards/players/Stratus/profile');
      assert.equal(profile.player_name, 'Cumulus');
      type Duplicates = { duplicates: { name: string; verdict: string; max_occurrences: number }[] };
      const { duplicates } = await user.readWithToken<Duplicates>('/v1/leaderboards/duplicates?kind=same_name');
      assert.partialDeepStrictEqual(duplicates, [{ name: 'Gemini', max_occurrences: 2 }]);
    },
  },
  {
    title: 'count the active players of today and of this week',
    async run(user) {
      type Activity = { estimate: number; estimate_24h: number; estimate_7d: number };
      const { estimate, estimate_24h: day, estimate_7d: week } = await user.read<Activity>('/v1/activity/current');
      assert.ok(day > 0 && estimate <= day && day <= week, `${estimate}, ${day}, ${week}`);
    },
  },
  {
    title: 'count the active players by class',
    async run(user) {
      const { classes } = await user.read<{ classes: { name: string; active_players: number; share: number }[] }>(
        '/v1/class-activity/current',
      );
      assert.equal(classes.length, 18);
      assert.ok(Math.abs(classes.reduce((sum, { share }) => sum + share, 0) - 1) < 0.01, 'the shares add up to 1');
    },
  },
];
