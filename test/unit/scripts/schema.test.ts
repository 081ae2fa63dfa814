import { DatabaseSync } from 'node:sqlite';
import { generateSQLiteDrizzleJson } from 'drizzle-kit/api';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { compareSchemas, planMigration, type SchemaSources } from '../../../scripts/lib/schema.ts';

const TRIGGER = 'CREATE TRIGGER things_counted AFTER INSERT ON things BEGIN UPDATE totals SET n = n + 1; END';
const SEED = "INSERT OR IGNORE INTO totals (id, n) VALUES ('things', 0)";

const totals = sqliteTable('totals', { id: text('id').primaryKey(), n: integer('n').notNull() });
const things = sqliteTable('things', { id: integer('id').primaryKey(), name: text('name').notNull() });
const thingsWithSize = sqliteTable(
  'things',
  { id: integer('id').primaryKey(), size: integer('size').notNull().default(0), name: text('name').notNull() },
  (table) => [index('things_by_size').on(table.size)],
);

async function sources(tables: object[], statements: string[] = [TRIGGER, SEED]): Promise<SchemaSources> {
  const snapshot = await generateSQLiteDrizzleJson(Object.fromEntries(tables.entries()));
  return { snapshot, withoutRowid: new Set(['totals']), statements };
}

describe('planMigration', () => {
  it('creates tables, then triggers and initial rows', async () => {
    const plan = await planMigration(await sources([totals, things]), null, new DatabaseSync(':memory:'));
    expect(plan.map((statement) => statement.split(/[(\n]/, 1)[0]?.trim())).toEqual([
      'CREATE TABLE `totals`',
      'CREATE TABLE `things`',
      `${TRIGGER};`,
      'INSERT OR IGNORE INTO totals',
    ]);
    expect(plan[0]).toMatch(/\) WITHOUT ROWID;$/);
  });

  it('returns no statements when nothing has changed', async () => {
    const database = new DatabaseSync(':memory:');
    const all = await sources([totals, things]);
    await planMigration(all, null, database);
    expect(await planMigration(all, all.snapshot, database)).toEqual([]);
  });

  it('adds a new column and replaces a changed trigger', async () => {
    const database = new DatabaseSync(':memory:');
    const before = await sources([totals, things]);
    await planMigration(before, null, database);
    const changed = TRIGGER.replace('n + 1', 'n + 2');
    const plan = await planMigration(await sources([totals, thingsWithSize], [changed, SEED]), before.snapshot, database);
    expect(plan).toEqual([
      'DROP TRIGGER things_counted;',
      expect.stringMatching(/^ALTER TABLE `things` ADD `size`/),
      expect.stringMatching(/^CREATE INDEX `things_by_size`/),
      `${changed};`,
    ]);
  });
});

describe('compareSchemas', () => {
  it('ignores the position of a column that was added later', async () => {
    const [migrated, fresh] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
    const before = await sources([totals, things]);
    const after = await sources([totals, thingsWithSize]);
    await planMigration(before, null, migrated);
    await planMigration(after, before.snapshot, migrated);
    await planMigration(after, null, fresh);
    expect(compareSchemas(migrated, fresh)).toEqual([]);
  });

  it('lists missing, surplus and different objects', async () => {
    const [one, other] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
    await planMigration(await sources([totals, things]), null, one);
    await planMigration(await sources([totals, thingsWithSize], []), null, other);
    expect(compareSchemas(one, other).map((problem) => problem.split(':', 1)[0])).toEqual([
      'index things_by_size is missing',
      'trigger things_counted is not in the sources',
      'table things differs',
    ]);
  });
});
