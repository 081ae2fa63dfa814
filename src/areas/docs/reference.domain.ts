import { type SampledSchema, sampleOf } from '../../platform/openapi/samples.ts';
import { pythonSample, pythonStreamSample, type SampledRequest, typescriptSample, typescriptStreamSample } from './samples.domain.ts';

/** Fields of an OpenAPI schema that the pages show. */
export interface Schema extends SampledSchema {
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  additionalProperties?: boolean | Schema;
  required?: readonly string[];
  description?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  deprecated?: boolean;
  /** Sent by code samples although it is optional: one of several parameters is required. */
  'x-sample'?: boolean;
}

interface Media {
  schema?: Schema;
  example?: unknown;
}

interface ParameterObject {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

interface ResponseObject {
  $ref?: string;
  description: string;
  headers?: Readonly<Record<string, unknown>>;
  content?: Readonly<Record<string, Media>>;
  'x-error-codes'?: readonly string[];
}

interface Limit {
  limit: number;
  window_seconds: number;
}

interface OperationObject {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  parameters?: readonly ParameterObject[];
  requestBody?: { description?: string; required?: boolean; content: Readonly<Record<string, Media>> };
  responses: Readonly<Record<string, ResponseObject>>;
  /** Alternative credentials; an empty object among them means none. */
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  'x-access': string;
  'x-scope'?: string;
  'x-rate-limit'?: Readonly<Record<string, Limit | Readonly<Record<string, Limit>>>>;
}

/** The OpenAPI document of one tag. */
export interface TagDocument {
  tags: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  webhooks?: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  components: {
    schemas?: Readonly<Record<string, Schema>>;
    parameters?: Readonly<Record<string, ParameterObject>>;
    responses?: Readonly<Record<string, ResponseObject>>;
  };
}

/** Access to an operation. */
export type Badge = 'public' | 'token' | 'superuser' | 'webhook';

export interface FieldView {
  name: string;
  type: string;
  isRequired: boolean;
  isDeprecated: boolean;
  description: string;
  /** Bounds and default, as sentence fragments. */
  limits: readonly string[];
  /** Allowed values. */
  values: readonly string[];
  children: readonly FieldView[];
  /** Reason for omitted child fields. */
  omission: string | null;
}

export interface ParameterView extends Omit<FieldView, 'children' | 'omission'> {
  in: string;
  /** Whether code samples send it. */
  isSampled: boolean;
  /** Documented example as text; empty without one. */
  example: string;
}

export interface BodyView {
  contentType: string;
  description: string;
  isRequired: boolean;
  type: string;
  fields: readonly FieldView[];
  /** JSON is pretty-printed. */
  example: string | null;
  /** Whether the example lacks its end. */
  isShortened: boolean;
}

interface ErrorView {
  status: string;
  code: string;
  description: string;
}

export interface OperationView {
  id: string;
  /** In upper case. */
  method: string;
  path: string;
  summary: string;
  paragraphs: readonly string[];
  badge: Badge;
  /** The access sentence of the description. */
  access: string;
  scope: string | null;
  rateLimits: readonly string[];
  isDeprecated: boolean;
  parameters: readonly ParameterView[];
  body: BodyView | null;
  success: { status: string; description: string; headers: readonly string[]; bodies: readonly BodyView[] };
  errors: readonly ErrorView[];
  /** The request in each language, curl first. Empty for webhooks, which the service sends. */
  samples: readonly CodeSample[];
  /** Whether the page can send the request: false for webhooks, file uploads and event streams. */
  isRunnable: boolean;
}

export interface CodeSample {
  language: 'bash' | 'js' | 'python';
  text: string;
}

export interface TagView {
  name: string;
  description: string;
  operations: readonly OperationView[];
}

/** Shown nesting levels of fields. */
const MAX_DEPTH = 6;
/** Shown fields of one body. */
const MAX_FIELDS = 240;
/** In characters. */
const MAX_EXAMPLE = 4000;
/** In characters; longer JSON of a curl command has several lines. */
const MAX_COMMAND_JSON = 60;
/** Listed enum values. */
const MAX_VALUES = 60;

/** Paths that the client libraries type. */
const CLIENT_PATH = /^\/(?:v1\/|health$)/;
const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

/** Order of the parameters. */
const PLACES = ['path', 'query', 'header'];

/** Badges of operations that are for more than any client with a token. */
const BADGES: Readonly<Record<string, Badge>> = { master: 'superuser', admin: 'superuser', outgoing: 'webhook' };

function badgeOf({ security = [], 'x-access': access }: OperationObject): Badge {
  const isPublic = security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0);
  return BADGES[access] ?? (isPublic ? 'public' : 'token');
}

