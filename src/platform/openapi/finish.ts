import type { ValuesName } from '../kit/values/named-values.ts';
import type { FeatureName, Settings } from '../settings/settings.data.ts';

/** Any object of a document: a schema, a parameter, an operation or a map of them. */
export type Node = Record<string, unknown>;

/** Keys whose values are data instead of schemas. */
const DATA_KEYS = new Set(['example', 'examples', 'default', 'enum', 'const', 'required', 'security', 'tags', 'scopes']);
/** Prefix of a reference to a named schema. */
const SCHEMA_REFERENCE_PREFIX = '#/components/schemas/';
/** Keywords that describe a schema without restricting it. They are allowed next to a reference or a union. */
const ANNOTATIONS = new Set(['description', 'example', 'examples', 'default', 'deprecated']);
/** Maps whose keys are names instead of keywords. */
const NAME_MAPS = new Set(['properties', 'paths', 'webhooks', 'schemas', 'responses', 'headers', 'parameters', 'content', 'mapping']);

/**
 * Converts the output of the library to a form that every client generator supports:
 * - a named set of values becomes a schema with that name;
 * - null is a branch of `anyOf` instead of a second type;
 * - annotations are next to a reference instead of in an `allOf`;
 * - a parameter has one description, outside its schema;
 * - values, properties and alternatives of switched-off features are omitted.
 */
export function finishDocument(document: object, settings: Settings): Node {
  const values = new Map<string, Node>();
  const isOff = (feature: unknown) => feature !== undefined && !settings[feature as FeatureName];
  const { schemas = {} } = (document as { components?: { schemas?: Record<string, Node> } }).components ?? {};
  const dropped = new Set(Object.keys(schemas).filter((name) => isOff(schemas[name]?.['x-switch'])));
  const finished = finishNode(document as Node, {
    values,
    isOff,
    dropped: new Set([...dropped].map((name) => SCHEMA_REFERENCE_PREFIX + name)),
  });
  const components = finished.components as { schemas?: Node };
  components.schemas = { ...components.schemas, ...Object.fromEntries([...values].sort(([one], [other]) => (one < other ? -1 : 1))) };
  return dropUnusedComponents(finished);
}

