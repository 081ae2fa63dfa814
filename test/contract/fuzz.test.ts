import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LocatedOperation, type OpenApiDocument, operationsIn } from '../../scripts/lib/openapi/openapi-model.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { FULL_DOCUMENT, operationOf } from '../support/documents.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { type Answer, call, freshInstant } from '../support/requests.ts';
import { sampleRequest } from '../support/samples.ts';
import { storedState } from '../support/storage.ts';
import { bucketOf, classOf, isUncounted } from './access-checks.ts';
import { BUDGETS, outcomeFor } from './access-table.data.ts';
import { codeOf, rateOf } from './answers.ts';
import { admittedCredential, admittedKind, callValid, expectDeclaredBody, expectDocumented, REQUEST_ID } from './conformance-checks.ts';
import { type BodyPlan, bodyOf, bodyPlan, EDGE_BODIES } from './fuzz-bodies.ts';
import { inAddress, junkHeaders, leadsTo, type RequestPlan, requestPlan, unknownKey } from './fuzz-requests.ts';
import { EDGE_TEXTS, junkText } from './fuzz-texts.ts';
import { validRequest } from './inputs.ts';
import './prepare.ts';

/** `npm run test:long` multiplies the runs, and may start elsewhere. */
const SCALE = Number(env.FUZZ_SCALE ?? 1);
const SEED = Number(env.FUZZ_SEED ?? 20260310);
const TIMEOUT = 30_000 * SCALE;

const published: OpenApiDocument = JSON.parse((await call('/openapi.json')).text);
const hidden = ENDPOINTS.filter(({ spec }) => spec.hidden).map((endpoint) => ({ document: FULL_DOCUMENT, located: operationOf(endpoint) }));

/** Every operation of the document as clients get it, and those that are left out of it. */
const OPERATIONS = [...operationsIn(published).map((located) => ({ document: published, located })), ...hidden].map((operation) => {
  const endpoint = endpointOf(operation.located);
  return { ...operation, endpoint, title: titleOf(endpoint) };
});

/** Inputs for each operation: so many that all operations together take about the same time however many there are. */
const RUNS = Math.max(4, Math.round(800 / OPERATIONS.length)) * SCALE;

function endpointOf({ method, path }: LocatedOperation): Endpoint {
  const endpoint = ENDPOINTS.find(({ spec }) => spec.method === method && spec.path === path);
  if (!endpoint) throw new Error(`${method} ${path} is documented but not registered`);
  return endpoint;
}

/** Settings of a property. Each has a seed of its own, lest alike operations get the same input. */
function runs(title: string, numRuns: number = RUNS) {
  const seed = [...title].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) | 0, SEED);
  return { seed, numRuns };
}

let strangers = 0;

/** Sends what was planned. Without a usable clock the real one counts, so such a request comes from an address of its own. */
async function send(endpoint: Endpoint, { path, isAdmitted, headers, body }: RequestPlan): Promise<Answer> {
  const credential = isAdmitted ? await admittedCredential(endpoint) : null;
  strangers += 1;
  const address = headers['X-Test-Now'] === undefined ? undefined : `10.77.${(strangers >> 8) & 255}.${strangers & 255}`;
  const answer = await call(path, {
    method: endpoint.spec.method.toUpperCase(),
    authorization: credential?.authorization ?? null,
    ...(address === undefined ? {} : { address }),
    headers,
    body: body && bodyOf(body),
  });
  return { ...answer, now: Date.parse(answer.headers.get('Date') ?? '') / 1000 };
}

/** What holds for any answer to any request. */
function expectHonest(endpoint: Endpoint, answer: Answer, { path, headers }: Pick<RequestPlan, 'path' | 'headers'>, route: string): void {
  expect(answer.status, answer.text.slice(0, 500)).toBeLessThan(500);
  expect(answer.headers.get('X-Request-ID')).toMatch(REQUEST_ID);
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
  const code = codeOf(answer);
  if (!leadsTo(route, path)) return;
  expectDocumented(endpoint, answer);
  if (answer.status < 300) expectDeclaredBody(endpoint, answer);
  // A write of another site's page is refused before it is charged.
  const isForeign = code === 'forbidden' && headers.Origin !== undefined;
  expectCounted(endpoint, answer, isForeign || isFreeCode(code));
}

const isFreeCode = (code: string | null) => code === 'not_authenticated' || code === 'ip_not_allowed';

/** The headers of a budget whenever one was charged, and only then. */
function expectCounted(endpoint: Endpoint, answer: Answer, isFreeAnswer: boolean): void {
  const rate = rateOf(answer);
  if (answer.status !== 413)
    expect(rate === null, `${answer.status} ${answer.text.slice(0, 200)}`).toBe(isUncounted(endpoint) || isFreeAnswer);
}

const FINITE = OPERATIONS.filter(({ endpoint }) => !endpoint.spec.streams);

