import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeApp } from '../../../src/composition.ts';
import { TokenGateObject } from '../../../src/platform/access/tokens/token-gate.object.ts';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import type { Endpoint } from '../../../src/platform/http/pipeline/define-route.ts';
import { createDatabase, runInOneTransaction } from '../../../src/platform/storage/database.ts';
import { admittedCredential } from '../../contract/conformance-checks.ts';
import { validRequest } from '../../contract/inputs.ts';
import { prepare } from '../../contract/prepare.ts';
import { ALL_ON, ENDPOINTS } from '../../support/endpoints.ts';
import { call, type Fetch, FIRST_INSTANT } from '../../support/requests.ts';
import { testApp } from './test-app.ts';

await prepare();

/** Maximum failing requests per endpoint, each at a different statement, before one succeeds. */
const MAX_FAILURES = 40;
/** Jobs that read external services, which store no private data and are not available in tests. */
const UPSTREAM_JOB = /refresh|relay|mirror|sync|status/;

interface NotedStatement {
  inner: D1PreparedStatement;
  text: string;
  values: readonly unknown[];
}

/** A database in which each statement fails once, with a message that contains its parameters, like those of drivers. */
function faultyDatabase() {
  const failed = new Set<string>();
  const parameters = new Set<string>();
  const failOnce = ({ text, values }: NotedStatement): void => {
    if (failed.has(text)) return;
    failed.add(text);
    for (const value of values) if (typeof value === 'string') parameters.add(value);
    throw new Error(`D1_ERROR: cannot store ${values.join(', ')}: SQLITE_ERROR`);
  };
  const prepare = (noted: NotedStatement): object => {
    const { inner, text } = noted;
    const run = (name: 'run' | 'all' | 'raw' | 'first') => async () => {
      failOnce(noted);
      return (inner[name] as () => Promise<unknown>)();
    };
    const bind = (...values: unknown[]) => prepare({ inner: inner.bind(...values), text, values });
    return { ...noted, bind, run: run('run'), all: run('all'), raw: run('raw'), first: run('first') };
  };
  const database = {
    prepare: (text: string) => prepare({ inner: env.DB.prepare(text), text, values: [] }),
    async batch(statements: NotedStatement[]) {
      statements.forEach(failOnce);
      return env.DB.batch(statements.map(({ inner }) => inner));
    },
  };
  return { database: database as unknown as D1Database, failed, parameters };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ADDRESS = /@|:\/\/|^\d+\.\d+\.\d+\.\d+$/;

/** Error texts, which are stored and so appear as parameters. */
const ERROR_TEXT = /^(?:SQLITE_ERROR|mail): /;

/** Whether a parameter is private: an address, a secret, a hash, or a longer text. Ids are not private. */
function isPrivate(text: string): boolean {
  return (ADDRESS.test(text) || text.length >= 20) && !UUID.test(text) && !ERROR_TEXT.test(text);
}

let lines: string[] = [];

beforeEach(() => {
  lines = [];
  for (const method of ['log', 'error', 'warn', 'info', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => void lines.push(parts.map(String).join(' ')));
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Parameters that the texts contain, unescaped or escaped for JSON. */
function exposedIn(texts: readonly string[], parameters: Iterable<string>): string[] {
  const all = texts.join('\n');
  return [...parameters].filter((text) => isPrivate(text) && (all.includes(text) || all.includes(JSON.stringify(text).slice(1, -1))));
}

/** All error texts in the database. */
async function storedErrors(): Promise<string[]> {
  const { results } = await env.DB.prepare("select name from sqlite_master where type = 'table' and sql like '%error%'").all<{
    name: string;
  }>();
  const tables = await Promise.all(results.map(({ name }) => env.DB.prepare(`select * from "${name}"`).all()));
  const rows = tables.flatMap((table) => table.results);
  return rows.flatMap((row) => Object.keys(row).flatMap((column) => (column.includes('error') ? [String(row[column])] : [])));
}

describe('a failing SQL statement', () => {
  const { database, failed, parameters } = faultyDatabase();
  // With a mail provider, as in production, because development logs mails.
  const bindings = { DB: database, MAIL_URL: 'nowhere://mail', MAIL_API_KEY: 'a key of the tests' };

  /** Sends valid requests until one succeeds. */
  async function callUntilSuccess(endpoint: Endpoint, fetch: Fetch): Promise<void> {
    for (let n = 0; n < MAX_FAILURES; n += 1) {
      const before = failed.size;
      const { path, options } = await validRequest(endpoint);
      const credential = await admittedCredential(endpoint);
      const response = await call(path, { ...options, authorization: credential?.authorization ?? null }, fetch);
      if (failed.size === before) return;
      if (response.status >= 500) expect(exposedIn([response.text], parameters)).toEqual([]);
    }
  }

  it('does not expose its parameters in logs, responses or stored errors', { timeout: 300_000 }, async () => {
    const fetch = testApp({ bindings, settings: ALL_ON });
    for (const endpoint of ENDPOINTS.filter(({ spec }) => !spec.streams && spec.tag !== 'OCR')) await callUntilSuccess(endpoint, fetch);
    const { scheduler } = composeApp({ ...env, ...bindings } as Env);
    const jobs = await composeApp(env).scheduler.status(FIRST_INSTANT);
    for (const { name } of jobs.filter(({ name }) => !UPSTREAM_JOB.test(name))) {
      for (let before = -1; before < failed.size; ) {
        before = failed.size;
        const started = await scheduler.start(name, FIRST_INSTANT).catch(() => null);
        await started?.work;
      }
    }
    expect(failed.size).toBeGreaterThan(150);
    expect([...parameters].filter(isPrivate).length).toBeGreaterThan(40);
    expect(lines.length).toBeGreaterThan(150);
    expect(exposedIn([...lines, ...(await storedErrors())], parameters)).toEqual([]);
  });

  it('does not expose its parameters in logs of the token gate', async () => {
    const faulty = faultyDatabase();
    const tokenId = 'idOfOneTest';
    const stub = env.TOKEN_GATES.getByName(tokenId);
    const inspected = runInDurableObject(stub, (_, state) =>
      new TokenGateObject(state, { ...env, DB: faulty.database }).inspect('a'.repeat(64), null, FIRST_INSTANT, {}),
    );
    await expect(inspected).rejects.toThrow(expect.objectContaining({ message: expect.not.stringContaining(tokenId) }));
    expect([...faulty.parameters]).toContain(tokenId);
  });
});

const SECRET = 'a secret of this test';
const MARKED = expect.objectContaining({ message: expect.not.stringContaining(SECRET), stack: expect.not.stringContaining(SECRET) });

/** Runs failing work and returns its error. */
async function failureOf(work: () => Promise<unknown>): Promise<Error> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('the work did not fail');
}

describe('createDatabase', () => {
  const db = createDatabase(env.DB);
  const account = { id: SECRET, email: `${SECRET}@example.com`, createdAt: 1 };

  it('throws an error with the code of the violated constraint', async () => {
    await db.insert(users).values(account);
    const error = await failureOf(() => db.insert(users).values(account));
    expect(error).toEqual(MARKED);
    expect(error).toMatchObject({ name: 'DatabaseError', code: 'SQLITE_CONSTRAINT_UNIQUE' });
    expect(error.message).toMatch(/^SQLITE_CONSTRAINT_UNIQUE: UNIQUE constraint failed: users\.email: insert into "users"/);
    expect(error.cause).toBeUndefined();
  });

  it.each([
    ['a select', () => db.select().from(users).where(sql`json_extract('{}', ${SECRET}) = 1`)],
    ['an update', () => db.update(users).set({ displayName: sql`json_extract('{}', ${SECRET})` })],
    ['a delete', () => db.delete(users).where(eq(users.id, sql`json_extract('{}', ${SECRET})`))],
    ['a hand-written query', () => db.all(sql`select json_extract('{}', ${SECRET})`)],
    ['a hand-written command', () => db.run(sql`select json_extract('{}', ${SECRET})`)],
    ['a batch', () => db.batch([db.select({ value: sql`json_extract('{}', ${SECRET})` }).from(users)])],
    ['a transaction', () => runInOneTransaction(db, [sql`select json_extract('{}', ${SECRET})`])],
    ['a prepared statement', () => db.$client.prepare("select json_extract('{}', ?)").bind(SECRET).first()],
    [
      'a parameter of an unsupported type',
      async () =>
        db.$client
          .prepare('select ?')
          .bind({ toString: () => SECRET })
          .all(),
    ],
  ])('throws an error without parameters in %s', async (_, work) => {
    await db.insert(users).values(account).onConflictDoNothing();
    const error = await failureOf(async () => await work());
    expect(error).toEqual(MARKED);
    expect(error.name).toBe('DatabaseError');
    expect(JSON.stringify(Object.entries(error))).not.toContain(SECRET);
  });
});
