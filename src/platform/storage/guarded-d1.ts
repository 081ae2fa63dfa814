import { DatabaseError } from './database-error.ts';

/** The methods of a D1 binding that the service uses. */
export type D1Client = Pick<D1Database, 'prepare' | 'batch'>;

/** Chooses the database (primary or replica) for the statements of a client. */
export interface D1Route {
  /** Runs `work` in a new session. `texts`: the SQL statements of the work. */
  run<Result>(texts: readonly string[], work: (session: D1Client) => Promise<Result>): Promise<Result>;
}

/**
 * A client that chooses the session of a statement when the statement runs. Every failure is a `DatabaseError`, which contains no
 * parameters.
 */
export function createGuardedClient(route: D1Route): D1Client {
  return {
    prepare: (text) => new GuardedStatement(route, text, []) as unknown as D1PreparedStatement,
    batch: <Row>(statements: D1PreparedStatement[]) => {
      const guarded = statements as unknown as GuardedStatement[];
      const texts = guarded.map((statement) => statement.text);
      const prepared = (session: D1Client) => guarded.map((statement) => statement.prepareIn(session));
      return withDatabaseErrors(texts.join('; '), () => route.run(texts, (session) => session.batch<Row>(prepared(session))));
    },
  };
}

class GuardedStatement {
  readonly text: string;
  readonly #route: D1Route;
  readonly #values: readonly unknown[];

  constructor(route: D1Route, text: string, values: readonly unknown[]) {
    this.#route = route;
    this.text = text;
    this.#values = values;
  }

  bind(...values: unknown[]): GuardedStatement {
    return new GuardedStatement(this.#route, this.text, values);
  }

  prepareIn(session: D1Client): D1PreparedStatement {
    const statement = session.prepare(this.text);
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
    return withDatabaseErrors(this.text, () => this.#route.run([this.text], async (session) => work(this.prepareIn(session))));
  }
}

async function withDatabaseErrors<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new DatabaseError(text, error);
  }
}
