/** Parts of a schema that define a sample. */
export interface SampledSchema {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, SampledSchema>>;
  items?: SampledSchema;
  allOf?: readonly SampledSchema[];
  anyOf?: readonly SampledSchema[];
  oneOf?: readonly SampledSchema[];
  enum?: readonly unknown[];
  const?: unknown;
  example?: unknown;
  examples?: readonly unknown[];
  default?: unknown;
}

/** A document with the schemas that others refer to. */
export interface SampledDocument {
  components?: { schemas?: Readonly<Record<string, SampledSchema>> };
}

/** Nesting at which a schema that contains itself is cut off. */
const MAX_DEPTH = 24;

/** A sample, or the reason why it is missing: `at` is the path to the first part without an example. */
export type Sample = { ok: true; value: unknown } | { ok: false; at: string };

const found = (value: unknown): Sample => ({ ok: true, value });

/**
 * A documented value of the schema: its own example, or one combined from the examples of its parts. Includes optional
 * properties to show every field.
 */
export function sampleOf(document: SampledDocument, schema: SampledSchema, at = '', depth = 0): Sample {
  if (depth > MAX_DEPTH) return { ok: false, at: `${at} (contains itself)` };
  const own = annotated(document, schema);
  if (own.example !== undefined) return found(own.example);
  if (own.examples?.length) return found(own.examples[0]);
  if (own.const !== undefined) return found(own.const);
  if (own.enum?.length) return found(own.enum[0]);
  if (own.allOf?.length) return sampleOfAll(document, own.allOf, at, depth);
  const choice = own.anyOf ?? own.oneOf;
  if (choice?.length) return firstSample(document, choice, at, depth);
  if (own.default !== undefined) return found(own.default);
  return sampleOfType(document, own, at, depth);
}

function sampleOfType(document: SampledDocument, schema: SampledSchema, at: string, depth: number): Sample {
  const types = typesOf(schema);
  if (types.includes('object') || schema.properties) return sampleOfObject(document, schema, at, depth);
  if (types.includes('array') && schema.items) {
    const item = sampleOf(document, schema.items, `${at}/[]`, depth + 1);
    return item.ok ? found([item.value]) : item;
  }
  if (types.length === 1 && types[0] === 'null') return found(null);
  return { ok: false, at: at === '' ? '/' : at };
}

function sampleOfObject(document: SampledDocument, schema: SampledSchema, at: string, depth: number): Sample {
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const sample = sampleOf(document, property, `${at}/${name}`, depth + 1);
    if (!sample.ok) return sample;
    value[name] = sample.value;
  }
  return found(value);
}

/** Of several alternatives the first that has a sample; null is the last resort. */
function firstSample(document: SampledDocument, schemas: readonly SampledSchema[], at: string, depth: number): Sample {
  const samples = schemas.map((schema) => sampleOf(document, schema, at, depth + 1));
  return (
    samples.find((sample) => sample.ok && sample.value !== null) ?? samples.find((sample) => sample.ok) ?? samples[0] ?? { ok: false, at }
  );
}

/** Parts of an intersection: objects are merged; parts that only annotate have no sample and are passed over. */
function sampleOfAll(document: SampledDocument, schemas: readonly SampledSchema[], at: string, depth: number): Sample {
  const samples = schemas.map((schema) => sampleOf(document, schema, at, depth + 1));
  const values = samples.flatMap((sample) => (sample.ok ? [sample.value] : []));
  if (values.length === 0) return samples[0] ?? { ok: false, at };
  return found(values.every(isPlainObject) ? Object.assign({}, ...values) : values.at(-1));
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema with its references resolved; annotations beside a reference win. */
function annotated({ components }: SampledDocument, schema: SampledSchema): SampledSchema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  const target = components?.schemas?.[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (!target) throw new Error(`unresolvable reference: ${$ref}`);
  return { ...target, ...own };
}

function typesOf({ type }: SampledSchema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}
