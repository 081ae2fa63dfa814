import { existsSync, globSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { getTableName, type Table } from 'drizzle-orm';
import { inRoot } from './paths.ts';

/** drizzle-kit's snapshot of the tables. The next migration is the difference of two snapshots. */
export type Snapshot = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>;

export const SNAPSHOT_FILE = inRoot('migrations', 'snapshot.json');

/** Replaces drizzle-kit's random snapshot ids, which would change the file on every run. */
const FIXED_ID = { id: '00000000-0000-0000-0000-000000000000', prevId: '' };

/** The database schema in the sources. */
export interface SchemaSources {
  /** From `*.tables.ts`. */
  snapshot: Snapshot;
  /** From `*.sql.ts`: what drizzle cannot express. */
  withoutRowid: ReadonlySet<string>;
  statements: readonly string[];
}

interface SqlModule {
  WITHOUT_ROWID?: readonly Table[];
  SCHEMA_STATEMENTS?: readonly string[];
}

export async function readSchemaSources(): Promise<SchemaSources> {
  const tables = (await importAll<object>('src/**/*.tables.ts')).flatMap((module) => Object.values(module));
  const extras = await importAll<SqlModule>('src/**/*.sql.ts');
  return {
    snapshot: { ...(await generateSQLiteDrizzleJson(Object.fromEntries(tables.entries()))), ...FIXED_ID },
    withoutRowid: new Set(extras.flatMap(({ WITHOUT_ROWID = [] }) => WITHOUT_ROWID.map(getTableName))),
    statements: extras.flatMap(({ SCHEMA_STATEMENTS = [] }) => SCHEMA_STATEMENTS),
  };
}

function importAll<Module>(pattern: string): Promise<Module[]> {
  const files = globSync(pattern, { cwd: inRoot() }).sort();
  return Promise.all(files.map((file) => import(inRoot(file)) as Promise<Module>));
}

/** The snapshot of the newest migration; null before the first. */
export function readSnapshot(): Snapshot | null {
  return existsSync(SNAPSHOT_FILE) ? JSON.parse(readFileSync(SNAPSHOT_FILE, 'utf8')) : null;
}

/**
 * Applies the statements that change the database from `previous` to the schema of the sources, and returns them. Compares triggers
 * and full-text tables with the database, because rebuilding a table drops its triggers.
 */
export async function planMigration(sources: SchemaSources, previous: Snapshot | null, database: DatabaseSync): Promise<string[]> {
  const plan: string[] = [];
  const add = (statement: string) => {
    const { changes } = database.prepare('SELECT total_changes() AS changes').get() as { changes: number };
    database.exec(statement);
    const after = database.prepare('SELECT total_changes() AS changes').get() as { changes: number };
    if (!/^INSERT/.test(statement) || after.changes > changes) plan.push(statement);
  };
  const expected = new Set(sources.statements.map(normalized));
  for (const { type, name } of specialObjects(database).filter(({ sql }) => !expected.has(normalized(sql))))
    add(`DROP ${type === 'trigger' ? 'TRIGGER' : 'TABLE'} ${name};`);
  const before = previous ?? (await generateSQLiteDrizzleJson({}));
  for (const statement of await generateSQLiteMigration(before, sources.snapshot)) add(withRowidClause(statement, sources.withoutRowid));
  const present = new Set(specialObjects(database).map(({ sql }) => normalized(sql)));
  for (const statement of sources.statements) if (!present.has(normalized(statement))) add(`${statement};`);
  return plan;
}

function withRowidClause(statement: string, withoutRowid: ReadonlySet<string>): string {
  const name = /^CREATE TABLE `(?:__new_)?(\w+)`/.exec(statement)?.[1];
  return name !== undefined && withoutRowid.has(name) ? statement.replace(/\);\s*$/, ') WITHOUT ROWID;') : statement;
}

/** Triggers and virtual tables, which drizzle does not support. */
function specialObjects(database: DatabaseSync): { type: string; name: string; sql: string }[] {
  return masterRows(database).filter(({ type, sql }) => type === 'trigger' || /^CREATE VIRTUAL/.test(sql));
}

function masterRows(database: DatabaseSync): { type: string; name: string; sql: string }[] {
  const query = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name";
  return database.prepare(query).all() as { type: string; name: string; sql: string }[];
}

/** Objects that are missing in one of two databases or differ, by type and name. */
export function compareSchemas(actual: DatabaseSync, expected: DatabaseSync): string[] {
  const [have, want] = [actual, expected].map((database) => {
    return new Map(masterRows(database).map(({ type, name, sql }) => [`${type} ${name}`, normalized(sql)]));
  }) as [Map<string, string>, Map<string, string>];
  const missing = [...want.keys()].filter((name) => !have.has(name)).map((name) => `${name} is missing`);
  const surplus = [...have.keys()].filter((name) => !want.has(name)).map((name) => `${name} is not in the sources`);
  const different = [...want].filter(([name, sql]) => have.has(name) && have.get(name) !== sql);
  return [...missing, ...surplus, ...different.map(([name, sql]) => `${name} differs:\n  ${have.get(name)}\n  ${sql}`)];
}

/**
 * Normalizes a statement: removes quotes and extra white space, and sorts a table's columns, because a migration adds columns at the
 * end of the table.
 */
function normalized(sql: string): string {
  const text = sql
    .replace(/[`"]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')
    .replace(/;? *$/, '');
  const table = /^(CREATE TABLE \w+)\((.*)\)([^)]*)$/.exec(text);
  return table
    ? `${table[1]}(${splitAtCommas(table[2] ?? '')
        .sort()
        .join(',')})${table[3]}`
    : text;
}

function splitAtCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}