/** The view of a tag page. `baseUrl`: base URL in commands. */
export function tagView(document: TagDocument, baseUrl: string): TagView {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => operationView({ document, baseUrl, method, path, operation })),
  );
  const webhooks = Object.entries(document.webhooks ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => operationView({ document, baseUrl, method, path, operation })),
  );
  const [tag] = document.tags;
  return { name: tag?.name ?? '', description: tag?.description ?? '', operations: [...operations, ...webhooks] };
}

interface Located {
  document: TagDocument;
  baseUrl: string;
  method: string;
  path: string;
  operation: OperationObject;
}

function operationView(located: Located): OperationView {
  const { document, method, path, operation } = located;
  const paragraphs = (operation.description ?? '').split(/\n\n+/).filter((text) => text !== '');
  const access = paragraphs.find((text) => text.startsWith('Access: '));
  const badge = badgeOf(operation);
  const parameters = (operation.parameters ?? [])
    .map((parameter) => parameterView(document, parameter))
    .sort((one, other) => PLACES.indexOf(one.in) - PLACES.indexOf(other.in));
  const [contentType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const success = successOf(document, operation);
  const types = success.bodies.map((body) => body.contentType);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    paragraphs: paragraphs.filter((text) => text !== access),
    badge,
    access: capitalised(access?.slice('Access: '.length) ?? ''),
    scope: operation['x-scope'] ?? null,
    rateLimits: rateLimitsOf(operation),
    isDeprecated: operation.deprecated ?? false,
    parameters,
    body: media && contentType !== undefined ? bodyView(document, contentType, media, operation.requestBody) : null,
    success,
    errors: errorsOf(document, operation),
    samples: badge === 'webhook' ? [] : samplesOf(located, { parameters, badge, types }),
    isRunnable: badge !== 'webhook' && contentType !== 'multipart/form-data' && !types.includes(STREAM_TYPE),
  };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function rateLimitsOf({ 'x-rate-limit': limits = {} }: OperationObject): string[] {
  return Object.entries(limits).flatMap(([name, limit]) =>
    isLimit(limit)
      ? [`${requests(limit)} ${LIMIT_NAMES[name] ?? `(${name})`}`]
      : Object.entries(limit).map(([who, inner]) => `${requests(inner)} that must be computed, ${LIMIT_NAMES[who] ?? who}`),
  );
}

const LIMIT_NAMES: Readonly<Record<string, string>> = {
  anonymous: 'without a token',
  token: 'with a token',
  ingest: 'accepted inserts',
};

function isLimit(value: object): value is Limit {
  return 'window_seconds' in value;
}

/** A number with a comma after every three digits. */
const grouped = (value: number) => String(value).replaceAll(/(?<=^-?\d+)(?=(?:\d{3})+$)/g, ',');

const UNITS = [
  [86_400, 'day', 'a day'],
  [3600, 'hour', 'an hour'],
  [60, 'minute', 'a minute'],
  [1, 'second', 'a second'],
] as const;

/** `a minute`, `in 5 minutes`. */
function windowText(seconds: number): string {
  const [unit, name, one] = UNITS.find(([length]) => seconds % length === 0) ?? UNITS[3];
  return seconds === unit ? one : `in ${grouped(seconds / unit)} ${name}s`;
}

/** `30 requests a minute`. */
function requests({ limit, window_seconds: seconds }: Limit): string {
  return `${grouped(limit)} ${limit === 1 ? 'request' : 'requests'} ${windowText(seconds)}`;
}

function resolveParameter({ components }: TagDocument, parameter: ParameterObject): ParameterObject {
  return parameter.$ref === undefined ? parameter : (components.parameters?.[nameIn(parameter.$ref)] ?? parameter);
}

/** Samples send required parameters, and those that a schema marks. */
const isSampled = ({ required, schema }: ParameterObject) => required === true || schema?.['x-sample'] === true;

function parameterView(document: TagDocument, given: ParameterObject): ParameterView {
  const parameter = resolveParameter(document, given);
  const schema = parameter.schema ?? {};
  const { children: _children, omission: _omission, ...field } = fieldView(new FieldReader(document, 0), parameter.name, schema, parameter);
  return { ...field, in: parameter.in, isSampled: isSampled(parameter), example: parameterText(parameter.example) };
}

/** The value as in a URL before encoding: lists have commas. */
function parameterText(value: unknown): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(',') : textOf(value);
}

