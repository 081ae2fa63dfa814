import { env } from 'cloudflare:workers';

/** The real database. `interrupt` runs an action once, directly before the first statement whose text matches. */
export function interruptedDatabase(): { binding: D1Database; interrupt(pattern: RegExp, action: () => Promise<unknown>): void } {
  const texts = new WeakMap<D1PreparedStatement, string>();
  let pending: { pattern: RegExp; action: () => Promise<unknown> } | null = null;

  async function runPending(statements: readonly D1PreparedStatement[]): Promise<void> {
    const current = pending;
    if (!current || !statements.some((statement) => current.pattern.test(texts.get(statement) ?? ''))) return;
    pending = null;
    await current.action();
  }

  function wrap(statement: D1PreparedStatement, text: string): D1PreparedStatement {
    const wrapped: D1PreparedStatement = new Proxy(statement, {
      get(target, property) {
        if (property === 'inner') return target;
        if (property === 'bind') return (...values: unknown[]) => wrap(target.bind(...values), text);
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        return async (...input: unknown[]) => {
          await runPending([wrapped]);
          return value.apply(target, input);
        };
      },
    });
    texts.set(wrapped, text);
    return wrapped;
  }

  const binding = new Proxy(env.DB, {
    get(target, property) {
      // Without sessions all statements use this binding.
      if (property === 'withSession') return undefined;
      if (property === 'prepare') return (text: string) => wrap(target.prepare(text), text);
      if (property === 'batch') {
        return async (statements: (D1PreparedStatement & { inner: D1PreparedStatement })[]) => {
          await runPending(statements);
          return target.batch(statements.map(({ inner }) => inner));
        };
      }
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    binding,
    interrupt(pattern, action) {
      pending = { pattern, action };
    },
  };
}
