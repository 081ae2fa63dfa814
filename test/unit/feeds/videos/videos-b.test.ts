import { describe, expect, it } from 'vitest';
import { parseVideosBDate, type VideoCard, videosFromCards } from '../../../../src/areas/feeds/videos/videos-b.domain.ts';

/** 2026-03-10 15:30 UTC. */
const NOW = 1_773_156_600;
const DAY = 86_400;
const at = (iso: string) => Date.parse(iso) / 1000;

describe('parseVideosBDate', () => {
  it.each([
    ['2025-12-31', at('2025-12-31T00:00:00Z')],
    ['2026-1-5', at('2026-01-05T00:00:00Z')],
    ['3-10', at('2026-03-10T00:00:00Z')],
    ['3-11', at('2025-03-11T00:00:00Z')],
    ['12-31', at('2025-12-31T00:00:00Z')],
    [' · 1-5 ', at('2026-01-05T00:00:00Z')],
    ['昨天', NOW - DAY],
    ['· 昨天', NOW - DAY],
    ['3小时前', NOW - 3 * 3600],
    ['12 分钟前', NOW - 12 * 60],
    ['刚刚', NOW],
    ['', NOW],
    ['2026-2-30', NOW],
    ['13-40', NOW],
    ['2-29', NOW],
  ])('%j', (text, instant) => {
    expect(parseVideosBDate(text, NOW)).toBe(instant);
  });
});

describe('videosFromCards', () => {
  const card = (change: Partial<VideoCard> = {}): VideoCard => ({
    link: '//www.bilibili.com/video/BV1aa/',
    title: '宝藏世界',
    channel: ' 星海 ',
    date: '昨天',
    image: '//i0.hdslb.com/bfs/1.jpg@672w_378h.avif',
    ...change,
  });
  const limits = { cutoffDays: 90, perChannel: 2, maxItems: 3 };

  it('parses search result cards', () => {
    expect(videosFromCards([card()], NOW, limits)).toEqual([
      {
        title: '宝藏世界',
        url: 'https://www.bilibili.com/video/BV1aa/',
        channel: '星海',
        videoId: 'BV1aa',
        publishedAt: '2026-03-09T15:30:00.000Z',
        thumbnailUrl: 'https://i0.hdslb.com/bfs/1.jpg',
      },
    ]);
  });

  it.each([
    ['//www.bilibili.com/video/BV1aa', 'BV1aa'],
    ['//www.bilibili.com/video/BV1aa/?from=search#x', 'BV1aa'],
    ['//www.bilibili.com/video/', null],
  ])('reads the id from %j', (link, videoId) => {
    expect(videosFromCards([card({ link })], NOW, limits)[0]?.videoId).toBe(videoId);
  });

  it('requires a link to a video', () => {
    expect(videosFromCards([card({ link: null }), card({ link: '//live.bilibili.com/1' })], NOW, limits)).toEqual([]);
  });

  it.each([
    ['https://i0.hdslb.com/1.jpg', 'https://i0.hdslb.com/1.jpg'],
    [' //i0.hdslb.com/1.jpg@1w 2x, x', 'https://i0.hdslb.com/1.jpg'],
    ['', null],
    [null, null],
  ])('reads the image from %j', (picture, thumbnailUrl) => {
    expect(videosFromCards([card({ image: picture })], NOW, limits)[0]?.thumbnailUrl).toBe(thumbnailUrl);
  });

  it('limits videos by age, per channel and in total, then sorts them newest first', () => {
    const cards = [
      card({ title: 'too old', date: '2025-12-9' }),
      card({ title: 'a1', channel: 'a', date: '1-5' }),
      card({ title: 'a2', channel: 'a', date: '1-6' }),
      card({ title: 'a3', channel: 'a', date: '昨天' }),
      card({ title: 'b1', channel: 'b', date: '3小时前' }),
      card({ title: 'c1', channel: 'c', date: '刚刚' }),
    ];
    expect(videosFromCards(cards, NOW, limits).map(({ title }) => title)).toEqual(['b1', 'a2', 'a1']);
  });
});
