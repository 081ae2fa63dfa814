import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTokenChanges, tokenChangeJobs } from '../../../src/platform/access/tokens/token-changes.ts';
import { createAllowlist } from '../../../src/platform/access/tokens/token-decision.ts';
import { mintSecret } from '../../../src/platform/access/tokens/token-format.ts';
import { createTokenGate } from '../../../src/platform/access/tokens/token-gate.ts';
import { createTokenRegistry, type TokenRegistry } from '../../../src/platform/access/tokens/token-registry.ts';
import { type ApiTokenRow, apiTokens, users } from '../../../src/platform/access/tokens.tables.ts';
import { outbox } from '../../../src/platform/durable/outbox.tables.ts';
import { createOutbox } from '../../../src/platform/durable/outbox.ts';
import type { JobContext } from '../../../src/platform/durable/schedule/job.ts';
import { systemClock } from '../../../src/platform/kit/time/clock.ts';
import { createDatabase, type Database } from '../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { bearer, call, FIRST_INSTANT as NOW } from '../../support/requests.ts';
import { createToken, readToken, TOKEN_FORMAT } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';

const db = createDatabase(env.DB);
const changes = createTokenChanges(db, createTokenGate(env.TOKEN_GATES));
const [job] = tokenChangeJobs(changes, createOutbox(db, systemClock));

/** The run of the job a minute after the changes. */
async function runJob(): Promise<void> {
  const context: JobContext = {
    now: systemClock() + 60,
    settings: DEFAULT_SETTINGS,
    signal: new AbortController().signal,
    isManual: false,
  };
  await job?.run(context);
}

const pending = () => db.select().from(outbox).where(eq(outbox.kind, 'token-changes'));

