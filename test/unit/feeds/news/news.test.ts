import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mergeLatestNews,
  type NewsEntry,
  type NewsItem,
  newsStreamSignature,
  newsSummary,
  toNewsItems,
} from '../../../../src/areas/feeds/news/news.domain.ts';
import { decodeEntities } from '../../../../src/platform/upstream/html-text.ts';

const entry: NewsEntry = {
  title: ' Patch notes ',
  link: ' https://news.example/1 ',
  author: ' The Team ',
  description: '<p>Hello.</p>',
  categories: [' PC ', '', 'Sale &amp; more'],
  images: ['https://news.example/1.jpg', 'https://news.example/2.jpg'],
  published: 'Tue, 10 Mar 2026 15:30:00 +0000',
};
const parsed = (change: Partial<NewsEntry> = {}) => toNewsItems([{ ...entry, ...change }], decodeEntities);
const summary = (description: string) => newsSummary(description, decodeEntities);

describe('toNewsItems', () => {
  it('trims and decodes items', () => {
    expect(parsed()).toEqual([
      {
        url: 'https://news.example/1',
        title: 'Patch notes',
        author: 'The Team',
        summary: 'Hello.',
        category: 'PC',
        categories: ['PC', 'Sale & more'],
        image: 'https://news.example/1.jpg',
        publishedAt: 1_773_156_600,
      },
    ]);
  });

  it('uses defaults for missing elements', () => {
    const bare = { title: '', author: ' ', description: '', categories: [], images: [], published: 'soon' };
    expect(parsed(bare)).toEqual([
      {
        url: 'https://news.example/1',
        title: '',
        author: 'Team Trove',
        summary: '',
        category: 'News',
        categories: [],
        image: null,
        publishedAt: null,
      },
    ]);
  });

  it.each(['', '   ', 'javascript:alert(1)', 'news/1', 'data:text/html,x'])('skips an item with the URL %j', (link) => {
    expect(parsed({ link })).toEqual([]);
  });

  it('returns no image without an http(s) URL', () => {
    expect(parsed({ images: ['javascript:alert(1)', ' https://news.example/2.jpg '] })[0]?.image).toBe('https://news.example/2.jpg');
  });

  it.each([
    ['Tips &amp; tricks', 'Tips & tricks'],
    ['Caf&eacute; &#8211; &#x2764;', 'Café – ❤'],
    ['Sword &lt;legendary&gt;', 'Sword <legendary>'],
  ])('decodes the title %j to %j', (title, decoded) => {
    expect(parsed({ title })[0]?.title).toBe(decoded);
  });

  it('returns at most thirty items in the order of the feed', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ ...entry, link: `https://news.example/${index}` }));
    const items = toNewsItems(many, decodeEntities);
    expect([items.length, items[0]?.url, items[29]?.url]).toEqual([30, 'https://news.example/0', 'https://news.example/29']);
  });
});

describe('newsSummary', () => {
  it.each([
    ['<p>Hello <b>now</b>!</p>', 'Hello now !'],
    ['&lt;p&gt;One&lt;br/&gt;two&lt;/p&gt;', 'One two'],
    ['a<BR>b<br />c', 'a b c'],
    ['5 &amp;lt; 6', '5 < 6'],
    ['Line\n\n  two\t&nbsp;three', 'Line two three'],
    ['<script>alert(1)</script>text', 'alert(1) text'],
    ['&amp;lt;script&amp;gt;', '<script>'],
    ['no end <b', 'no end <b'],
    ['<<<<', '<<<<'],
  ])('summarizes %j as %j', (description, expected) => {
    expect(summary(description)).toBe(expected);
  });

  it('keeps a text of 220 characters', () => {
    const text = `${'word '.repeat(43)}words`;
    expect(text.length).toBe(220);
    expect(summary(text)).toBe(text);
  });

  it('truncates a longer text at a word boundary', () => {
    expect(summary(`${'word '.repeat(43)}wordsx`)).toBe(`${'word '.repeat(43).trim()}...`);
    expect(summary('x'.repeat(300))).toBe(`${'x'.repeat(220)}...`);
  });

  it('counts code points, not UTF-16 units', () => {
    expect(summary('💎'.repeat(220))).toBe('💎'.repeat(220));
    expect(summary('💎'.repeat(221))).toBe(`${'💎'.repeat(220)}...`);
  });

  it('never contains a tag of the description', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('<b>', '</b>', '<br/>', '<', 'text', ' ', '"', "'")), (pieces) => {
        expect(summary(pieces.join(''))).not.toMatch(/<\/?b>|<br\/>/);
      }),
    );
  });

  it('runs in linear time on a text full of brackets', () => {
    const started = performance.now();
    summary('<'.repeat(2_000_000));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('mergeLatestNews', () => {
  const row = (number: number, change: Partial<NewsItem> = {}): NewsItem => ({
    url: `https://news.example/${number}`,
    title: `Post ${number}`,
    author: 'Team Trove',
    summary: '',
    category: 'News',
    categories: ['News'],
    image: null,
    publishedAt: 1_773_156_600 - number,
    ...change,
  });

  it('merges copies of a post into the newest one with the categories of all', () => {
    const rows = [
      row(1, { title: 'Sale', categories: ['PC'], category: 'PC' }),
      row(2),
      row(3, { title: ' SALE ', categories: ['Console', 'PC', 'Mobile'] }),
    ];
    expect(mergeLatestNews(rows, 10)).toEqual([
      { ...row(1, { title: 'Sale', category: 'PC' }), categories: ['PC', 'Console', 'Mobile'] },
      row(2),
    ]);
  });

  it('identifies posts without a title by URL', () => {
    expect(mergeLatestNews([row(1, { title: '' }), row(2, { title: ' ' })], 10)).toHaveLength(2);
  });

  it('reads three rows per item before it applies the limit', () => {
    const rows = [1, 2, 3, 4, 5, 6, 7].map((number) => row(number, { title: number <= 6 ? 'Same' : 'Other' }));
    expect(mergeLatestNews(rows, 2).map(({ url }) => url)).toEqual(['https://news.example/1']);
    expect(mergeLatestNews([row(1), row(2), row(3)], 2)).toHaveLength(2);
  });

  it('has a signature that changes with the newest URL', () => {
    expect([newsStreamSignature([]), newsStreamSignature([row(4), row(5)])]).toEqual([null, 'https://news.example/4']);
  });
});
