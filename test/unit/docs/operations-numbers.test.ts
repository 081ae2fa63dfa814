import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DATABASE_ALARM_SHARE, DATABASE_LIMIT_BYTES } from '../../../src/areas/service-status/status.data.ts';
import { COLUMNS, LARGE, TYPICAL } from '../../scale/traffic.data.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { MEASURED_SECTIONS, NUMBERS } from './operations-numbers.data.ts';

const read = (page: string) => readFileSync(`docs/operations/${page}.md`, 'utf8');

/** The prose of a page in one line: without code, links, list numbers and measured sections. */
function proseOf(page: string): string {
  let text = read(page).replaceAll(/```.*?```/gs, '');
  for (const title of MEASURED_SECTIONS[page] ?? []) {
    const [before = '', rest = ''] = text.split(`## ${title}\n`);
    text = before + rest.replace(/^.*?(?=^## |^Sources: )/ms, '');
  }
  return text
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/<https?:[^>]*>/g, '')
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/^\s*\d+\. /gm, '')
    .replaceAll(/\((\d)\) /g, '')
    .replaceAll(/\s+/g, ' ');
}

/** Names with digits, and statuses of responses. */
const NAMES = /\b(?:D1|R2|FTS5|p50|p95|401|403|404|429|503)\b/g;

describe.each(Object.keys(NUMBERS))('%s.md', (page) => {
  const prose = proseOf(page);
  const numbers = NUMBERS[page] ?? [];

  it('has each number of the table', () => {
    expect(numbers.map(([text]) => text).filter((text) => !prose.includes(text))).toEqual([]);
  });

  it('has no number without an origin', () => {
    const rest = numbers.reduce((text, [part]) => text.replaceAll(part, '…'), prose).replaceAll(NAMES, '');
    expect([...rest.matchAll(/.{0,40}\d[\d,.]*.{0,20}/g)].map(([match]) => match)).toEqual([]);
  });

  it('says what the code says', () => {
    const differing = numbers.flatMap(([text, origin]) =>
      typeof origin === 'object' && 'file' in origin && !readFileSync(origin.file, 'utf8').includes(origin.has)
        ? [`${text}: ${origin.file} does not have ${origin.has}`]
        : [],
    );
    expect(differing).toEqual([]);
  });
});

describe('platform.md', () => {
  it('names each page of the documentation that a number comes from', () => {
    const page = read('platform');
    const paths = Object.values(NUMBERS)
      .flat()
      .flatMap(([, origin]) => (typeof origin === 'object' && 'platform' in origin ? [origin.platform] : []));
    expect([...new Set(paths)].filter((path) => !page.includes(`\`${path}\``))).toEqual([]);
  });
});

// scale.test.ts compares the tables of scale.md with the model, storage-growth.test.ts the tables of the database.
describe('storage-growth.md', () => {
  const page = read('storage-growth').replaceAll(/\s+/g, ' ');

  it.each([
    ['Typical', TYPICAL, '5 requests/s', 'one branch of the game'],
    ['Large', LARGE, '100 requests/s', 'two branches'],
  ] as const)('describes the %s content of the model', (name, content, column, branches) => {
    const rate = COLUMNS.find((one) => one.name === column)?.traffic.requestsPerSecond;
    const listings = content.newListingsPerDay.toLocaleString('en-US');
    expect(page).toContain(`**${name}**: ${listings} new listings a day, ${branches}, ${rate} requests a second`);
    expect(branches.startsWith(content.branches === 1 ? 'one' : 'two')).toBe(true);
  });

  it('names the age of listings, the size of the alarm and the limit', () => {
    expect(page).toContain(`\`market_keep_days\` = ${DEFAULT_SETTINGS.marketKeepDays}`);
    expect(page).toContain(`above ${(DATABASE_LIMIT_BYTES / 1e9) * DATABASE_ALARM_SHARE} GB`);
    expect(page).toContain(`the limit of ${DATABASE_LIMIT_BYTES / 1e9} GB`);
  });
});
