/** The keywords of a schema that `sampleOf` uses. */
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

/** A document with named schemas. */
export interface SampledDocument {
  components?: { schemas?: Readonly<Record<string, SampledSchema>> };
}

/** Maximum depth, for recursive schemas. */
const MAX_DEPTH = 24;

/** A sample, or the path of the first schema without an example. */
export type Sample = { ok: true; value: unknown } | { ok: false; at: string };

const toSample = (value: unknown): Sample => ({ ok: true, value });

/** Creates an example value of the schema: its own example, or one combined from the examples of its fields, including optional ones. */
export function sampleOf(document: SampledDocument, schema: SampledSchema, at = '', depth = 0): Sample {
  if (depth > MAX_DEPTH) return { ok: false, at: `${at} (contains itself)` };
  const own = resolveReference(document, schema);
  if (own.example !== undefined) return toSample(own.example);
  if (own.examples?.length) return toSample(own.examples[0]);
  if (own.const !== undefined) return toSample(own.const);
  if (own.enum?.length) return toSample(own.enum[0]);
  if (own.allOf?.length) return sampleOfAll(document, own.allOf, at, depth);
  const choice = own.anyOf ?? own.oneOf;
  if (choice?.length) return firstSample(document, choice, at, depth);
  if (own.default !== undefined) return toSample(own.default);
  return sampleOfType(document, own, at, depth);
}

function sampleOfType(document: SampledDocument, schema: SampledSchema, at: string, depth: number): Sample {
  const types = typesOf(schema);
  if (types.includes('object') || schema.properties) return sampleOfObject(document, schema, at, depth);
  if (types.includes('array') && schema.items) {
    const item = sampleOf(document, schema.items, `${at}/[]`, depth + 1);
    return item.ok ? toSample([item.value]) : item;
  }
  if (types.length === 1 && types[0] === 'null') return toSample(null);
  return { ok: false, at: at === '' ? '/' : at };
}

function sampleOfObject(document: SampledDocument, schema: SampledSchema, at: string, depth: number): Sample {
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const sample = sampleOf(document, property, `${at}/${name}`, depth + 1);
    if (!sample.ok) return sample;
    value[name] = sample.value;
  }
  return toSample(value);
}

/** The first alternative that has a sample. Null is used only if no other alternative has a sample. */
function firstSample(document: SampledDocument, schemas: readonly SampledSchema[], at: string, depth: number): Sample {
  const samples = schemas.map((schema) => sampleOf(document, schema, at, depth + 1));
  return (
    samples.find((sample) => sample.ok && sample.value !== null) ?? samples.find((sample) => sample.ok) ?? samples[0] ?? { ok: false, at }
  );
}

/** Merges the objects of an `allOf`. Skips members without a sample, which only annotate. */
function sampleOfAll(document: SampledDocument, schemas: readonly SampledSchema[], at: string, depth: number): Sample {
  const samples = schemas.map((schema) => sampleOf(document, schema, at, depth + 1));
  const values = samples.flatMap((sample) => (sample.ok ? [sample.value] : []));
  if (values.length === 0) return samples[0] ?? { ok: false, at };
  return toSample(values.every(isPlainObject) ? Object.assign({}, ...values) : values.at(-1));
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Resolves the reference of a schema. Annotations next to the reference take precedence. */
function resolveReference({ components }: SampledDocument, schema: SampledSchema): SampledSchema {
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
