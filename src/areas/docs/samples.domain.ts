/** A request with the documented examples of its required parameters and its body. */
export interface SampledRequest {
  baseUrl: string;
  /** In lower case. */
  method: string;
  /** With placeholders: `/v1/codexes/{type}`. */
  path: string;
  pathParameters: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  /** JSON value; undefined without a body. */
  body: unknown;
  needsToken: boolean;
}

/** How a language writes values. */
interface Dialect {
  indent: string;
  string(text: string): string;
  key(name: string): string;
  /** Of true, false and null. */
  words: Readonly<Record<string, string>>;
  /** Inside of the braces of an object on one line. */
  brace: string;
}

type Brackets = '[]' | '{}';

/** Characters of a line that fit beside the description of an operation. */
const MAX_LINE = 50;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
const PYTHON_KEYWORD =
  /^(?:False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)$/;

const TYPESCRIPT: Dialect = {
  indent: '  ',
  string: (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`,
  key: (name) => (IDENTIFIER.test(name) ? name : TYPESCRIPT.string(name)),
  words: {},
  brace: ' ',
};
const PYTHON: Dialect = {
  indent: '    ',
  string: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  words: { true: 'True', false: 'False', null: 'None' },
  brace: '',
};

/** The request with the TypeScript client. */
export function typescriptSample({ baseUrl, method, path, pathParameters, query, body, needsToken }: SampledRequest): string {
  const params = { ...(isEmpty(pathParameters) ? {} : { path: pathParameters }), ...(isEmpty(query) ? {} : { query }) };
  const init = { ...(isEmpty(params) ? {} : { params }), ...(body === undefined ? {} : { body }) };
  const call = `const { data } = await api.${method.toUpperCase()}(${TYPESCRIPT.string(path)}`;
  return [...typescriptClient(baseUrl, needsToken), `${call}${initText(init, call.length)});`, 'console.log(data);'].join('\n');
}

/** The second argument of a call of the TypeScript client, with its comma; empty without one. `column`: where it starts. */
function initText(init: object, column: number): string {
  if (isEmpty(init)) return '';
  const entries = entryTexts(init, TYPESCRIPT, '');
  const line = `, { ${entries.join(', ')} }`;
  if (column + line.length <= MAX_LINE && !line.includes('\n')) return line;
  return `, ${linesText(entries, '{}', TYPESCRIPT, '')}`;
}

/** The request with the Python client. */
export function pythonSample({ baseUrl, method, path, pathParameters, query, body, needsToken }: SampledRequest): string {
  const parameters = { ...pathParameters, ...query };
  const text = body === undefined ? [] : [valueText(body, PYTHON, PYTHON.indent)];
  const hasMethod = method === 'get' || method === 'post';
  const values = hasMethod ? [...text, ...keywordArguments(parameters)] : requestArguments(parameters, text);
  const called = hasMethod ? `api.${method}` : 'api.request';
  const call = callText(called, [...(hasMethod ? [] : [PYTHON.string(method.toUpperCase())]), PYTHON.string(path), ...values]);
  return [...pythonClient(baseUrl, needsToken), `data = ${call}${hasMethod ? '' : '.json()'}`, 'print(data)'].join('\n');
}

/** The event stream with the TypeScript client. */
export function typescriptStreamSample(baseUrl: string): string {
  return [
    ...typescriptClient(baseUrl, false),
    'for await (const event of api.events()) {',
    '  console.log(event.id, event.type, event.data);',
    '}',
  ].join('\n');
}

/** The event stream with the Python client. */
export function pythonStreamSample(baseUrl: string): string {
  return [...pythonClient(baseUrl, false), 'for event in api.events():', '    print(event.id, event.type, event.data)'].join('\n');
}

function typescriptClient(baseUrl: string, needsToken: boolean): string[] {
  const address = `baseUrl: ${TYPESCRIPT.string(baseUrl)}`;
  const created = needsToken
    ? ['const api = createClient({', `  ${address},`, '  token: process.env.GAME_DATA_TOKEN,', '});']
    : [`const api = createClient({ ${address} });`];
  return ["import { createClient } from 'game-data-api';", '', ...created];
}

function pythonClient(baseUrl: string, needsToken: boolean): string[] {
  const address = PYTHON.string(baseUrl);
  const created = needsToken ? callText('GameData', [address, 'os.environ["GAME_DATA_TOKEN"]']) : `GameData(${address})`;
  return [...(needsToken ? ['import os'] : []), 'from game_data_api import GameData', '', `api = ${created}`];
}

function keywordArguments(parameters: Readonly<Record<string, unknown>>): string[] {
  const canBeKeywords = Object.keys(parameters).every((name) => IDENTIFIER.test(name) && !PYTHON_KEYWORD.test(name));
  if (!canBeKeywords) return [`**${valueText(parameters, PYTHON, PYTHON.indent)}`];
  return Object.entries(parameters).map(([name, value]) => `${name}=${valueText(value, PYTHON, PYTHON.indent)}`);
}

function requestArguments(parameters: Readonly<Record<string, unknown>>, body: readonly string[]): string[] {
  return [...(isEmpty(parameters) ? [] : [valueText(parameters, PYTHON, PYTHON.indent)]), ...body.map((text) => `body=${text}`)];
}

function callText(called: string, values: readonly string[]): string {
  const line = `${called}(${values.join(', ')})`;
  if (line.length <= MAX_LINE && !line.includes('\n')) return line;
  return `${called}(\n${values.map((value) => `${PYTHON.indent}${value},\n`).join('')})`;
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

/** A JSON value as a literal: on one line where it fits, else one entry a line. */
function valueText(value: unknown, dialect: Dialect, indent: string): string {
  if (Array.isArray(value)) {
    return groupText(
      value.map((item) => valueText(item, dialect, indent + dialect.indent)),
      '[]',
      dialect,
      indent,
    );
  }
  if (typeof value === 'object' && value !== null) return objectText(value, dialect, indent);
  if (typeof value === 'string') return dialect.string(value);
  const text = JSON.stringify(value);
  return dialect.words[text] ?? text;
}

function objectText(value: object, dialect: Dialect, indent: string): string {
  return groupText(entryTexts(value, dialect, indent), '{}', dialect, indent);
}

function entryTexts(value: object, dialect: Dialect, indent: string): string[] {
  const inner = indent + dialect.indent;
  return Object.entries(value).map(([name, item]) => `${dialect.key(name)}: ${valueText(item, dialect, inner)}`);
}

function groupText(parts: readonly string[], brackets: Brackets, dialect: Dialect, indent: string): string {
  const [open, close] = brackets;
  const space = brackets === '{}' && parts.length > 0 ? dialect.brace : '';
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (indent.length + line.length <= MAX_LINE && !line.includes('\n')) return line;
  return linesText(parts, brackets, dialect, indent);
}

function linesText(parts: readonly string[], [open, close]: Brackets, dialect: Dialect, indent: string): string {
  const inner = indent + dialect.indent;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
