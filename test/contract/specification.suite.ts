import { describe, expect, it } from 'vitest';
import { FULL_DOCUMENT } from '../support/documents.ts';
import { bearer, call, FIRST_INSTANT, type TestResponse } from '../support/requests.ts';
import { createSuperuserToken, createToken } from '../support/tokens.ts';
import { prepare } from './prepare.ts';
import { accessStatements } from './specification/access.data.ts';
import { calculatorStatements } from './specification/calculators.data.ts';
import { resourceStatements } from './specification/resources.data.ts';
import { rotationStatements } from './specification/rotations.data.ts';
import { ruleStatements } from './specification/rules.data.ts';
import type { Client, SpecifiedRequest, Statement } from './specification/statement.ts';

await prepare();

/** The normative sentences of the specification, by section. */
const SECTIONS: Readonly<Record<string, readonly Statement[]>> = {
  rotations: rotationStatements,
  'feeds, mods, updates, codexes and releases': resourceStatements,
  'stats, gems and misc': calculatorStatements,
  'scopes and authentication': accessStatements,
  'errors, limits, events and versioning': ruleStatements,
};

let clients = 0;

async function authorizationOf(client: Client): Promise<string | null> {
  if (client === 'anonymous') return null;
  if (typeof client === 'object') return client.authorization;
  if (client === 'superuser') return bearer(await createSuperuserToken());
  return bearer(await createToken({ scopes: client === 'token' ? 0 : client }));
}

/** Sends a request from an address of its own, because rate limits count per address. */
async function send({ path, client = 'anonymous', body, ...request }: SpecifiedRequest): Promise<TestResponse> {
  clients += 1;
  const { headers, ...options } = request;
  return call(path, {
    now: FIRST_INSTANT,
    ...options,
    address: `10.77.${clients >> 8}.${clients & 255}`,
    authorization: await authorizationOf(client),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
  });
}

const sent = new Map<string, Promise<TestResponse>>();

/** Statements about the same response share one request. */
function responseTo(request: Statement['request']): Promise<TestResponse> {
  const key = JSON.stringify(request);
  const known = sent.get(key) ?? send(typeof request === 'string' ? { path: request } : request);
  sent.set(key, known);
  return known;
}

function jsonOf({ text }: TestResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function hasField(value: unknown, path: string): boolean {
  let current = value;
  for (const step of path.split('.')) {
    if (typeof current !== 'object' || current === null || !(step in current)) return false;
    current = (current as Record<string, unknown>)[step];
  }
  return true;
}

type Schema = { [key: string]: unknown } & { properties?: Record<string, Schema>; items?: Schema };

/** Schemas that a schema refers to: itself, its target, its alternatives. */
function alternativesOf(schema: Schema): Schema[] {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  const target = name === undefined ? undefined : (FULL_DOCUMENT.components?.schemas?.[name] as Schema | undefined);
  const nested = [target, ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] as Schema[] | undefined) ?? [])];
  return [schema, ...nested.flatMap((one) => (one ? alternativesOf(one) : []))];
}

/** True if the documented body has the field. Arrays are entered without a step. */
function documentsField(schema: Schema, steps: readonly string[]): boolean {
  return alternativesOf(schema).some((one) => {
    if (one.items) return documentsField(one.items, steps);
    const [step = '', ...rest] = steps;
    const property = one.properties?.[step];
    return property !== undefined && (rest.length === 0 || documentsField(property, rest));
  });
}

function documentedBody(request: Statement['request']): Schema {
  const { path, method = 'GET' } = typeof request === 'string' ? { path: request } : request;
  const paths = FULL_DOCUMENT.paths as Record<string, Record<string, { responses?: Record<string, Schema> }>>;
  const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {};
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const content = success?.[1].content as Record<string, { schema?: Schema }> | undefined;
  return content?.['application/json']?.schema ?? {};
}

describe.each(Object.entries(SECTIONS))('specification: %s', (_, statements) => {
  it.each(statements)('$quote', async ({ request, status = 200, has = [], body, headers = {}, check, documents }) => {
    if (documents !== undefined) {
      expect(documentsField(documentedBody(request), documents.split('.')), documents).toBe(true);
      return;
    }
    const response = await responseTo(request);
    const json = jsonOf(response);
    expect(response.status, response.text.slice(0, 300)).toBe(status);
    for (const path of has) expect(hasField(json, path), `${path} in ${response.text.slice(0, 300)}`).toBe(true);
    if (body !== undefined) expect(json).toMatchObject(body as object);
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name), name).toMatch(value);
    check?.(response, json);
  });
});

describe('specification', () => {
  const all = Object.values(SECTIONS).flat();

  it('has at least 300 statements, each with its own words', () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(new Set(all.map(({ quote }) => quote)).size).toBe(all.length);
  });
});
