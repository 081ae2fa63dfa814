import type { SQL } from 'drizzle-orm';
import { DrizzleD1Database, SQLiteD1Session } from 'drizzle-orm/d1';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { type InfrastructureFault, infrastructureFaultOf, withOneRepeat } from '../kit/errors/infrastructure-fault.ts';

/** The typed handle over the service's D1 database. */
export type Database = ReturnType<typeof createDatabase>;

/**
 * The handle for reads of public data and of the settings that an isolate caches, from a replica. Not for tokens, gates, sessions,
 * allowlists or accounts, and not for a read that decides a write.
 */
export type PublicReads = Omit<Database, 'insert' | 'update' | 'delete' | 'run' | 'transaction'>;

/** Required freshness of public reads. */
export interface ReadFreshness {
  /** Reads the bookmark of the primary and returns it. Later public reads of the isolate see at least that state. */
  catchUp(): Promise<string | null>;
  /** Later public reads of the isolate see at least the state of the bookmark; null means `catchUp`. */
  require(bookmark: string | null): Promise<void>;
}

/** The methods of a D1 binding that the service uses. */
export type D1Client = Pick<D1Database, 'prepare' | 'batch'>;

/** A D1 binding. Bindings without sessions (proxies, tests) use only the primary. */
type D1Binding = D1Client & Partial<Pick<D1Database, 'withSession'>>;

/** Runs `work` with the client for its statements, whose SQL is `texts`. */
type Run = <Result>(texts: readonly string[], work: (client: D1Client) => Promise<Result>) => Promise<Result>;

const WRITE = /\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|update\s+\S+\s+set|delete\s+from|create|drop|alter|pragma)\b/i;

