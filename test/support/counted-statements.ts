import { env } from 'cloudflare:workers';

/** A database that counts statements. */
export function countedStatements() {
  let queries = 0;
  const counted = new Proxy(env.DB, {
    get(target, name) {
      // Without sessions all statements use this binding and are counted.
      if (name === 'withSession') return undefined;
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...input: unknown[]) => {
        queries += 1;
        return value.apply(target, input);
      };
    },
  });
  return { DB: counted, queries: () => queries };
}
