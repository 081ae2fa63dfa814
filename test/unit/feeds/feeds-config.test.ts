import { describe, expect, it } from 'vitest';
import { isConfigured, readFeedsConfig } from '../../../src/areas/feeds/feeds-config.domain.ts';
import { quotaRenewalAfter } from '../../../src/areas/feeds/videos/videos-a.domain.ts';

describe('readFeedsConfig', () => {
  it('detects missing URLs and credentials', () => {
    const config = readFeedsConfig({
      NEWS_FEED_URL: ' https://news.example/feed ',
      STREAMS_TOKEN_URL: 'https://a.example',
      STREAMS_API_URL: 'https://b.example',
    });
    expect([isConfigured({ ...config.news }), isConfigured({ ...config.streams }), isConfigured({ ...config.videosB })]).toEqual([
      true,
      false,
      false,
    ]);
    expect(config.news.url).toBe('https://news.example/feed');
  });

  it('uses default periods for missing and invalid values', () => {
    const seconds = (value?: string) => readFeedsConfig(value === undefined ? {} : { NEWS_REFRESH_SECONDS: value }).news.everySeconds;
    expect([seconds(), seconds(''), seconds('soon'), seconds('-5'), seconds('1'), seconds('900')]).toEqual([
      1800, 1800, 1800, 1800, 60, 900,
    ]);
  });

  it('extends a period that would exceed the daily quota', () => {
    const videos = (period: string, quota?: string) =>
      readFeedsConfig({ VIDEOS_A_REFRESH_SECONDS: period, ...(quota === undefined ? {} : { VIDEOS_A_DAILY_QUOTA: quota }) }).videosA
        .everySeconds;
    expect([videos('1200', '10000'), videos('300', '10000'), videos('300', '1000'), videos('300', '0'), videos('300')]).toEqual([
      1200, 970, 9696, 300, 300,
    ]);
    // A period of 970 s is 90 refreshes a day.
    expect(90 * 101).toBeLessThan(10_000);
  });
});

describe('quotaRenewalAfter', () => {
  it.each([
    ['2026-03-10T15:30:00Z', '2026-03-11T08:00:00Z'],
    ['2026-03-10T07:59:59Z', '2026-03-10T08:00:00Z'],
    ['2026-03-10T08:00:00Z', '2026-03-11T08:00:00Z'],
  ])('returns for a quota spent at %s the time %s', (now, renewal) => {
    expect(quotaRenewalAfter(Date.parse(now) / 1000)).toBe(Date.parse(renewal) / 1000);
  });
});