function bodyView(
  document: TagDocument,
  contentType: string,
  { schema = {}, example }: Media,
  about: { description?: string; required?: boolean } = {},
): BodyView {
  const reader = new FieldReader(document, MAX_FIELDS);
  const isJson = contentType === 'application/json' || contentType.endsWith('+json');
  const sample = example === undefined && isJson ? sampleOf(document, schema) : null;
  const value = example ?? (sample?.ok ? sample.value : undefined);
  return {
    contentType,
    description: [about.description, schema.$ref === undefined ? schema.description : undefined].filter(Boolean).join(' '),
    isRequired: about.required ?? false,
    type: typeText(document, schema),
    fields: childrenOf(reader, schema, 0, []),
    ...shortened(value === undefined || value === '' ? null : isJson ? prettyJson(value) : textOf(value)),
  };
}

function successOf(document: TagDocument, { responses }: OperationObject): OperationView['success'] {
  const [status, given] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? ['', undefined];
  const response = given && resolveResponse(document, given);
  const bodies = Object.entries(response?.content ?? {}).map(([type, media]) => bodyView(document, type, media));
  return { status, description: response?.description ?? '', headers: Object.keys(response?.headers ?? {}), bodies };
}

function errorsOf(document: TagDocument, { responses }: OperationObject): ErrorView[] {
  return Object.entries(responses).flatMap(([status, given]) => {
    if (!/^[45]\d\d$/.test(status)) return [];
    const { description, 'x-error-codes': codes = [] } = resolveResponse(document, given);
    // Either "`code`: text" for each code, or one text for all codes.
    const texts = new Map([...description.matchAll(/`(\w+)`: (.*?)(?= `\w+`: |$)/g)].map(([, code = '', text = '']) => [code, text]));
    return codes.map((code) => ({ status, code, description: texts.get(code) ?? description }));
  });
}

function resolveResponse({ components }: TagDocument, response: ResponseObject): ResponseObject {
  return response.$ref === undefined ? response : (components.responses?.[nameIn(response.$ref)] ?? response);
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, typeof value === 'object' ? 2 : undefined);
}

/** JSON in lines; a text that is JSON itself is parsed first. */
function prettyJson(value: unknown): string {
  if (typeof value !== 'string') return textOf(value);
  try {
    return textOf(JSON.parse(value));
  } catch {
    return value;
  }
}

/** An example of bounded length. The last line of a shortened one says how much is missing. */
function shortened(text: string | null): Pick<BodyView, 'example' | 'isShortened'> {
  if (text === null || text.length <= MAX_EXAMPLE) return { example: text, isShortened: false };
  const start = text.slice(0, Math.max(text.lastIndexOf('\n', MAX_EXAMPLE), 0) || MAX_EXAMPLE);
  const more = text.slice(start.length).split('\n').length - 1;
  return { example: `${start}\n… ${more > 0 ? `${grouped(more)} more lines` : 'shortened'}`, isShortened: true };
}

/** Counts the fields of one body against `MAX_FIELDS`. */
class FieldReader {
  readonly document: TagDocument;
  #left: number;

  constructor(document: TagDocument, limit: number) {
    this.document = document;
    this.#left = limit;
  }

  /** Returns whether another field may be shown. */
  take(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }
}

function resolved({ components }: TagDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  return { ...components.schemas?.[nameIn($ref)], ...own };
}

/** Alternatives other than null, or the schema itself without alternatives. */
function alternativesOf(document: TagDocument, schema: Schema): { options: readonly Schema[]; isNullable: boolean } {
  const all = resolved(document, schema);
  const union = all.anyOf ?? all.oneOf;
  if (union === undefined) return { options: [schema], isNullable: false };
  const options = union.filter(({ type }) => type !== 'null');
  return { options, isNullable: options.length < union.length };
}

function typeText(document: TagDocument, schema: Schema, depth = 0): string {
  const { options, isNullable } = alternativesOf(document, schema);
  const names = options.map((option) => plainType(document, option, depth));
  return [...new Set(names), ...(isNullable ? ['null'] : [])].join(' or ');
}

function plainType(document: TagDocument, schema: Schema, depth: number): string {
  const { type, items, format, properties, additionalProperties, anyOf, oneOf, enum: values } = resolved(document, schema);
  if ((anyOf ?? oneOf) && depth < MAX_DEPTH) return typeText(document, schema, depth + 1);
  if (items && depth < MAX_DEPTH) return `array of ${plural(typeText(document, items, depth + 1))}`;
  if (properties || type === 'object') return typeof additionalProperties === 'object' && !properties ? 'map' : 'object';
  const base = typeof type === 'string' ? type : (type?.join(' or ') ?? (values ? typeof values[0] : 'any'));
  return format === undefined ? base : `${base} (${format})`;
}

