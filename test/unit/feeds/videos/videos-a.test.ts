import { describe, expect, it } from 'vitest';
import { newestFirst, parseTerms } from '../../../../src/areas/feeds/videos/videos.domain.ts';
import {
  curateVideosA,
  durationSeconds,
  hasTerm,
  type VideoARules,
  videoIdsIn,
} from '../../../../src/areas/feeds/videos/videos-a.domain.ts';

const rules: VideoARules = {
  cutoffDays: 90,
  perChannel: 3,
  maxItems: 10,
  excludedChannels: ['bad channel'],
  excludeTerms: ['trinket trove'],
  requireTerms: ['trove'],
  signalTerms: ['delve', 'chaos chest'],
  gamingCategoryId: '20',
};

interface Sample {
  id?: string;
  hit?: object;
  snippet?: object;
  detail?: object;
}

function createResponses(samples: readonly Sample[]) {
  const named = samples.map((sample, index) => ({ id: `video${index}`, ...sample }));
  const published = (index: number) => `2026-03-${String(28 - index).padStart(2, '0')}T00:00:00Z`;
  const search = {
    items: named.map(({ id, hit }, index) => ({
      id: { videoId: id },
      snippet: {
        publishedAt: published(index),
        title: 'from search',
        channelTitle: 'Channel',
        thumbnails: { high: { url: 'h.jpg' } },
        ...hit,
      },
    })),
  };
  const details = {
    items: named.map(({ id, snippet, detail }, index) => ({
      id,
      snippet: { title: 'Trove delve', channelTitle: `Channel ${index}`, categoryId: '20', tags: [], ...snippet },
      contentDetails: { duration: 'PT5M' },
      ...detail,
    })),
  };
  return { search, details };
}

function curate(samples: readonly Sample[], change: Partial<VideoARules> = {}) {
  const { search, details } = createResponses(samples);
  return curateVideosA(search, details, { ...rules, ...change });
}
const keeps = (sample: Sample, change?: Partial<VideoARules>) => curate([sample], change).length === 1;

describe('curateVideosA', () => {
  it('combines the details with date and image of the search', () => {
    expect(curate([{ id: 'abc' }])).toEqual([
      {
        title: 'Trove delve',
        url: 'https://www.youtube.com/watch?v=abc',
        channel: 'Channel 0',
        videoId: 'abc',
        publishedAt: '2026-03-28T00:00:00Z',
        thumbnailUrl: 'h.jpg',
      },
    ]);
  });

  it('falls back to the search result for missing details', () => {
    const { search } = createResponses([{ id: 'abc', hit: { title: 'Trove chaos chest', thumbnails: {} } }]);
    expect(curateVideosA(search, {}, rules)).toMatchObject([{ title: 'Trove chaos chest', channel: 'Channel', thumbnailUrl: null }]);
  });

  it.each<[string, Sample, boolean]>([
    ['an excluded channel, however it is written', { snippet: { channelTitle: 'Bad CHANNEL' } }, false],
    ['a broadcast', { snippet: { liveBroadcastContent: 'live' } }, false],
    ['a broadcast to come', { hit: { liveBroadcastContent: 'upcoming' } }, false],
    ['a broadcast that is over', { snippet: { liveBroadcastContent: 'none' } }, true],
    ['a minute', { detail: { contentDetails: { duration: 'PT1M' } } }, false],
    ['a minute and a second', { detail: { contentDetails: { duration: 'PT1M1S' } } }, true],
    ['an unknown duration', { detail: { contentDetails: {} } }, true],
    ['the word shorts', { snippet: { description: 'my #Shorts' } }, false],
    ['the word shortsighted', { snippet: { description: 'shortsighted' } }, true],
    ['an excluded phrase', { snippet: { title: 'Trinket Trove' } }, false],
    ['a required term inside another word', { snippet: { title: 'Trovesaurus', tags: [] } }, false],
    ['a required term among the tags', { snippet: { title: 'Untitled', tags: ['TROVE'] } }, true],
    ['another category without a signal', { snippet: { title: 'Trove', categoryId: '10' } }, false],
    ['another category with a signal', { snippet: { title: 'Trove chaos  chest', categoryId: '10', description: 'delve' } }, true],
    ['the right category without a signal', { snippet: { title: 'Trove' } }, true],
  ])('%s', (_case, sample, kept) => {
    expect(keeps(sample)).toBe(kept);
  });

  it('requires no term and no category when none is configured', () => {
    const other = { snippet: { title: 'Trove', categoryId: '10' } };
    expect(keeps(other, { signalTerms: [] })).toBe(true);
    expect(keeps({ snippet: { title: 'Trove', categoryId: '' } }, { gamingCategoryId: '' })).toBe(false);
    expect(keeps(other, { requireTerms: ['trove', 'guide'] })).toBe(false);
  });

  it('limits videos per channel, then in total, newest first', () => {
    const busy = { snippet: { channelTitle: 'Busy' } };
    const videos = curate([busy, busy, busy, {}, {}], { perChannel: 2, maxItems: 3 });
    expect(videos.map(({ videoId }) => videoId)).toEqual(['video0', 'video1', 'video3']);
  });

  it.each([null, {}, { items: 'x' }, { items: [null, 5, {}, { id: {} }, { id: { channelId: 'c' } }] }])(
    'are null or empty for %j',
    (search) => {
      expect([videoIdsIn(search), curateVideosA(search, null, rules)]).toEqual([[], []]);
    },
  );

  it('returns each id once for the details request', () => {
    expect(videoIdsIn({ items: [{ id: { videoId: 'a' } }, { id: { videoId: 'b' } }, { id: { videoId: 'a' } }] })).toEqual(['a', 'b']);
  });
});

