import type { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import { resolved } from '../../scripts/lib/openapi/openapi-model.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import type { Table } from '../../src/platform/http/tables/table.ts';
import { readCsv } from '../support/csv.ts';
import { FULL_DOCUMENT, operationOf, schemaProblems } from '../support/documents.ts';
import { titleOf } from '../support/endpoints.ts';
import { type Answer, type CallOptions, call } from '../support/requests.ts';
import { classOf, scopeOf } from './access-checks.ts';
import type { CredentialName } from './access-table.data.ts';
import { codeOf } from './answers.ts';
import { type Credential, credentialFor } from './credentials.ts';
import { validRequest } from './inputs.ts';

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Permissions-Policy': 'geolocation=(), microphone=(), camera=()',
};
const API_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Response headers that scripts of any origin may read without leave (the CORS safelist). */
const SAFELISTED = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified', 'pragma'];
/** Headers meant for browsers and proxies, not for scripts. */
const NOT_FOR_SCRIPTS = [...Object.keys(SECURITY_HEADERS), 'Content-Security-Policy', 'X-Accel-Buffering'].map((name) =>
  name.toLowerCase(),
);

export const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** What every answer of the API carries, whatever it is. */
export function expectApiHeaders({ headers, now }: Answer): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(headers.get(name), name).toBe(value);
  expect(headers.get('Content-Security-Policy')).toBe(API_POLICY);
  expect(headers.get('X-Request-ID')).toMatch(REQUEST_ID);
  expect(headers.get('Date')).toBe(new Date(now * 1000).toUTCString());
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
  const exposed = (headers.get('Access-Control-Expose-Headers') ?? '').toLowerCase().split(', ');
  const readable = [...headers.keys()].filter((name) => !NOT_FOR_SCRIPTS.includes(name) && !name.startsWith('access-control-'));
  expect(readable.filter((name) => !SAFELISTED.includes(name) && !exposed.includes(name))).toEqual([]);
}

/** What every page for people carries: no other origin may read it, and nothing inline runs in it. */
export function expectPageHeaders({ headers }: Answer): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(headers.get(name), name).toBe(value);
  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy).toMatch(/default-src '(?:self|none)'/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-/);
  expect(headers.get('X-Request-ID')).toMatch(REQUEST_ID);
  expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
}

/** What every answer carries that belongs to the portal: no other origin may read it. */
export function expectPortalHeaders({ headers }: Answer): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(headers.get(name), name).toBe(value);
  expect(headers.get('Content-Security-Policy')).toBe(API_POLICY);
  expect(headers.get('X-Request-ID')).toMatch(REQUEST_ID);
  expect(headers.get('Access-Control-Allow-Origin')).not.toBe('*');
}

/** The headers of whom the endpoint is for. */
export function expectSurfaceHeaders({ spec }: Endpoint, answer: Answer): void {
  const check = { api: expectApiHeaders, page: expectPageHeaders, portal: expectPortalHeaders };
  check[spec.surface ?? 'api'](answer);
}

/** Whether no credential is looked at. */
export function isForAnyone({ spec }: Endpoint): boolean {
  const endpointClass = classOf(spec.access);
  return endpointClass === 'open' || endpointClass === 'address';
}

/** The kind of credential that an endpoint lets in; every kind is let in where none is needed. */
export function admittedKind({ spec }: Endpoint): CredentialName {
  const endpointClass = classOf(spec.access);
  if (spec.access.kind === 'session') return spec.access.level === 'superuser' ? 'session_of_superuser' : 'session_of_ordinary_user';
  return endpointClass === 'master' || endpointClass === 'admin' ? 'superuser_ip_ok' : 'scope_ip_ok';
}

/** The credential that an endpoint lets in; null where none is needed. */
export async function admittedCredential(endpoint: Endpoint): Promise<Credential | null> {
  const { access, method } = endpoint.spec;
  return isForAnyone(endpoint) ? null : credentialFor(admittedKind(endpoint), scopeOf(access), method);
}

/** Calls an endpoint with valid input, as somebody it lets in. `extra`: optional parameters to send too. */
export async function callValid(endpoint: Endpoint, changes: CallOptions = {}, extra: readonly string[] = []): Promise<Answer> {
  const credential = await admittedCredential(endpoint);
  const { path, options } = await validRequest(endpoint, extra);
  const headers = { ...options.headers, ...changes.headers };
  return call(path, { ...options, authorization: credential?.authorization ?? null, ...changes, headers });
}

/** The status, and the code of an error, are among those the document names for the operation. */
export function expectDocumented(endpoint: Endpoint, answer: Answer): void {
  const { operation } = operationOf(endpoint);
  const declared = operation.responses?.[answer.status];
  expect(declared, `${titleOf(endpoint)} documents no ${answer.status}: ${answer.text.slice(0, 300)}`).toBeDefined();
  if (!declared || answer.status < 400) return;
  const response = resolved(FULL_DOCUMENT, declared);
  const schema = response.content?.['application/json']?.schema ?? {};
  expect(schemaProblems(FULL_DOCUMENT, schema, JSON.parse(answer.text)), `${codeOf(answer)} as ${answer.status}`).toEqual([]);
  expect(response['x-error-codes'], `${titleOf(endpoint)} as ${answer.status}`).toContain(codeOf(answer));
}

/** What the rows of a table must be, by media type. */
const TABLE_ROWS: Readonly<Record<string, (text: string, table: Table) => void>> = {
  'text/csv': (text, { columns }) => {
    const [header, ...rows] = readCsv(text);
    expect(header).toEqual(columns.map(({ name }) => name));
    for (const row of rows) expect(row).toHaveLength(columns.length);
  },
  'application/x-ndjson': (text) => {
    for (const line of text.split('\n').slice(0, -1)) expect(JSON.parse(line)).toBeTypeOf('object');
  },
};

/** The body is what the route declares, has nothing beyond it, and is what the document says. */
export function expectDeclaredBody(endpoint: Endpoint, answer: Answer): void {
  const { ok } = endpoint.spec;
  const type = (answer.headers.get('Content-Type') ?? '').split(';')[0] ?? '';
  const { content = {} } = operationOf(endpoint).operation.responses?.[answer.status] ?? {};
  if ('contentTypes' in ok) {
    if (ok.contentTypes.length === 0) expect([type, answer.bytes.byteLength]).toEqual(['', 0]);
    else expect(ok.contentTypes.includes('*/*') || ok.contentTypes.includes(type), `undeclared content type ${type}`).toBe(true);
    return;
  }
  const { table } = endpoint.spec;
  if (table && Object.hasOwn(TABLE_ROWS, type)) {
    expect(content).toHaveProperty([type]);
    TABLE_ROWS[type]?.(answer.text, table);
    return;
  }
  expect(answer.headers.get('Content-Type')).toBe('application/json');
  const body: unknown = JSON.parse(answer.text);
  const parsed = (ok.schema as z.ZodType).safeParse(body);
  expect(parsed.error?.issues ?? []).toEqual([]);
  expect(parsed.data).toEqual(body);
  expect(schemaProblems(FULL_DOCUMENT, content[type]?.schema ?? {}, body)).toEqual([]);
}