const plural = (type: string) => (/^(?:string|integer|number|boolean|object)$/.test(type) ? `${type}s` : type);

function fieldView(reader: FieldReader, name: string, schema: Schema, about: { description?: string; required?: boolean }): FieldView {
  const { document } = reader;
  const full = resolved(document, schema);
  const { options } = alternativesOf(document, schema);
  const [only] = options;
  const inner = options.length === 1 && only ? resolved(document, only) : full;
  const item = inner.items ? resolved(document, inner.items) : inner;
  const values = (item.enum ?? (item.const === undefined ? [] : [item.const])).map(String);
  return {
    name,
    type: typeText(document, schema),
    isRequired: about.required ?? false,
    isDeprecated: full.deprecated ?? false,
    description: about.description ?? full.description ?? '',
    limits: limitsOf({ ...inner, default: full.default ?? inner.default }),
    values: values.length > MAX_VALUES ? [...values.slice(0, MAX_VALUES), '…'] : values,
    children: [],
    omission: null,
  };
}

/** Both bounds of a time in unix seconds are between these: the years 2001 and 2286. */
const FIRST_TIME = 1_000_000_000;
const LAST_TIME = 9_999_999_999;

const dayText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

function limitsOf(schema: Schema): string[] {
  const range = (low: number | undefined, high: number | undefined, unit: string) => {
    if (low !== undefined && low === high) return [`exactly ${grouped(low)}${unit}`];
    if (low !== undefined && high !== undefined) return [`${grouped(low)} to ${grouped(high)}${unit}`];
    if (low !== undefined) return [`at least ${grouped(low)}${unit}`];
    return high === undefined ? [] : [`at most ${grouped(high)}${unit}`];
  };
  const { minimum, maximum } = schema;
  const isTime = minimum !== undefined && maximum !== undefined && minimum >= FIRST_TIME && maximum <= LAST_TIME;
  const numbers = isTime ? [`unix seconds from ${dayText(minimum)} to ${dayText(maximum)}`] : range(minimum, maximum, '');
  return [
    ...numbers,
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minItems, schema.maxItems, ' items'),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

/** Child fields of a schema. `trail`: names of the parent schemas, to detect recursion. */
function childrenOf(reader: FieldReader, schema: Schema, depth: number, trail: readonly string[]): FieldView[] {
  const { document } = reader;
  if (depth >= MAX_DEPTH) return [];
  const { options } = alternativesOf(document, schema);
  if (options.length > 1) return options.flatMap((option) => alternativeField(reader, option, depth, trail));
  const [only = schema] = options;
  const names = [...trail, ...(schema.$ref ? [nameIn(schema.$ref)] : []), ...(only.$ref && only !== schema ? [nameIn(only.$ref)] : [])];
  const inner = resolved(document, only);
  if (inner.items) return childrenOf(reader, inner.items, depth + 1, names);
  const properties = {
    ...Object.assign({}, ...(inner.allOf ?? []).map((part) => resolved(document, part).properties)),
    ...inner.properties,
  };
  const required = [...(inner.required ?? []), ...(inner.allOf ?? []).flatMap((part) => resolved(document, part).required ?? [])];
  const fields = Object.entries<Schema>(properties).flatMap(([name, property]) =>
    field(reader, name, property, required.includes(name), depth, names),
  );
  if (typeof inner.additionalProperties !== 'object') return fields;
  return [...fields, ...field(reader, '<key>', inner.additionalProperties, false, depth, names)];
}

/** One variant of a union. Only objects have fields. */
function alternativeField(reader: FieldReader, option: Schema, depth: number, trail: readonly string[]): FieldView[] {
  const { properties } = resolved(reader.document, option);
  if (!properties) return [];
  const name = option.$ref === undefined ? 'object' : nameIn(option.$ref);
  return field(reader, name, option, false, depth, trail).map((view) => ({ ...view, type: 'one form' }));
}

function field(
  reader: FieldReader,
  name: string,
  schema: Schema,
  isRequired: boolean,
  depth: number,
  trail: readonly string[],
): FieldView[] {
  if (!reader.take()) return [];
  const { description } = schema;
  const view = fieldView(reader, name, schema, { required: isRequired, ...(description === undefined ? {} : { description }) });
  const target = referenceIn(reader.document, schema);
  if (target !== null && trail.includes(target)) return [{ ...view, omission: `the same fields as ${target} above` }];
  if (depth + 1 >= MAX_DEPTH) return [hasChildren(reader.document, schema) ? { ...view, omission: 'more fields in openapi.json' } : view];
  return [{ ...view, children: childrenOf(reader, schema, depth + 1, target === null ? trail : [...trail, target]) }];
}

/** Name of the schema that a field or its items refer to. */
function referenceIn(document: TagDocument, schema: Schema): string | null {
  const { options } = alternativesOf(document, schema);
  const [only = schema] = options;
  const { items } = resolved(document, only);
  const reference = items?.$ref ?? only.$ref ?? schema.$ref;
  return reference === undefined ? null : nameIn(reference);
}

function hasChildren(document: TagDocument, schema: Schema): boolean {
  return alternativesOf(document, schema).options.some((option) => {
    const { properties, items, additionalProperties } = resolved(document, option);
    return properties !== undefined || typeof additionalProperties === 'object' || (items && resolved(document, items).properties);
  });
}

/** `types`: content types of the success. */
function samplesOf(
  located: Located,
  { parameters, badge, types }: { parameters: readonly ParameterView[]; badge: Badge; types: readonly string[] },
): CodeSample[] {
  const curl: CodeSample = { language: 'bash', text: curlOf(located, parameters, badge) };
  if (types.includes(STREAM_TYPE)) {
    return [
      curl,
      { language: 'js', text: typescriptStreamSample(located.baseUrl) },
      { language: 'python', text: pythonStreamSample(located.baseUrl) },
    ];
  }
  const request = types.includes(JSON_TYPE) ? clientRequest(located, badge) : null;
  if (request === null) return [curl];
  return [curl, { language: 'js', text: typescriptSample(request) }, { language: 'python', text: pythonSample(request) }];
}

/** The request for the client libraries; null for a body that is not JSON and for a path that they do not type. */
function clientRequest({ document, baseUrl, method, path, operation }: Located, badge: Badge): SampledRequest | null {
  const [contentType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const hasOtherBody = contentType !== undefined && (contentType !== JSON_TYPE || media?.example === undefined);
  if (hasOtherBody || !CLIENT_PATH.test(path)) return null;
  const sampled = (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter)).filter(isSampled);
  const examples = (place: string) =>
    Object.fromEntries(sampled.filter((parameter) => parameter.in === place).map(({ name, example }) => [name, example]));
  return {
    baseUrl,
    method,
    path,
    pathParameters: examples('path'),
    query: examples('query'),
    body: media?.example,
    needsToken: badge !== 'public',
  };
}

/** A curl command with the documented examples of the parameters that samples send. */
function curlOf({ document, baseUrl, method, path, operation }: Located, parameters: readonly ParameterView[], badge: Badge): string {
  const sampled = parameters.filter((parameter) => parameter.isSampled);
  const inPath = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const example = sampled.find((parameter) => parameter.name === name)?.example;
    return example === undefined || example === '' ? whole : encodeURIComponent(example);
  });
  const query = sampled
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(example)}`);
  const [contentType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const url = quoted(`${baseUrl}${inPath}${query.length > 0 ? `?${query.join('&')}` : ''}`);
  // Without -N curl holds back the events that do not fill its buffer.
  const streams = Object.values(operation.responses).some(({ content = {} }) => STREAM_TYPE in content);
  const parts = [
    `curl ${streams ? '-N ' : ''}${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${url}`,
    ...(badge === 'public' ? [] : ['-H "Authorization: Bearer $GAME_DATA_TOKEN"']),
    ...(contentType === undefined ? [] : bodyArguments(document, contentType, media)),
  ];
  return parts.join(' \\\n  ');
}

function bodyArguments(document: TagDocument, contentType: string, media: Media | undefined): string[] {
  if (contentType === 'multipart/form-data') {
    return Object.entries(resolved(document, media?.schema ?? {}).properties ?? {}).map(
      ([name, { format, type }]) => `-F ${name}=${format === 'binary' || type !== 'string' ? '@file' : '…'}`,
    );
  }
  const data = media?.example === undefined ? '--data-binary @file' : `-d ${quoted(commandJson(media.example))}`;
  return [`-H 'Content-Type: ${contentType}'`, data];
}

/** JSON of a command: in lines if it is long. */
function commandJson(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length > MAX_COMMAND_JSON ? JSON.stringify(value, null, 2) : line;
}

/** Quotes for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
