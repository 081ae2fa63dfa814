import type { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import { resolved } from '../../scripts/lib/openapi/openapi-model.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import type { Table } from '../../src/platform/http/tables/table.ts';
import { readCsv } from '../support/csv.ts';
import { FULL_DOCUMENT, operationOf, schemaProblems } from '../support/documents.ts';
import { titleOf } from '../support/endpoints.ts';
import { type CallOptions, call, type TestResponse } from '../support/requests.ts';
import { admittedName, ignoresCredentials, scopeOf } from './access-checks.ts';
import { type Credential, credentialFor } from './credentials.ts';
import { validRequest } from './inputs.ts';
import { codeOf } from './responses.ts';

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Permissions-Policy': 'geolocation=(), microphone=(), camera=()',
};
const API_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Response headers that scripts of any origin may read (the CORS safelist). */
const SAFELISTED = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified', 'pragma'];
/** Headers meant for browsers and proxies, not for scripts. */
const NOT_FOR_SCRIPTS = [
  ...Object.keys(SECURITY_HEADERS),
  'Content-Security-Policy',
  'Cross-Origin-Resource-Policy',
  'X-Accel-Buffering',
].map((name) => name.toLowerCase());

export const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Expects the headers of every API response. */
export function expectApiHeaders({ headers, now }: TestResponse): void {
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

/** Expects the headers of HTML pages: not readable by other origins, no inline scripts. */
export function expectPageHeaders({ headers }: TestResponse): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(headers.get(name), name).toBe(value);
  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy).toMatch(/default-src '(?:self|none)'/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-/);
  expect(headers.get('X-Request-ID')).toMatch(REQUEST_ID);
  expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
}

/** Expects the headers of portal responses: not readable by other origins. */
export function expectPortalHeaders({ headers }: TestResponse): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(headers.get(name), name).toBe(value);
  expect(headers.get('Content-Security-Policy')).toBe(API_POLICY);
  expect(headers.get('X-Request-ID')).toMatch(REQUEST_ID);
  expect(headers.get('Access-Control-Allow-Origin')).not.toBe('*');
}

/** Expects the headers of the endpoint's surface (API, portal or page). */
export function expectSurfaceHeaders({ spec }: Endpoint, response: TestResponse): void {
  const check = { api: expectApiHeaders, page: expectPageHeaders, portal: expectPortalHeaders };
  check[spec.surface ?? 'api'](response);
}

/** Expects the common headers of an error, and that it is never cached. */
export function expectErrorHeaders({ spec }: Endpoint, response: TestResponse): void {
  if (spec.surface === 'portal') expectPortalHeaders(response);
  else expectApiHeaders(response);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('ETag')).toBeNull();
}

/** Pages with a nonce differ in each response, so they have no ETag. */
export const hasNonce = ({ spec }: Endpoint) => spec.access.kind === 'page';
/** Preconditions apply to responses that would be 2xx. */
export const isRedirect = ({ spec }: Endpoint) => (spec.ok.status ?? 200) >= 300;
/** Whether the responses of an endpoint have an ETag. */
export const isRead = (endpoint: Endpoint) =>
  endpoint.spec.method === 'get' && !endpoint.spec.streams && !hasNonce(endpoint) && !isRedirect(endpoint);

/** A credential that the endpoint accepts; null if none is needed. */
export async function admittedCredential(endpoint: Endpoint): Promise<Credential | null> {
  const { access, method } = endpoint.spec;
  return ignoresCredentials(access) ? null : credentialFor(admittedName(access), scopeOf(access), method);
}

/** Prepares valid input and an accepted credential, to send several requests that do not need data of their own. `extra`: see `validRequest`. */
export async function prepareValid(
  endpoint: Endpoint,
  extra: readonly string[] = [],
  now?: number,
): Promise<(changes?: CallOptions) => Promise<TestResponse>> {
  const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
  const { path, options } = await validRequest(endpoint, extra, now);
  return (changes = {}) => call(path, { ...options, authorization, ...changes, headers: { ...options.headers, ...changes.headers } });
}

/** Calls an endpoint with valid input and an accepted credential. `extra`: optional parameters to add. */
export async function callValid(endpoint: Endpoint, changes: CallOptions = {}, extra: readonly string[] = []): Promise<TestResponse> {
  return (await prepareValid(endpoint, extra, changes.now))(changes);
}

/** Expects that the document declares the status and the error code. */
export function expectDocumented(endpoint: Endpoint, response: TestResponse): void {
  const { operation } = operationOf(endpoint);
  const declared = operation.responses?.[response.status];
  expect(declared, `${titleOf(endpoint)} does not document ${response.status}: ${response.text.slice(0, 300)}`).toBeDefined();
  if (!declared || response.status < 400) return;
  const declaredResponse = resolved(FULL_DOCUMENT, declared);
  const schema = declaredResponse.content?.['application/json']?.schema ?? {};
  expect(schemaProblems(FULL_DOCUMENT, schema, JSON.parse(response.text)), `${codeOf(response)} as ${response.status}`).toEqual([]);
  expect(declaredResponse['x-error-codes'], `${titleOf(endpoint)} as ${response.status}`).toContain(codeOf(response));
}

/** Checks of table rows by media type. */
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

/** Expects that the body matches the route's declaration and the document, without additional fields. */
export function expectDeclaredBody(endpoint: Endpoint, response: TestResponse): void {
  const { ok } = endpoint.spec;
  const type = (response.headers.get('Content-Type') ?? '').split(';')[0] ?? '';
  const { content = {} } = operationOf(endpoint).operation.responses?.[response.status] ?? {};
  if ('contentTypes' in ok) {
    const isWithoutBody = ok.contentTypes.length === 0 || Object.hasOwn(ok.otherStatuses ?? {}, response.status);
    if (isWithoutBody) expect([type, response.bytes.byteLength]).toEqual(['', 0]);
    else expect(ok.contentTypes.includes('*/*') || ok.contentTypes.includes(type), `undeclared content type ${type}`).toBe(true);
    return;
  }
  const { table } = endpoint.spec;
  if (table && Object.hasOwn(TABLE_ROWS, type)) {
    expect(content).toHaveProperty([type]);
    TABLE_ROWS[type]?.(response.text, table);
    return;
  }
  expect(response.headers.get('Content-Type')).toBe('application/json');
  const body: unknown = JSON.parse(response.text);
  const parsed = (ok.schema as z.ZodType).safeParse(body);
  expect(parsed.error?.issues ?? []).toEqual([]);
  expect(parsed.data).toEqual(body);
  expect(schemaProblems(FULL_DOCUMENT, content[type]?.schema ?? {}, body)).toEqual([]);
}
