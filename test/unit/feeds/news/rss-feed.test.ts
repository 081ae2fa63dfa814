import { describe, expect, it } from 'vitest';
import { parseFeedDate } from '../../../../src/areas/feeds/news/news.domain.ts';
import { parseRssFeed } from '../../../../src/areas/feeds/news/news.upstream.ts';
import { rss } from '../../../support/upstreams/news.ts';

const feed = (items: string, namespaces = '') =>
  `<?xml version="1.0"?><rss version="2.0" ${namespaces}><channel><title>News</title>${items}</channel></rss>`;
const DC = 'http://purl.org/dc/elements/1.1/';
const MEDIA = 'http://search.yahoo.com/mrss/';
const parse = (text: string) => parseRssFeed('news', text);

describe('parseRssFeed', () => {
  it('parses items in order', () => {
    const posts = [
      {
        title: 'One &amp;amp; two',
        link: 'https://n.example/1',
        pubDate: 'now',
        description: '&lt;p&gt;x',
        creator: 'Ann',
        categories: ['A', 'B'],
        image: 'i.jpg',
      },
      { title: '<![CDATA[<b>Raw</b>]]>', link: 'https://n.example/2' },
    ];
    expect(parse(rss(posts))).toEqual([
      {
        title: 'One &amp; two',
        link: 'https://n.example/1',
        author: 'Ann',
        description: '<p>x',
        categories: ['A', 'B'],
        images: ['i.jpg'],
        published: 'now',
      },
      { title: '<b>Raw</b>', link: 'https://n.example/2', author: '', description: '', categories: [], images: [], published: '' },
    ]);
  });

  it.each([
    ['other prefixes', `<item><d:creator>Ann</d:creator><m:thumbnail url="t.jpg"/></item>`, `xmlns:d="${DC}" xmlns:m="${MEDIA}"`],
    ['usual prefixes that nobody declared', '<item><dc:creator>Ann</dc:creator><media:thumbnail url="t.jpg"/></item>', ''],
    [
      'namespaces declared on the spot',
      `<item><x:creator xmlns:x="${DC}">Ann</x:creator><thumbnail xmlns="${MEDIA}" url="t.jpg"/></item>`,
      '',
    ],
  ])('accepts a feed with %s', (_case, item, namespaces) => {
    expect(parse(feed(item, namespaces))[0]).toMatchObject({ author: 'Ann', images: ['t.jpg'] });
  });

  it('ignores elements of other namespaces', () => {
    const item = '<item><atom:link href="x"/><atom:title>Other</atom:title><title>Own</title><z:link>z</z:link></item>';
    expect(parse(feed(item, 'xmlns:atom="http://www.w3.org/2005/Atom"'))[0]).toMatchObject({ title: 'Own', link: '' });
  });

  it('prefers content over thumbnails, also in groups, and skips those without a URL', () => {
    const item =
      '<item><media:thumbnail url="t.jpg"/><media:content medium="image"/><media:group><media:content url="c.jpg"/></media:group></item>';
    expect(parse(feed(item, `xmlns:media="${MEDIA}"`))[0]?.images).toEqual(['c.jpg', 't.jpg']);
  });

  it('decodes HTML entities', () => {
    expect(parse(feed('<item><title>Now&nbsp;live&hellip;</title></item>'))[0]?.title).toBe('Now&nbsp;live&hellip;');
  });

  it('does not expand custom entities', () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${feed('<item><title>&b;</title></item>').slice(21)}`;
    expect(parse(`<?xml version="1.0"?>${bomb}`)[0]?.title).toBe('&b;');
  });

  it.each([
    ['an HTML page', '<!doctype html><html><head><title>Wait</title><meta charset=utf-8></head><body><br></body></html>'],
    ['a page of well-formed HTML', '<html><body><channel/></body></html>'],
    ['another feed format', '<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>'],
    ['a feed without a channel', '<rss version="2.0"></rss>'],
    ['nothing', ''],
    ['JSON', '{"items":[]}'],
  ])('rejects %s', (_case, text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ name: 'UpstreamError', kind: 'malformed' }));
  });

  it('rejects a document truncated at any point', () => {
    const document = rss([{ title: 'One', link: 'https://n.example/1', creator: 'Ann', categories: ['A'], image: 'i.jpg' }]).trim();
    for (let length = 0; length < document.length; length++) expect(() => parse(document.slice(0, length))).toThrow();
    expect(parse(document)).toHaveLength(1);
  });
});

describe('parseFeedDate', () => {
  it.each([
    ['Tue, 10 Mar 2026 15:30:00 +0000', 1_773_156_600],
    ['Tue, 10 Mar 2026 15:30:00 GMT', 1_773_156_600],
    ['10 Mar 26 15:30 UT', 1_773_156_600],
    ['Tue, 10 Mar 2026 10:30:00 EST', 1_773_156_600],
    ['Tue, 10 Mar 2026 08:30:00 -0700', 1_773_156_600],
    ['  tue, 10 march 2026 15:30:00 z ', 1_773_156_600],
    ['Tue, 10 Mar 2026 15:30:00', 1_773_156_600],
    ['2026-03-10T15:30:00Z', 1_773_156_600],
    ['2026-03-10T16:30:00.250+01:00', 1_773_156_600],
    ['1 Jan 70 00:00:00 GMT', 0],
  ])('%j', (text, instant) => {
    expect(parseFeedDate(text)).toBe(instant);
  });

  it.each([
    '',
    'yesterday',
    '31 Feb 2026 10:00:00 GMT',
    '10 Mar 2026 25:00:00 GMT',
    '10 Mar 2026',
    '2026-03-10',
    'hello 1',
    '10 Foo 2026 10:00:00 GMT',
    '10 Mar 2026 10:00:00 XYZ',
    '2026-02-30T10:00:00Z',
  ])('rejects %j', (text) => {
    expect(parseFeedDate(text)).toBeNull();
  });
});