/** A process that dies at its step number `at`: every later access to the database or a gate fails. */
class Process {
  steps = 0;
  readonly names: string[] = [];
  readonly #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  get isDead(): boolean {
    return this.steps > this.#at;
  }

  /** Dies before or after the work, or does it. */
  async #around<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    this.#step(`before ${name}`);
    const result = await work();
    this.#step(`after ${name}`);
    return result;
  }

  #step(name: string): void {
    this.names.push(name);
    this.steps += 1;
    if (this.isDead) throw new Error(`died ${name}`);
  }

  #prepared(inner: D1PreparedStatement): D1PreparedStatement {
    const run = (method: 'run' | 'all' | 'raw' | 'first') => () =>
      this.#around('a statement', () => (inner[method] as () => Promise<unknown>)());
    const methods = { run: run('run'), all: run('all'), raw: run('raw'), first: run('first') };
    return { inner, bind: (...values: unknown[]) => this.#prepared(inner.bind(...values)), ...methods } as unknown as D1PreparedStatement;
  }

  database(): Database {
    return createDatabase({
      prepare: (text: string) => this.#prepared(env.DB.prepare(text)),
      batch: (statements: { inner: D1PreparedStatement }[]) =>
        this.#around('the transaction', () => env.DB.batch(statements.map(({ inner }) => inner))),
    } as unknown as D1Database);
  }

  registry(): TokenRegistry {
    const gate = createTokenGate(env.TOKEN_GATES);
    return createTokenRegistry(this.database(), { apply: (id, state) => this.#around('the gate', () => gate.apply(id, state)) });
  }
}

interface Subject {
  row: ApiTokenRow;
  secret: string;
}

let addresses = 0;

/** A new address for each request: `GET /v1/token` has a rate limit per address. */
function nextAddress(): string {
  addresses += 1;
  return `10.1.${addresses >> 8}.${addresses & 255}`;
}

/** The response of a new isolate to a token. */
async function statusOf(secret: string, now = NOW): Promise<number> {
  return (await call('/v1/token', { authorization: bearer(secret), now, address: nextAddress() }, testApp())).status;
}

type Result = { isConfirmed: boolean };

/** Each kind of change, and the response to the secret of before once it is in effect. */
const CHANGES: Record<string, { make(subject: Subject, registry: TokenRegistry, database: Database): Promise<Result>; status: number }> = {
  'a revocation': { make: ({ row }, registry) => registry.revoke(row, 'test', NOW), status: 401 },
  'the revocation of all tokens of an account': { make: ({ row }, registry) => registry.revokeAll(row.userId, 'test', NOW), status: 401 },
  'a rotation': {
    make({ row }, registry) {
      const { secret: _, ...rotation } = mintSecret(row.id, TOKEN_FORMAT);
      return registry.rotate(row, { ...rotation, previousUntil: null }, NOW);
    },
    status: 401,
  },
  'a new allowlist': {
    make: ({ row }, registry) => registry.edit(row, { allowlist: createAllowlist(['192.0.2.1'], row.ipSalt) }, NOW),
    status: 403,
  },
  'a disabled owner': {
    async make({ row }, registry, database) {
      const { statements, confirm } = registry.changeOwner(row.userId, NOW);
      await database.batch([database.update(users).set({ isActive: false }).where(eq(users.id, row.userId)), ...statements]);
      return { isConfirmed: await confirm() };
    },
    status: 401,
  },
  'the deletion of the account': {
    async make({ row }, registry) {
      await registry.deleteByAccount(row.userId);
      return { isConfirmed: true };
    },
    status: 401,
  },
};

async function newSubject(): Promise<Subject> {
  const secret = await createToken();
  const [row] = await db
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.id, readToken(secret).id));
  if (!row) throw new Error('the token was not stored');
  return { row, secret };
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(Object.entries(CHANGES))('%s', (_name, { make, status }) => {
  it('is obeyed after a confirmation, and after the job wherever the process died', { timeout: 60_000 }, async () => {
    const confirmed: string[] = [];
    let at = 0;
    for (; ; at += 1) {
      const subject = await newSubject();
      expect(await statusOf(subject.secret)).toBe(200);
      const process = new Process(at);
      const result = await make(subject, process.registry(), process.database()).catch(() => null);
      const where = process.isDead ? String(process.names.at(-1)) : 'at the end';
      if (result?.isConfirmed) {
        confirmed.push(where);
        expect(await statusOf(subject.secret), where).toBe(status);
      }
      const isStored = where !== 'before the transaction';
      await runJob();
      expect(await statusOf(subject.secret), where).toBe(isStored ? status : 200);
      expect(await pending(), where).toEqual([]);
      if (!process.isDead) break;
    }
    // At least: the transaction, the read of the row, the gate, the end of the outbox entry.
    expect(at).toBeGreaterThanOrEqual(8);
    expect(confirmed).toEqual(['at the end']);
  });

  it('is pending while the gate is out of reach, and in effect after the next run of the job', async () => {
    const subject = await newSubject();
    expect(await statusOf(subject.secret)).toBe(200);
    const unreachable = createTokenRegistry(db, { apply: () => Promise.reject(new Error('out of reach')) });
    const result = await make(subject, unreachable, db).catch((error: { details: unknown }) => error);
    expect(result).toMatchObject('details' in result ? { details: { pending: true } } : { isConfirmed: false });
    expect(await statusOf(subject.secret)).toBe(200);
    expect(await pending()).toHaveLength(1);
    await runJob();
    expect(await statusOf(subject.secret)).toBe(status);
    expect(await pending()).toEqual([]);
  });
});

describe('two quick changes', () => {
  it('never revive a token when their messages arrive in reverse order', async () => {
    const { row, secret } = await newSubject();
    expect(await statusOf(secret)).toBe(200);
    const gate = createTokenGate(env.TOKEN_GATES);
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const slow = createTokenRegistry(db, {
      async apply(id, state) {
        reached.resolve();
        await released.promise;
        await gate.apply(id, state);
      },
    });
    const renaming = slow.edit(row, { name: 'renamed' }, NOW);
    await reached.promise;
    expect(await createTokenRegistry(db, gate).revoke(row, 'test', NOW)).toEqual({ isStored: true, isConfirmed: true });
    released.resolve();
    expect(await renaming).toEqual({ isStored: true, isConfirmed: true });
    expect(await statusOf(secret)).toBe(401);
    expect(await pending()).toEqual([]);
  });

  it('leave the entry of the second change when only the first was confirmed', async () => {
    const { row, secret } = await newSubject();
    const gate = createTokenGate(env.TOKEN_GATES);
    const unreachable = createTokenRegistry(db, { apply: () => Promise.reject(new Error('out of reach')) });
    const first = createTokenRegistry(db, {
      async apply(id, state) {
        // The second change commits after the row for the first message was read.
        await unreachable.revoke(row, 'test', NOW);
        await gate.apply(id, state);
      },
    });
    expect(await first.edit(row, { name: 'renamed' }, NOW)).toMatchObject({ isConfirmed: true });
    expect(await statusOf(secret)).toBe(200);
    expect(await pending()).toHaveLength(1);
    await runJob();
    expect(await statusOf(secret)).toBe(401);
  });
});