/** The document without unreferenced components. */
export function dropUnusedComponents(document: Node): Node {
  const { components, ...rest } = document;
  const used = new Set<string>();
  addReferences(rest, components as Components, used);
  const usedComponents = Object.entries(components as Components).map(([kind, all]) => {
    const entries = Object.entries(all).filter(([name]) => kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`));
    return [kind, Object.fromEntries(entries)];
  });
  return { ...rest, components: Object.fromEntries(usedComponents) };
}

type Components = Record<string, Record<string, unknown>>;

function addReferences(value: unknown, components: Components, used: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === 'string' && !used.has($ref)) {
    used.add($ref);
    const [, , kind = '', name = ''] = $ref.split('/');
    addReferences(components[kind]?.[name], components, used);
  }
  for (const part of Object.values(value)) addReferences(part, components, used);
}

interface Context {
  values: Map<string, Node>;
  /** References to schemas that are omitted. */
  dropped: ReadonlySet<unknown>;
  isOff(feature: unknown): boolean;
}

function finishNode(node: Node, context: Context): Node {
  const result: Node = {};
  for (const [key, value] of Object.entries(node)) {
    // A default of null says no more than an optional property, and some generators stop at it.
    if (key === 'default' && value === null) continue;
    if (DATA_KEYS.has(key)) result[key] = value;
    else if (Array.isArray(value))
      result[key] = value.filter((item) => !isOffNode(item, context)).map((item) => finishValue(item, context));
    else if (NAME_MAPS.has(key) && isNode(value)) result[key] = finishMap(value, context);
    else result[key] = finishValue(value, context);
  }
  return liftParameterDescription(moveNullToAnyOf(referToNamedValues(flattenReference(result), context)));
}

/** Moves the description and the example of a parameter out of its schema, where tools expect them. */
function liftParameterDescription(node: Node): Node {
  if (typeof node.in !== 'string') return node;
  const { schema, description, required, ...rest } = node;
  if (typeof node.name !== 'string' || !isNode(schema)) return node;
  const { example, ...bareSchema } = schema.description === description ? omitKey(schema, 'description') : schema;
  return { ...rest, ...(required ? { required } : {}), description, schema: bareSchema, ...(example === undefined ? {} : { example }) };
}

function finishMap(map: Node, context: Context): Node {
  return Object.fromEntries(
    Object.entries(map)
      .filter(([, value]) => !isOffNode(value, context))
      .map(([name, value]) => [name, finishValue(value, context)]),
  );
}

function finishValue(value: unknown, context: Context): unknown {
  if (Array.isArray(value)) return value.map((item) => finishValue(item, context));
  return isNode(value) ? finishNode(value, context) : value;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOffNode(value: unknown, { isOff, dropped }: Context): boolean {
  return isNode(value) ? isOff(value['x-switch']) || dropped.has(value.$ref) : dropped.has(value);
}

/** Replaces an `allOf` of a reference and annotations with the reference and the annotations next to it. */
function flattenReference(nodeWithSwitch: Node): Node {
  const node = nodeWithSwitch['x-switch'] === undefined ? nodeWithSwitch : omitKey(nodeWithSwitch, 'x-switch');
  if (node.allOf === undefined) return node;
  const { allOf, ...rest } = node;
  if (!Array.isArray(allOf) || allOf.length !== 2) return node;
  const [reference, annotations] = allOf as [Node, Node];
  const isFlat = typeof reference.$ref === 'string' && Object.keys(annotations).every((key) => ANNOTATIONS.has(key));
  return isFlat ? { ...rest, ...reference, ...annotations } : node;
}

/** Replaces a named set of values with a reference to its schema. */
function referToNamedValues(node: Node, { values, isOff }: Context): Node {
  if (node['x-values'] === undefined) return node;
  const { 'x-values': valuesName, 'x-switches': switches, enum: all, type, ...rest } = node;
  if (valuesName === undefined || !Array.isArray(all)) return node;
  const { name, description } = valuesName as ValuesName;
  const features = (switches ?? {}) as Record<string, FeatureName>;
  const known = values.get(name);
  const isNullable = all.includes(null);
  if (!known || switches !== undefined) {
    const enabled = all.filter((value) => value !== null && !isOff(features[String(value)]));
    values.set(name, { type: typeof enabled[0] === 'string' ? 'string' : 'integer', enum: enabled, description });
  }
  const reference = { $ref: SCHEMA_REFERENCE_PREFIX + name };
  if (isNullable || (Array.isArray(type) && type.includes('null'))) return { ...rest, anyOf: [reference, { type: 'null' }] };
  return { ...(rest.description === description ? omitKey(rest, 'description') : rest), ...reference };
}

/** Converts `type: [X, null]` and `oneOf` with null to `anyOf`, with the annotations next to it. */
function moveNullToAnyOf(node: Node): Node {
  const { type, oneOf } = node;
  if (Array.isArray(oneOf) && oneOf.some(isNull)) {
    const { oneOf: _oneOf, ...rest } = node;
    return { ...rest, anyOf: [...oneOf.filter((part) => !isNull(part)), { type: 'null' }] };
  }
  if (!Array.isArray(type) || !type.includes('null')) return node;
  const entries = Object.entries(node).filter(([key]) => key !== 'type');
  const types = type.filter((one) => one !== 'null');
  const core = Object.fromEntries(entries.filter(([key]) => !ANNOTATIONS.has(key)));
  if (Array.isArray(core.enum)) core.enum = core.enum.filter((value) => value !== null);
  const annotations = Object.fromEntries(entries.filter(([key]) => ANNOTATIONS.has(key)));
  return { anyOf: [...types.map((one) => ({ type: one, ...core })), { type: 'null' }], ...annotations };
}

function isNull(part: unknown): boolean {
  return isNode(part) && part.type === 'null';
}

function omitKey(node: Node, key: string): Node {
  const { [key]: _removed, ...rest } = node;
  return rest;
}
