/** How a call of a database fails: before it runs, or after, as when its response is lost. */
export type CallFault = 'refused' | 'lost';

/** The statement behind one of `failingDatabase`. */
type Wrapped = object & { inner?: object };

/**
 * The database, with calls (a statement or a batch) counted; number `at` fails, with `lasts` all later ones too. `Database`: of workerd or
 * of Node, which have different types.
 */
export function failingDatabase<Database extends object>(
  database: Database,
  at: number | null,
  fault: CallFault = 'refused',
  lasts = false,
): { database: Database; calls(): number } {
  let calls = 0;
  async function call(run: () => Promise<unknown>): Promise<unknown> {
    calls += 1;
    if (at === null || calls - 1 < at || (calls - 1 > at && !lasts)) return run();
    if (fault === 'lost') await run();
    throw new Error('D1_ERROR: the network was lost');
  }

  const RUNS: readonly PropertyKey[] = ['all', 'run', 'first', 'raw'];
  function wrapped(statement: object): object {
    return new Proxy(statement, {
      get(target, property) {
        if (property === 'inner') return target;
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        if (property === 'bind') return (...values: unknown[]) => wrapped(value.apply(target, values) as object);
        return RUNS.includes(property)
          ? (...input: unknown[]) => call(() => value.apply(target, input) as Promise<unknown>)
          : value.bind(target);
      },
    });
  }

  const proxy = new Proxy(database, {
    get(target, property) {
      // Without sessions every statement uses this binding.
      if (property === 'withSession') return undefined;
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== 'function') return value;
      if (property === 'prepare') return (text: string) => wrapped(value.call(target, text) as object);
      if (property === 'batch')
        return (statements: readonly Wrapped[]) =>
          call(
            () =>
              value.call(
                target,
                statements.map((statement) => statement.inner ?? statement),
              ) as Promise<unknown>,
          );
      return value.bind(target);
    },
  });
  return { database: proxy, calls: () => calls };
}