describe('hasTerm and parseTerms', () => {
  it.each([
    ['a trove', 'trove', true],
    ['trove', 'trove', true],
    ['(trove)', 'trove', true],
    ['trove-guide', 'trove', true],
    ['trovegame', 'trove', false],
    ['mytrove', 'trove', false],
    ['trovegame trove', 'trove', true],
    ['trove2', 'trove', false],
    ['trove_x', 'trove', false],
    ['trové', 'trov', false],
    ['the chaos chest!', 'chaos chest', true],
    ['chaos chests', 'chaos chest', false],
    ['c++', 'c++', true],
    ['宝藏世界', '世界', false],
    ['', 'trove', false],
  ])('searches %j for %j: %s', (text, term, expected) => {
    expect(hasTerm(text, term)).toBe(expected);
  });

  it('parses a comma-separated list', () => {
    expect(parseTerms(' Trove, ,Chaos Chest,')).toEqual(['trove', 'chaos chest']);
    expect(parseTerms('')).toEqual([]);
  });
});

describe('durationSeconds', () => {
  it.each([
    ['PT45S', 45],
    ['PT1M', 60],
    ['PT1H2M3S', 3723],
    ['P1DT1S', 86_401],
    ['P0D', 0],
    ['PT', null],
    ['P', null],
    ['1:20', null],
    [null, null],
  ])('parses %s as %s', (text, seconds) => {
    expect(durationSeconds(text)).toBe(seconds);
  });
});

describe('newestFirst', () => {
  it('sorts undated videos last and is stable', () => {
    const video = (title: string, publishedAt: string | null) => ({
      title,
      url: title,
      channel: '',
      videoId: null,
      publishedAt,
      thumbnailUrl: null,
    });
    const videos = [
      video('none', null),
      video('old', '2026-01-01T00:00:00Z'),
      video('new', '2026-02-01T00:00:00Z'),
      video('new too', '2026-02-01T00:00:00Z'),
    ];
    expect(newestFirst(videos).map(({ title }) => title)).toEqual(['new', 'new too', 'old', 'none']);
  });
});
