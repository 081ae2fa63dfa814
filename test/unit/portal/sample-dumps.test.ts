import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createDumpReader } from '../../../src/areas/leaderboards/dump.domain.ts';
import { parseMarketDump } from '../../../src/areas/market/insert.domain.ts';
import { bundledInterestItems } from '../../../src/areas/misc/interest-items.data.ts';

const sample = (name: string) => readFileSync(`${process.cwd()}/src/assets/ui/sample-${name}.txt`, 'utf8');

it('offers a sample of a leaderboard dump without an invalid line', () => {
  const reader = createDumpReader();
  const boards = sample('leaderboards')
    .split('\n')
    .flatMap((line) => reader.read(line) ?? []);
  expect(reader.report().problems).toEqual([]);
  expect(boards.map(({ rows }) => rows.names)).toEqual([
    ['Ana', 'Bo', 'Cid'],
    ['Bo', 'Ana'],
  ]);
});

it('offers a sample of a market dump whose listings are all tracked', () => {
  const { listings, dropped } = parseMarketDump(sample('market'), 10);
  expect(dropped).toEqual([]);
  expect(listings).toHaveLength(3);
  expect(listings.filter(({ name }) => !bundledInterestItems.includes(name))).toEqual([]);
});