/** True for a read-only statement: it starts with `select`, `with` or `explain` and has no clause that writes. */
function isRead(text: string): boolean {
  return /^\s*(?:select|with|explain)\b/i.test(text) && !WRITE.test(text.replaceAll(/'[^']*'/g, "''"));
}

/**
 * The session of the public reads of an isolate, at the nearest replica. D1 keeps the reads of a session in order; the session is replaced
 * when reads must be newer than those before. A bookmark identifies a state of the database; bookmarks sort by age.
 */
class ReadSession {
  readonly #binding: D1Binding;
  #session: D1DatabaseSession | undefined;
  /** True when the first read of the session runs at the primary. */
  #startsAtPrimary = false;
  /** Reads must see at least this state. */
  #least: D1SessionBookmark | null = null;

  constructor(binding: D1Binding) {
    this.#binding = binding;
  }

  /** The client of the next read. */
  get client(): D1Client {
    if (!this.#session) this.#open('first-unconstrained');
    const held = this.#session?.getBookmark() ?? null;
    const isOld = held === null ? !this.#startsAtPrimary : this.#least !== null && held < this.#least;
    if (this.#least !== null && isOld) this.#open(this.#least);
    return this.#session ?? this.#binding;
  }

  /** Later reads see at least the state of the bookmark; null: of the primary. */
  require(bookmark: D1SessionBookmark | null): void {
    if (!bookmark) this.#open('first-primary');
    else if (this.#least === null || bookmark > this.#least) this.#least = bookmark;
  }

  /** Reads at the primary. Returns the bookmark of the read; null without one. */
  async catchUp(): Promise<D1SessionBookmark | null> {
    const session = await repeated(async () => {
      this.#open('first-primary');
      const opened = this.#session;
      await opened?.prepare('select 1').first();
      return opened;
    });
    const bookmark = session?.getBookmark() ?? null;
    if (bookmark) this.require(bookmark);
    return bookmark;
  }

  /** The next read gets a fresh session, which sees at least the required state. */
  reopen(): void {
    this.#open(this.#startsAtPrimary ? 'first-primary' : (this.#least ?? 'first-unconstrained'));
  }

  #open(start: D1SessionConstraint | D1SessionBookmark): void {
    this.#session = this.#binding.withSession?.(start);
    this.#startsAtPrimary = start === 'first-primary';
  }
}

/**
 * Runs every statement at the primary, in a separate session: the second statement of a session may run at a replica. `reads` then see
 * what a statement has written.
 */
function atPrimary(binding: D1Binding, reads?: ReadSession): Run {
  return async (texts, work) => {
    if (texts.every(isRead)) return repeated(() => work(binding.withSession?.('first-primary') ?? binding));
    const session = binding.withSession?.('first-primary');
    if (!session || !reads) return work(session ?? binding);
    try {
      const result = await work(session);
      reads.require(session.getBookmark());
      return result;
    } catch (error) {
      // The statement may have run even if its response was lost.
      reads.require(null);
      throw error;
    }
  };
}

/** Runs reads in the session of the isolate. Rejects a statement that writes. */
function atReplica(reads: ReadSession): Run {
  return async (texts, work) => {
    if (!texts.every(isRead)) throw new TypeError('a public read must not write');
    return repeated(
      () => work(reads.client),
      () => reads.reopen(),
    );
  };
}

/** Runs reads, and once more after a fault of the platform. A write is not repeated: it may have run. */
function repeated<Result>(read: () => Promise<Result>, beforeRepeat?: () => void): Promise<Result> {
  return withOneRepeat(read, () => {
    beforeRepeat?.();
    return true;
  });
}

/** A statement whose client is chosen when it runs. Every failure is a `DatabaseError`, which contains no parameters. */
class GuardedStatement {
  readonly text: string;
  readonly #run: Run;
  readonly #values: readonly unknown[];

  constructor(run: Run, text: string, values: readonly unknown[]) {
    this.#run = run;
    this.text = text;
    this.#values = values;
  }

  bind(...values: unknown[]): GuardedStatement {
    return new GuardedStatement(this.#run, this.text, values);
  }

  prepareFor(client: D1Client): D1PreparedStatement {
    const statement = client.prepare(this.text);
    return this.#values.length === 0 ? statement : statement.bind(...this.#values);
  }

  run<Row>() {
    return this.#guarded((statement) => statement.run<Row>());
  }

  all<Row>() {
    return this.#guarded((statement) => statement.all<Row>());
  }

  raw<Row extends unknown[]>() {
    return this.#guarded((statement) => statement.raw<Row>());
  }

  first<Row>() {
    return this.#guarded((statement) => statement.first<Row>());
  }

  #guarded<Result>(work: (statement: D1PreparedStatement) => Promise<Result>): Promise<Result> {
    return withDatabaseErrors(this.text, () => this.#run([this.text], async (client) => work(this.prepareFor(client))));
  }
}

async function withDatabaseErrors<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new DatabaseError(text, error);
  }
}

function createGuardedClient(run: Run): D1Client {
  return {
    prepare: (text) => new GuardedStatement(run, text, []) as unknown as D1PreparedStatement,
    batch: <Row>(statements: D1PreparedStatement[]) => {
      const guarded = statements as unknown as GuardedStatement[];
      const texts = guarded.map((statement) => statement.text);
      const batchIn = (client: D1Client) => client.batch<Row>(guarded.map((statement) => statement.prepareFor(client)));
      return withDatabaseErrors(texts.join('; '), () => run(texts, batchIn));
    },
  };
}

type NoSchema = Record<string, never>;

/** `$client` runs hand-written statements. */
function createHandle(run: Run) {
  const $client = createGuardedClient(run);
  const dialect = new SQLiteAsyncDialect();
  const session = new SQLiteD1Session<NoSchema, NoSchema>($client as D1Database, dialect, undefined);
  const prepareQuery = session.prepareQuery.bind(session);
  // Rethrows errors unchanged: Drizzle would add all parameters to the message.
  const queryWithCache = (_text: string, _params: unknown[], query: () => Promise<unknown>) => query();
  session.prepareQuery = (...query) => Object.assign(prepareQuery(...query), { queryWithCache });
  return Object.assign(new DrizzleD1Database<NoSchema>('async', dialect, session, undefined), { $client });
}

/** Creates a handle that runs all statements at the primary. */
export function createDatabase(binding: D1Binding) {
  return createHandle(atPrimary(binding));
}

/** Creates both handles of the service. `publicReads` sees all earlier writes of `db` in the same isolate. */
export function createDatabases(binding: D1Binding): { db: Database; publicReads: PublicReads; freshness: ReadFreshness } {
  const reads = new ReadSession(binding);
  return {
    db: createHandle(atPrimary(binding, reads)),
    publicReads: createHandle(atReplica(reads)),
    freshness: {
      catchUp: () => reads.catchUp(),
      async require(bookmark) {
        if (bookmark) reads.require(bookmark);
        else await reads.catchUp();
      },
    },
  };
}

const dialect = new SQLiteAsyncDialect();

/**
 * Runs hand-written statements in one transaction, in order, and returns the rows of each. Drizzle can batch only its own
 * statements.
 */
export async function runInOneTransaction(db: Pick<Database, '$client'>, statements: readonly SQL[]): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = dialect.sqlToQuery(statement);
    return db.$client.prepare(sql).bind(...params);
  });
  const results = await db.$client.batch<Record<string, unknown>>(prepared);
  return results.map((result) => result.results);
}

