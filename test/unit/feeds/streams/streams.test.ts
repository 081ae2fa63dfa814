import { describe, expect, it } from 'vitest';
import { normalizeStreams } from '../../../../src/areas/feeds/live/streams.upstream.ts';

const source = {
  user_name: 'Glimmer',
  user_login: 'glimmer',
  title: 'Delves',
  viewer_count: 12,
  game_name: 'Trove',
  started_at: '2026-03-10T15:30:00Z',
  thumbnail_url: 'https://p.example/glimmer-{width}x{height}.jpg',
};
const stream = {
  channel: 'Glimmer',
  login: 'glimmer',
  url: 'https://twitch.tv/glimmer',
  title: 'Delves',
  viewers: 12,
  game: 'Trove',
  startedAt: '2026-03-10T15:30:00Z',
  thumbnail: 'https://p.example/glimmer-440x248.jpg',
};
const one = (change: object) => normalizeStreams({ data: [{ ...source, ...change }] })?.[0];

describe('normalizeStreams', () => {
  it('parses the response object or a bare list, and skips anything but objects', () => {
    expect(normalizeStreams({ data: [source] })).toEqual([stream]);
    expect(normalizeStreams([null, source, 'x', 5, [], { ...source, user_name: 'B' }])).toEqual([stream, { ...stream, channel: 'B' }]);
  });

  it.each([null, {}, { data: {} }, 'x', 5])('returns null or an empty list for %j', (payload) => {
    expect(normalizeStreams(payload)).toBeNull();
  });

  it('uses name and login as defaults for each other', () => {
    expect(one({ user_name: '' })).toMatchObject({ channel: 'glimmer', login: 'glimmer' });
    expect(one({ user_login: undefined })).toMatchObject({ channel: 'Glimmer', login: 'Glimmer', url: 'https://twitch.tv/Glimmer' });
    expect(one({ user_login: '', user_name: null })).toMatchObject({ channel: '', login: '', url: 'https://twitch.tv' });
  });

  it('uses defaults for missing fields', () => {
    const bare = { title: null, viewer_count: 'many', game_name: '', started_at: 5, thumbnail_url: '' };
    expect(one(bare)).toMatchObject({ title: '', viewers: 0, game: null, startedAt: null, thumbnail: null });
  });
});
