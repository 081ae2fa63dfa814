/** A schema of the reduced document: the keywords that its types depend on. Other keywords, such as bounds, do not change a type. */
interface Schema {
  $ref?: string;
  description?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

interface Content {
  schema?: Schema;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters: { name: string; in: string; required: boolean; schema: Schema; description: string }[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

/** The document of the clients, reduced to what their types need. */
export interface TypedDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Keywords that change a type, and are not supported. */
const UNSUPPORTED = ['not', 'prefixItems', 'patternProperties', 'if', 'dependentSchemas', 'readOnly', 'writeOnly'];
const SIMPLE_TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Methods in the order of a path. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const HEADERS = 'headers: { [name: string]: unknown };';

/**
 * Types of a document in the form that openapi-fetch takes: `paths`, `components` and `operations`. A library generates them as well, but
 * needs a compiler of TypeScript 5, whose own packages every start of the service would install. Throws for keywords without a type.
 */
export function typescriptTypes({ paths, components }: TypedDocument): string {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const parts = ['responses', 'parameters', 'requestBodies', 'headers', 'pathItems'].map((name) => `${name}: never;`);
  return [
    '// Generated: do not edit.',
    'export interface paths {',
    ...indented(Object.entries(paths).flatMap(([path, methods]) => member(JSON.stringify(path), pathLines(methods)))),
    '}',
    'export type webhooks = Record<string, never>;',
    'export interface components {',
    ...indented([...member('schemas', propertyLines(components.schemas, Object.keys(components.schemas))), ...parts]),
    '}',
    'export type $defs = Record<string, never>;',
    'export interface operations {',
    ...indented(operations.flatMap((operation) => member(nameOf(operation.operationId), operationLines(operation)))),
    '}',
    '',
  ].join('\n');
}

const indented = (lines: readonly string[]) => lines.map((line) => `\t${line}`);
const member = (name: string, lines: readonly string[]) => [`${name}: {`, ...indented(lines), '};'];
const nameOf = (name: string) => (IDENTIFIER.test(name) ? name : JSON.stringify(name));
const comment = (text: string | undefined) => (text ? [`/** ${text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim()} */`] : []);

function pathLines(methods: Readonly<Record<string, Operation>>): string[] {
  return METHODS.flatMap((method) => {
    const operation = methods[method];
    return operation ? [...comment(operation.summary), `${method}: operations[${JSON.stringify(operation.operationId)}];`] : [];
  });
}

function operationLines({ parameters, requestBody, responses }: Operation): string[] {
  const places = ['query', 'path'].flatMap((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return [];
    const schemas = Object.fromEntries(own.map(({ name, schema, description }) => [name, { ...schema, description }]));
    const required = own.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : []));
    return member(required.length > 0 ? place : `${place}?`, propertyLines(schemas, required));
  });
  const statuses = Object.entries(responses).map(([status, { content }]) =>
    member(status, [HEADERS, ...(content && Object.keys(content).length > 0 ? contentLines(content) : ['content?: never;'])]),
  );
  return [
    ...(places.length > 0 ? member('parameters', places) : []),
    ...(requestBody ? member(requestBody.required ? 'requestBody' : 'requestBody?', contentLines(requestBody.content)) : []),
    ...member('responses', statuses.flat()),
  ];
}

function contentLines(content: Readonly<Record<string, Content>>): string[] {
  const lines = Object.entries(content).flatMap(([type, { schema = {} }]) => field(JSON.stringify(type), schema));
  return lines.length === 1 ? [`content: { ${lines[0]} };`] : member('content', lines);
}

function propertyLines(schemas: Readonly<Record<string, Schema>>, required: readonly string[]): string[] {
  return Object.entries(schemas).flatMap(([name, schema]) => [
    ...comment(schema.description),
    ...field(required.includes(name) ? nameOf(name) : `${nameOf(name)}?`, schema),
  ]);
}

/** A property with its type. The first line of a type follows the name, the last one ends with a semicolon. */
function field(name: string, schema: Schema): string[] {
  const [first = '', ...rest] = typeLines(schema);
  const lines = [`${name}: ${first}`, ...rest];
  return [...lines.slice(0, -1), `${lines.at(-1)};`];
}

/** The type of a schema. Objects with properties take several lines. */
function typeLines(schema: Schema): string[] {
  const unsupported = UNSUPPORTED.find((keyword) => keyword in schema);
  if (unsupported !== undefined) throw new Error(`clients have no type for the keyword ${unsupported} of ${JSON.stringify(schema)}`);
  const { $ref: reference, type, enum: values, items } = schema;
  if (reference !== undefined) return [`components["schemas"][${JSON.stringify(reference.slice(reference.lastIndexOf('/') + 1))}]`];
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return joined(options, ' | ');
  if (schema.allOf) return joined(schema.allOf, ' & ');
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (values) return [values.map((value) => JSON.stringify(value)).join(' | ')];
  if (type === 'array') return suffixed(items ? typeLines(items) : ['unknown'], '[]');
  if (type === 'object') return objectLines(schema);
  if (type === undefined) return ['unknown'];
  const simple = SIMPLE_TYPES[type];
  if (simple === undefined) throw new Error(`clients have no type for ${JSON.stringify(schema)}`);
  return [simple];
}

/** The properties of an object, and the type of its other properties. Without declared properties, any are allowed. */
function objectLines({ properties = {}, required = [], additionalProperties }: Schema): string[] {
  const named = Object.keys(properties).length > 0 ? ['{', ...indented(propertyLines(properties, required)), '}'] : [];
  const other = typeof additionalProperties === 'object' ? additionalProperties : {};
  const hasOthers = additionalProperties === undefined ? named.length === 0 : additionalProperties !== false;
  if (!hasOthers) return named.length > 0 ? named : ['Record<string, never>'];
  const others = indented(field('[key: string]', other));
  return named.length > 0 ? [...named.slice(0, -1), '} & {', ...others, '}'] : ['{', ...others, '}'];
}

/** The union or intersection of types. */
function joined(schemas: readonly Schema[], operator: string): string[] {
  return schemas.map(typeLines).reduce((sum, lines) => {
    const [first = '', ...rest] = lines;
    return [...sum.slice(0, -1), `${sum.at(-1)}${operator}${first}`, ...rest];
  });
}

/** The array of a type, in parentheses if it has several parts. */
function suffixed(lines: readonly string[], suffix: string): string[] {
  const isCompound = / [|&] /.test(lines.filter((line) => !line.startsWith('\t')).join(' '));
  const [first = '', ...rest] = lines;
  const all = [isCompound ? `(${first}` : first, ...rest];
  return [...all.slice(0, -1), `${all.at(-1)}${isCompound ? ')' : ''}${suffix}`];
}