describe.each(FINITE)('$title', ({ title, document, located, endpoint }) => {
  it('returns a documented response, never 500, for random requests', { timeout: TIMEOUT }, async () => {
    await fc.assert(
      fc.asyncProperty(requestPlan(document, located), async (plan) => {
        expectHonest(endpoint, await send(endpoint, plan), plan, located.path);
      }),
      runs(title),
    );
  });
});

/** Of the texts that have broken others, those of an endpoint: each text is tried on one endpoint in twelve, on all by `npm run test:long`. */
function edgeTextsOf(place: number): string[] {
  return EDGE_TEXTS.filter((_, index) => SCALE > 1 || (index + place) % 12 === 0).map((edge) => edge.toWellFormed());
}

const WITH_PARAMETERS = FINITE.filter(({ located }) => located.parameters.length > 0).map((operation, place) => ({ ...operation, place }));

describe.each(WITH_PARAMETERS)('$title', ({ located, endpoint, place }) => {
  it('does not return 500 for texts that commonly break parsers', { timeout: TIMEOUT }, async () => {
    for (const text of edgeTextsOf(place)) {
      const values = Object.fromEntries(located.parameters.map(({ name }) => [name, text]));
      const { path } = sampleRequest(FULL_DOCUMENT, located, { parameters: values });
      const plan = { path, isAdmitted: true, headers: {}, body: null };
      expectHonest(endpoint, await send(endpoint, plan), plan, located.path);
    }
  });
});

/** Requests in one window that an endpoint lets through. */
function budgetOf(endpoint: Endpoint): number {
  const { access } = endpoint.spec;
  const bucket = bucketOf(access, outcomeFor(classOf(access), admittedKind(endpoint)));
  return bucket === null ? Number.POSITIVE_INFINITY : BUDGETS[bucket].limit;
}

/** What an answer says: the nonce of a page's scripts is a new one each time. */
const told = ({ status, text }: { status: number; text: string }) => ({ status, text: text.replaceAll(/ nonce="[^"]*"/g, '') });

describe.each(FINITE.filter(({ located }) => located.method === 'get'))('$title', ({ title, endpoint }) => {
  it('ignores unknown query parameters', { timeout: TIMEOUT }, async () => {
    const { path } = await validRequest(endpoint);
    const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
    const now = freshInstant();
    const plain = await call(path, { authorization, now });
    await fc.assert(
      fc.asyncProperty(unknownKey, async (pair) => {
        const answer = await call(`${path}${path.includes('?') ? '&' : '?'}${pair}`, { authorization, now });
        expect(told(answer)).toEqual(told(plain));
      }),
      runs(title, Math.min(5 * SCALE, 100, budgetOf(endpoint) - 1)),
    );
  });
});

const INSERTS = OPERATIONS.filter(({ endpoint }) => endpoint.spec.access.kind === 'master' && endpoint.spec.body);

describe.each(INSERTS)('$title, refused', ({ title, document, located, endpoint }) => {
  const media = located.operation.requestBody?.content?.['application/json'];

  async function expectUntouched(plan: BodyPlan): Promise<void> {
    const now = freshInstant();
    const before = await storedState();
    const refused = await callValid(endpoint, { now, body: bodyOf(plan) });
    if (refused.status < 300) return;
    expectHonest(endpoint, refused, { path: located.path, headers: {} }, located.path);
    expect(await storedState()).toBe(before);
    expect((await callValid(endpoint, { now })).status, 'the cooldown was spent').toBe(endpoint.spec.ok.status ?? 200);
  }

  it('stores nothing and keeps the cooldown available for random invalid bodies', { timeout: TIMEOUT }, async () => {
    await fc.assert(fc.asyncProperty(bodyPlan(document, media), expectUntouched), runs(`${title} refused`, Math.ceil(RUNS / 2)));
  });

  it.each(EDGE_BODIES)('stores nothing for $kind %#', async (plan) => {
    await expectUntouched(plan);
  });

  it('stores nothing for a body of 9 MiB', async () => {
    await expectUntouched({ kind: 'repeated', prefix: '{"name":"', unit: 'x', count: 9 * 1024 * 1024, suffix: '"}' });
  });
});

describe('unknown and malformed paths', () => {
  const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');
  const segments = fc.array(fc.oneof(fc.constantFrom('v1', 'rotations', 'server-time', 'docs'), inAddress(junkText)), { maxLength: 5 });

  it('return an error envelope', { timeout: TIMEOUT }, async () => {
    await fc.assert(
      fc.asyncProperty(methods, segments, junkHeaders, async (method, parts, headers) => {
        const answer = await call(`/${parts.join('/')}`, { method, headers });
        expect(answer.status).toBeLessThan(500);
        expect(answer.headers.get('X-Request-ID')).toMatch(REQUEST_ID);
        if (method !== 'HEAD') codeOf(answer);
      }),
      runs('nowhere', 150 * SCALE),
    );
  });
});
