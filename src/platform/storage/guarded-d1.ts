import { DatabaseError } from './database-error.ts';

/** The part of a D1 binding that the service uses. */
export type D1Client = Pick<D1Database, 'prepare' | 'batch'>;

/** Wraps a D1 binding so that every failure is a `DatabaseError`, which holds no parameters. */
export function guardD1(binding: D1Database): D1Client {
  return {
    prepare: (text) => new GuardedStatement(binding.prepare(text), text) as unknown as D1PreparedStatement,
    batch: <Row>(statements: D1PreparedStatement[]) => {
      const guarded = statements as unknown as GuardedStatement[];
      const text = guarded.map((statement) => statement.text).join('; ');
      return guarding(text, () => binding.batch<Row>(guarded.map(({ statement }) => statement)));
    },
  };
}

class GuardedStatement {
  readonly statement: D1PreparedStatement;
  readonly text: string;

  constructor(statement: D1PreparedStatement, text: string) {
    this.statement = statement;
    this.text = text;
  }

  bind(...values: unknown[]): GuardedStatement {
    try {
      return new GuardedStatement(this.statement.bind(...values), this.text);
    } catch (error) {
      throw new DatabaseError(this.text, error);
    }
  }

  run<Row>() {
    return guarding(this.text, () => this.statement.run<Row>());
  }

  all<Row>() {
    return guarding(this.text, () => this.statement.all<Row>());
  }

  raw<Row extends unknown[]>() {
    return guarding(this.text, () => this.statement.raw<Row>());
  }

  first<Row>() {
    return guarding(this.text, () => this.statement.first<Row>());
  }
}

async function guarding<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new DatabaseError(text, error);
  }
}
