import { customType } from 'drizzle-orm/sqlite-core';
import { parseStored, type Shape } from '../kit/values/stored-shapes.ts';

/** A text column with JSON of a shape: rows of this version and of its neighbours are read. Null stays null. */
export function jsonColumn<Value>(name: string, shape: Shape<Value>) {
  return customType<{ data: Value; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (json) => parseStored(shape, json),
  })(name);
}
