/** The parts of an OpenAPI 3.1 document that the checks and the contract tests read. */
export interface SchemaObject {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, SchemaObject>>;
  required?: readonly string[];
  items?: SchemaObject;
  prefixItems?: readonly SchemaObject[];
  additionalProperties?: boolean | SchemaObject;
  allOf?: readonly SchemaObject[];
  anyOf?: readonly SchemaObject[];
  oneOf?: readonly SchemaObject[];
  discriminator?: { propertyName: string };
  enum?: readonly unknown[];
  const?: unknown;
  description?: string;
  example?: unknown;
  examples?: readonly unknown[];
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Reference {
  $ref?: string;
}

export interface ParameterObject extends Reference {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: SchemaObject;
  example?: unknown;
}

export interface MediaTypeObject {
  schema?: SchemaObject;
  example?: unknown;
  examples?: Readonly<Record<string, { value?: unknown }>>;
}

export interface HeaderObject extends Reference {
  description?: string;
  required?: boolean;
  schema?: SchemaObject;
  example?: unknown;
}

export interface ResponseObject extends Reference {
  description?: string;
  headers?: Readonly<Record<string, HeaderObject>>;
  content?: Readonly<Record<string, MediaTypeObject>>;
  'x-error-codes'?: readonly string[];
}

export interface RequestBodyObject extends Reference {
  description?: string;
  required?: boolean;
  content?: Readonly<Record<string, MediaTypeObject>>;
}

export interface RateLimit {
  limit: number;
  window_seconds: number;
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface OperationObject {
  operationId?: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  security?: readonly SecurityRequirement[];
  parameters?: readonly ParameterObject[];
  requestBody?: RequestBodyObject;
  responses?: Readonly<Record<string, ResponseObject>>;
  'x-access'?: string;
  'x-scope'?: string;
  'x-rate-limit'?: Readonly<Record<string, RateLimit>>;
}

export type PathItem = Readonly<Partial<Record<HttpMethod, OperationObject>>> & { parameters?: readonly ParameterObject[] };

export interface OpenApiDocument {
  openapi?: string;
  info?: { title?: string; version?: string };
  security?: readonly SecurityRequirement[];
  paths?: Readonly<Record<string, PathItem>>;
  components?: {
    schemas?: Readonly<Record<string, SchemaObject>>;
    responses?: Readonly<Record<string, ResponseObject>>;
    headers?: Readonly<Record<string, HeaderObject>>;
    parameters?: Readonly<Record<string, ParameterObject>>;
  };
}

export const HTTP_METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** An operation with its path and method; `parameters` includes those of the path, with references resolved. */
export interface LocatedOperation {
  path: string;
  method: HttpMethod;
  operation: OperationObject;
  parameters: ParameterObject[];
}

/** All operations of the document, in order. */
export function operationsIn(document: OpenApiDocument): LocatedOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation, parameters: parametersOf(document, item, operation) }] : [];
    }),
  );
}

/** Parameters of an operation and its path. The operation's override those of the path with the same location and name. */
function parametersOf(document: OpenApiDocument, item: PathItem, operation: OperationObject): ParameterObject[] {
  const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((given) => {
    const parameter = resolved(document, given);
    if (!parameter.schema) return parameter;
    const example = parameter.example === undefined ? {} : { example: parameter.example };
    return { ...parameter, schema: { ...annotated(document, parameter.schema), ...example } };
  });
  return [...new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()];
}

/** The referenced schema, with the annotations next to the reference. */
export function annotated(document: OpenApiDocument, schema: SchemaObject): SchemaObject {
  if (schema.$ref === undefined) return schema;
  const { $ref: _reference, ...own } = schema;
  return { ...resolved(document, schema), ...own };
}

/** Maximum length of a chain of references; a longer chain is circular. */
const MAX_REFERENCES = 20;

/** The object itself, or the target of its `$ref`. Throws if the reference cannot be resolved. */
export function resolved<Value extends Reference>(document: OpenApiDocument, value: Value): Value {
  let current = value;
  for (let hops = 0; current.$ref !== undefined; hops += 1) {
    const target = hops < MAX_REFERENCES ? lookUp(document, current.$ref) : undefined;
    if (typeof target !== 'object' || target === null) throw new Error(`unresolvable reference: ${current.$ref}`);
    current = target as Value;
  }
  return current;
}

function lookUp(document: OpenApiDocument, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let value: unknown = document;
  for (const part of reference.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Whether the status is a success. */
export function isSuccessStatus(status: string): boolean {
  return /^2(?:\d\d|XX)$/.test(status);
}

/** Types in the schema's own `type`, without those of its subschemas. */
export function typesOf(schema: SchemaObject): readonly string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}
