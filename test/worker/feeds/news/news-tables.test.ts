import { beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from '../../../support/csv.ts';
import type { CallOptions } from '../../../support/requests.ts';
import { bodyOf, emptyFeeds, type FeedWorld, feedWorld, NOW } from '../world.ts';

const NEWS = '/v1/feeds/news';
const HEADER = ['title', 'url', 'author', 'summary', 'category', 'categories', 'image', 'published_at'];

let world: FeedWorld;
const get = (query: string, headers: Record<string, string> = {}, options: CallOptions = {}) =>
  world.get(NEWS + query, { headers, now: NOW, ...options });

beforeAll(async () => {
  await emptyFeeds();
  world = feedWorld({ upstreams: ['news'] });
  const posts = ['=HYPERLINK("https://evil.example","x")', '-1+2', 'Plain, with a comma', 'Grüße “quoted”'].map((title, index) => ({
    title,
    link: `https://n.example/${index}`,
    pubDate: new Date((NOW - index * 3600) * 1000).toUTCString(),
    categories: ['News', '@all'],
  }));
  await world.on('news').order({ state: { posts } });
  expect((await world.run('news-refresh', NOW)).error).toBeNull();
});

describe('GET /v1/feeds/news as a table', () => {
  it('returns CSV with a header line, CRLF, UTF-8 and escaped formulas', async () => {
    const response = await get('?format=csv');
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(response.headers.get('Content-Disposition')).toBe('inline; filename="news.csv"');
    const [header, ...rows] = readCsv(response.text);
    expect(header).toEqual(HEADER);
    const { items } = bodyOf(await get(''));
    expect(rows.map(([title]) => title)).toEqual([
      `'=HYPERLINK("https://evil.example","x")`,
      "'-1+2",
      'Plain, with a comma',
      'Grüße “quoted”',
    ]);
    expect(rows.map((row) => row[5])).toEqual(rows.map(() => '["News","@all"]'));
    expect(rows.map((row) => row[7])).toEqual(items.map((item: { published_at: string }) => item.published_at));
    expect(response.text.split('\r\n').at(-1)).toBe('');
  });

  it('returns JSON Lines with the items of the JSON body', async () => {
    const response = await get('?format=jsonl');
    expect(response.headers.get('Content-Type')).toBe('application/x-ndjson');
    expect(response.headers.get('Content-Disposition')).toBe('inline; filename="news.jsonl"');
    const lines = response.text.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual(bodyOf(await get('')).items);
  });

  it.each<[query: string, accept: string | null, type: string]>([
    ['', null, 'application/json'],
    ['', '*/*', 'application/json'],
    ['', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['', 'text/*', 'application/json'],
    ['', 'text/csv', 'text/csv; charset=utf-8'],
    ['', 'text/csv, */*;q=0.1', 'text/csv; charset=utf-8'],
    ['', 'application/x-ndjson', 'application/x-ndjson'],
    ['', 'application/jsonl', 'application/x-ndjson'],
    ['', 'application/json, text/csv', 'application/json'],
    ['?format=', 'text/csv', 'text/csv; charset=utf-8'],
    ['?format=json', 'text/csv', 'application/json'],
    ['?format=csv', 'application/json', 'text/csv; charset=utf-8'],
    ['?format=jsonl', 'text/csv', 'application/x-ndjson'],
  ])('returns $2 for $0 with Accept $1 and varies by Accept', async (query, accept, type) => {
    const response = await get(query, accept === null ? {} : { Accept: accept });
    expect([response.status, response.headers.get('Content-Type'), response.headers.get('Vary')]).toEqual([200, type, 'Accept']);
  });

  it.each(['xml', 'CSV', 'csv,json', '=csv'])('returns 422 naming the formats for format=%s', async (format) => {
    const response = await get(`?format=${encodeURIComponent(format)}`, { Accept: 'text/csv' });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([422, 'application/json']);
    expect(bodyOf(response).error.details).toMatchObject([
      { loc: ['query', 'format'], type: 'invalid_value', allowed: ['json', 'csv', 'jsonl'] },
    ]);
  });

  it('has one ETag per format and returns 304 on a match', async () => {
    const etags = await Promise.all(
      ['json', 'csv', 'jsonl'].map(async (format) => (await get(`?format=${format}`)).headers.get('ETag') ?? ''),
    );
    expect(new Set(etags).size).toBe(3);
    for (const [index, format] of ['json', 'csv', 'jsonl'].entries()) {
      for (const [other, etag] of etags.entries()) {
        const response = await get(`?format=${format}`, { 'If-None-Match': etag });
        expect([response.status, response.headers.get('Vary')]).toEqual([other === index ? 304 : 200, 'Accept']);
        expect(response.bytes.byteLength === 0).toBe(other === index);
      }
    }
  });

  it('applies the parameters and keeps the Age and Cache-Control of JSON', async () => {
    const [json, csv] = [await get('?limit=2', {}, { now: NOW + 60 }), await get('?limit=2&format=csv', {}, { now: NOW + 60 })];
    expect(readCsv(csv.text)).toHaveLength(3);
    for (const name of ['Age', 'Cache-Control']) expect(csv.headers.get(name)).toBe(json.headers.get(name));
    expect(csv.headers.get('Age')).toBe('60');
  });

  it('returns headers without a body for HEAD', async () => {
    const [full, head] = [await get('?format=csv'), await get('?format=csv', {}, { method: 'HEAD' })];
    expect([head.status, head.bytes.byteLength]).toEqual([200, 0]);
    for (const name of ['Content-Type', 'ETag', 'Vary', 'Content-Disposition']) expect(head.headers.get(name)).toBe(full.headers.get(name));
  });
});
