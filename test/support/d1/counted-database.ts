import { env } from 'cloudflare:workers';

/** Number of statements by allowed location. */
export interface StatementCounts {
  primary: number;
  replica: number;
}

/** Wraps the database to count the statements that run in sessions. */
export function countedDatabase(): { binding: D1Database; take(): StatementCounts } {
  let counts: StatementCounts = { primary: 0, replica: 0 };

  function counted(statement: D1PreparedStatement, where: keyof StatementCounts): D1PreparedStatement {
    return new Proxy(statement, {
      get(target, property) {
        if (property === 'inner') return target;
        if (property === 'bind') return (...values: unknown[]) => counted(target.bind(...values), where);
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        return (...input: unknown[]) => {
          counts[where] += 1;
          return value.apply(target, input);
        };
      },
    });
  }

  const binding = {
    withSession(constraint?: string) {
      const session = env.DB.withSession(constraint);
      const where = constraint === 'first-primary' ? 'primary' : 'replica';
      return {
        prepare: (text: string) => counted(session.prepare(text), where),
        batch(statements: (D1PreparedStatement & { inner: D1PreparedStatement })[]) {
          counts[where] += statements.length;
          return session.batch(statements.map(({ inner }) => inner));
        },
        getBookmark: () => session.getBookmark(),
      };
    },
  } as unknown as D1Database;
  return {
    binding,
    take() {
      const current = counts;
      counts = { primary: 0, replica: 0 };
      return current;
    },
  };
}
