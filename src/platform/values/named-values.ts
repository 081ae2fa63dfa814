/** The schema of a fixed set of values in the OpenAPI document. */
export interface ValuesName {
  name: string;
  description: string;
}

const names = new WeakMap<readonly unknown[], ValuesName>();

/** A fixed set of values with the name of its schema in the OpenAPI document. Two sets may hold equal values under different names. */
export function namedValues<const Values extends readonly (string | number)[]>(name: string, description: string, values: Values): Values {
  names.set(values, { name, description });
  return values;
}

/** The name of a set of values; undefined for a set without one. */
export function nameOfValues(values: readonly unknown[]): ValuesName | undefined {
  return names.get(values);
}
