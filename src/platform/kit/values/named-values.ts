/** Name and description of a set of values, which is a schema in the OpenAPI document. */
export interface ValuesName {
  name: string;
  description: string;
}

const names = new WeakMap<readonly unknown[], ValuesName>();

/** Names a set of values. The name belongs to the array, so two sets with equal values may have different names. */
export function namedValues<const Values extends readonly (string | number)[]>(name: string, description: string, values: Values): Values {
  names.set(values, { name, description });
  return values;
}

/** The name of a set of values; undefined without one. */
export function nameOfValues(values: readonly unknown[]): ValuesName | undefined {
  return names.get(values);
}
