import type { z } from '@hono/zod-openapi';

/** A column of a CSV file. `path`: keys from the row to the value. */
export interface Column {
  name: string;
  path: readonly string[];
}

/**
 * The columns of a row schema, in the order of the schema. Nested objects are flattened, with dots in the column name. A list, map or
 * union is one column of JSON text.
 */
export function columnsOf(row: z.ZodObject, path: readonly string[] = []): Column[] {
  return Object.entries(row.shape).flatMap(([key, schema]) => {
    const columnPath = [...path, key];
    const inner = unwrapSchema(schema as z.ZodType);
    return isObject(inner) ? columnsOf(inner, columnPath) : [{ name: columnPath.join('.'), path: columnPath }];
  });
}

/** The schema without optional, nullable and read-only wrappers. */
function unwrapSchema(schema: z.ZodType): z.ZodType {
  const { type, innerType, options } = schema.def as { type: string; innerType?: z.ZodType; options?: z.ZodType[] };
  if (innerType) return unwrapSchema(innerType);
  const [only, ...others] = type === 'union' && options ? options.filter((option) => option.def.type !== 'null') : [];
  return only && others.length === 0 ? unwrapSchema(only) : schema;
}

function isObject(schema: z.ZodType): schema is z.ZodObject {
  return schema.def.type === 'object';
}

export type Row = Readonly<Record<string, unknown>>;

/** Converts a JSON body to CSV and JSON Lines. */
export interface Table {
  /** Columns of the CSV file, in order. */
  readonly columns: readonly Column[];
  /** Completes "One row for each …". */
  readonly rowOf: string;
  /** Rows of a parsed body. */
  rows(body: unknown): Iterable<Row>;
}

/** Keys of a body whose value is a list of objects. */
type ListKey<Body> = { [Key in keyof Body & string]: Body[Key] extends readonly object[] ? Key : never }[keyof Body & string];
type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** Moves columns to the end: programs address columns by number, so a field that was added later is the last one. */
function withLast(columns: readonly Column[], last: readonly string[]): Column[] {
  const isLast = ({ name }: Column) => last.includes(name);
  return [...columns.filter((column) => !isLast(column)), ...columns.filter(isLast)];
}

/** A table of the items of a list in the body. `last`: names of columns that were added later and are not last in the schema. */
export function listTable<Body extends z.ZodObject>(body: Body, list: ListKey<z.output<Body>>, last: readonly string[] = []): Table {
  return {
    columns: withLast(columnsOf(itemSchema(body, list)), last),
    rowOf: `item of \`${list}\``,
    rows: (value) => rowsOfList(value as Row, list),
  };
}

/** A table of the items of a list inside the items of another list. Each row starts with the other fields of the outer item. */
export function nestedTable<Body extends z.ZodObject, List extends ListKey<z.output<Body>>>(
  body: Body,
  list: List,
  inner: ListKey<ItemOf<z.output<Body>[List]>>,
): Table {
  const outer = itemSchema(body, list);
  return {
    columns: [...columnsOf(outer).filter(({ name }) => name !== inner), ...columnsOf(itemSchema(outer, inner))],
    rowOf: `item of \`${list}[].${inner}\``,
    *rows(value) {
      for (const { [inner]: innerItems, ...fields } of rowsOfList(value as Row, list)) {
        for (const item of innerItems as readonly Row[]) yield { ...fields, ...item };
      }
    },
  };
}

/** A table whose rows are computed from the body. */
export function computedTable<Body extends z.ZodType, RowSchema extends z.ZodObject>(
  _body: Body,
  row: RowSchema,
  rowOf: string,
  rows: (body: z.output<Body>) => Iterable<z.output<RowSchema>>,
): Table {
  return { columns: columnsOf(row), rowOf, rows: (value) => rows(value as z.output<Body>) as Iterable<Row> };
}

function itemSchema(schema: z.ZodObject, list: string): z.ZodObject {
  const array = unwrapSchema(schema.shape[list] as z.ZodType) as z.ZodArray;
  return unwrapSchema(array.element as z.ZodType) as z.ZodObject;
}

function rowsOfList(value: Row, list: string): readonly Row[] {
  return value[list] as readonly Row[];
}
