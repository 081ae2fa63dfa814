type FirstArgument = (deps: never, ...args: never[]) => unknown;

/** The functions of a module without their first argument. */
type Bound<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (deps: never, ...args: infer Args) => infer Result ? (...args: Args) => Result : never;
};

/**
 * The functions of a store or service with their first argument given: its dependencies. The functions stay functions of their module, with their
 * names in the outline, the search and stack traces. Loses type parameters: bind a generic function by hand.
 */
export function bind<Deps, Functions extends Record<string, (deps: Deps, ...args: never[]) => unknown>>(
  deps: Deps,
  functions: Functions,
): Bound<Functions> {
  const entries = Object.entries<FirstArgument>(functions).map(([name, run]) => [name, run.bind(null, deps as never)]);
  return Object.fromEntries(entries) as Bound<Functions>;
}
