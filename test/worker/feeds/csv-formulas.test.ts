import { beforeAll, describe, expect, it } from 'vitest';
import { readCsv, readLeniently } from '../../support/csv.ts';
import { bodyOf, emptyFeeds, type FeedWorld, feedWorld, NOW } from './world.ts';

const COMMAND = "=cmd|'/c calc'!A0";
/** A command after each character that some spreadsheet takes for the start of a cell or of a line, with and without quotes. */
const HOSTILE = [',', ';', '\t', '\n'].flatMap((separator) => [`x${separator}${COMMAND}`, `x"${separator}"${COMMAND}`]);

let world: FeedWorld;
const get = (query: string) => world.get(`/v1/feeds/news?limit=${HOSTILE.length}${query}`, { headers: {}, now: NOW });

beforeAll(async () => {
  await emptyFeeds();
  world = feedWorld({ upstreams: ['news'] });
  const posts = HOSTILE.map((text, index) => ({
    title: text,
    link: `https://n.example/${index}`,
    pubDate: new Date((NOW - index * 3600) * 1000).toUTCString(),
    categories: ['News', text],
  }));
  await world.on('news').order({ state: { posts } });
  expect((await world.run('news-refresh', NOW)).error).toBeNull();
});

describe('a CSV file with commands of strangers', () => {
  it.each([',', ';', '\t'])('has no cell that begins with a formula for a spreadsheet that separates with %j', async (separator) => {
    const { text } = await get('&format=csv');
    expect(text.split('=cmd').length - 1).toBeGreaterThanOrEqual(HOSTILE.length);
    expect(readLeniently(text, separator).filter((cell) => /^\s*[=+\-@]/.test(cell))).toEqual([]);
  });

  it('keeps the categories of the JSON body', async () => {
    const { items } = bodyOf(await get(''));
    const [header = [], ...rows] = readCsv((await get('&format=csv')).text);
    const column = header.indexOf('categories');
    expect(rows.map((row) => JSON.parse(row[column] ?? ''))).toEqual(items.map((item: { categories: string[] }) => item.categories));
    expect(items).toHaveLength(HOSTILE.length);
  });
});
