/** The locations in which D1 creates a database. Each is also a location hint of Durable Objects. */
export const REGIONS = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc'] as const;

/** Durable Objects by name. */
export type NamedObjects<Instance extends Rpc.DurableObjectBranded> = Pick<DurableObjectNamespace<Instance>, 'getByName'>;

/**
 * Objects that work with the database: a new one is created next to it, because the platform never moves an object and jobs run anywhere.
 * `region`: the variable `REGION`; any other value than one of `REGIONS` gives no hint. Objects of one reader need none: they are created
 * where they are first used.
 */
export function nextToDatabase<Instance extends Rpc.DurableObjectBranded>(
  objects: DurableObjectNamespace<Instance>,
  region: string | undefined,
): NamedObjects<Instance> {
  const locationHint = REGIONS.find((name) => name === region?.trim());
  return locationHint === undefined ? objects : { getByName: (name) => objects.getByName(name, { locationHint }) };
}