/** Maximum length of the statement in an error message, in characters. */
const MAX_STATEMENT_LENGTH = 1000;
/** Messages of D1 that contain no parameters. */
const KNOWN_FAULTS = [
  'no such table',
  'no such column',
  'malformed JSON',
  'fts5: syntax error',
  'LIKE or GLOB pattern too complex',
  'string or blob too big',
  'too many SQL variables',
  'too many terms in compound SELECT',
  'Exceeded maximum DB size',
  'Network connection lost',
  'DB is overloaded',
  'reset because its code was updated',
  'transient issue on remote node',
  'storage operation exceeded timeout',
  'caused object to be reset',
  'internal error',
];
const DATATYPE = /\bcannot store [A-Z]+ value in [A-Z]+ column \w+\.\w+/;
const CONSTRAINT =
  /\b(?:UNIQUE|NOT NULL|PRIMARY KEY|FOREIGN KEY|CHECK) constraint failed(?:: (?:index '\w+'|\w+(?:\.\w+)?(?:, \w+\.\w+)*))?/;
const SQLITE_CODE = /(SQLITE_[A-Z]+)(?: \(extended: (SQLITE_[A-Z_]+)\))?$/;
const D1_CODE = /^D1_[A-Z_]+/;

/**
 * A failed statement: error code, violated constraint and SQL text. Omits the message of the driver, which may contain parameters:
 * mail texts, addresses, hashes, secrets.
 */
export class DatabaseError extends Error {
  /** For example `SQLITE_CONSTRAINT_UNIQUE` or `D1_ERROR`. */
  readonly code: string;
  /** What the platform reports; null for a statement that is wrong. */
  readonly fault: InfrastructureFault | null;

  constructor(statement: string, cause: unknown) {
    const text = cause instanceof Error ? cause.message : '';
    const [, primary, extended] = SQLITE_CODE.exec(text) ?? [];
    const code = extended ?? primary ?? D1_CODE.exec(text)?.[0] ?? 'D1_ERROR';
    const fault = (CONSTRAINT.exec(text) ?? DATATYPE.exec(text))?.[0] ?? KNOWN_FAULTS.find((known) => text.includes(known));
    super([code, fault, statement.slice(0, MAX_STATEMENT_LENGTH)].filter((part) => part !== undefined).join(': '));
    this.name = 'DatabaseError';
    this.code = code;
    this.fault = infrastructureFaultOf(cause);
  }
}
