import { readdirSync, readFileSync } from 'node:fs';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteCustomColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../../../scripts/lib/paths.ts';
import { snapshotOf } from '../../../src/areas/feeds/live-feeds.store.ts';
import { STATUS } from '../../../src/areas/game-status/game-status.store.ts';
import { UnreadableValue } from '../../../src/platform/kit/values/stored-shapes.ts';
import { COLUMNS, READERS, type StoredValue, withAddedFields } from './stored-json.data.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../../src/**/*.tables.ts', { eager: true });
const tables = new Set(Object.values(modules).flatMap((module) => Object.values(module).filter((value) => is(value, SQLiteTable))));
const columns = new Map(
  [...tables].flatMap((table) =>
    Object.values(getTableColumns(table))
      .filter((column) => is(column, SQLiteCustomColumn))
      .map((column): [string, typeof column] => [`${getTableName(table)}.${column.name}`, column]),
  ),
);
const sources = new Map(
  readdirSync(inRoot('src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !path.startsWith('assets'))
    .map((path) => [path, readFileSync(inRoot('src', path), 'utf8')]),
);

describe('the table of stored JSON', () => {
  it('has every JSON column, and no other', () => {
    expect(Object.keys(COLUMNS).sort()).toEqual([...columns.keys()].sort());
  });

  it('has every file that parses JSON, reads a value of an object or metadata, and no other', () => {
    const reading = /\bJSON\.parse\(|\b(?:kv|storage)\.(?:get|list)[<(]|type: 'json'|\bcustomMetadata\b|\bparseStored\(/;
    const isCode = (line: string) => !/^\s*(?:\/\/|\/?\*)/.test(line);
    const found = [...sources].filter(([, text]) => text.split('\n').some((line) => isCode(line) && reading.test(line)));
    expect(Object.keys(READERS).sort()).toEqual(found.map(([path]) => path).sort());
  });

  it('has no JSON column without a shape', () => {
    expect([...sources].filter(([, text]) => text.includes("mode: 'json'")).map(([path]) => path)).toEqual([]);
  });
});

describe('a JSON column', () => {
  const cases = Object.entries(COLUMNS).map(([name, value]) => ({ name, value }));
  const readOf = (name: string) => (stored: unknown) => columns.get(name)?.mapFromDriverValue(JSON.stringify(stored));
  /** Read as records of any keys, or sent as stored: an added key is a value, not a field. */
  const KEYED = /\.(?:templates|facts|evidence)$/;

  it.each(cases)('$name reads what this version writes, and an older and a newer neighbour', ({ name, value }) => {
    const read = readOf(name);
    const { current, older, newer }: StoredValue = value;
    expect(columns.get(name)?.mapToDriverValue(current as never)).toBe(JSON.stringify(current));
    expect(read(current)).toEqual(current);
    if (!KEYED.test(name)) expect(read(withAddedFields(current))).toEqual(current);
    if (older) expect(read(older[0])).toEqual(older[1]);
    if (newer?.[1] === null) expect(() => read(newer[0])).toThrow(UnreadableValue);
    else if (newer) expect(read(newer[0])).toEqual(newer[1]);
  });

  it.each(cases)('$name refuses what no version wrote', ({ name }) => {
    for (const stored of ['text', 7, true]) expect(() => readOf(name)(stored)).toThrow(UnreadableValue);
    expect(() => columns.get(name)?.mapFromDriverValue('{')).toThrow(UnreadableValue);
  });
});

describe('a round of game status', () => {
  const game = { online: true, host: 'a', port: 1, latencyMs: 2, error: null, probe: 'deep' };
  const eu = { status: 'online', online: true, game };
  const round = { overall: 'online', auth: null, environments: { eu, us: eu, pts: eu }, checkedAt: 5 };

  it('has the environments of this version, and unknown for what it cannot read', () => {
    expect(STATUS(withAddedFields(round))).toEqual(round);
    const { pts: _, ...environments } = round.environments;
    const newer = {
      ...round,
      overall: 'queueing',
      environments: { ...environments, us: { ...eu, game: { ...game, error: 'full' } }, asia: eu },
    };
    expect(STATUS(newer)).toEqual({
      ...round,
      overall: 'unknown',
      environments: { ...environments, pts: { status: 'unknown', online: false, game: null } },
    });
  });
});

describe('a snapshot of a feed', () => {
  it('keeps its items, and drops other values', () => {
    expect(snapshotOf()({ fetchedAt: null, items: [{ a: 1 }, 'x'], etag: 'b' })).toEqual({ fetchedAt: null, items: [{ a: 1 }] });
    expect(() => snapshotOf()([])).toThrow(UnreadableValue);
  });
});
