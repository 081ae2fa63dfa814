import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LocatedOperation, type OpenApiDocument, operationsIn } from '../../scripts/lib/openapi/openapi-model.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { isForBrowsers } from '../../src/platform/http/pipeline/pipeline.ts';
import { FULL_DOCUMENT, operationOf } from '../support/documents.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { call, freshInstant, type TestResponse } from '../support/requests.ts';
import { sampleRequest } from '../support/samples.ts';
import { storedState } from '../support/storage.ts';
import { admittedName, isUncounted, outcomeFor } from './access-checks.ts';
import { admittedCredential, callValid, expectDeclaredBody, expectDocumented, REQUEST_ID } from './conformance-checks.ts';
import type { Credential } from './credentials.ts';
import { RATE_LIMITS } from './declarations.data.ts';
import { type BodyPlan, bodyOf, bodyPlan, EDGE_BODIES } from './fuzz-bodies.ts';
import { inUrl, junkHeaders, matchesTemplate, type RequestPlan, requestPlan, unknownKey } from './fuzz-requests.ts';
import { EDGE_TEXTS, junkText } from './fuzz-texts.ts';
import { validRequest } from './inputs.ts';
import { prepare } from './prepare.ts';
import { codeOf, rateOf } from './responses.ts';
import { TESTED } from './tested.ts';

await prepare();

/** Factor of the runs in `npm run test:long`. */
const SCALE = Number(env.FUZZ_SCALE ?? 1);
const SEED = Number(env.FUZZ_SEED ?? 20260310);
const TIMEOUT = 30_000 * SCALE;

const published: OpenApiDocument = JSON.parse((await call('/openapi.json')).text);
const hidden = ENDPOINTS.filter(({ spec }) => spec.hidden).map((endpoint) => ({ document: FULL_DOCUMENT, located: operationOf(endpoint) }));

/** All operations, of the published document and hidden ones. */
const OPERATIONS = [...operationsIn(published).map((located) => ({ document: published, located })), ...hidden]
  .map((operation) => {
    const endpoint = endpointOf(operation.located);
    return { ...operation, endpoint, title: titleOf(endpoint) };
  })
  .filter(({ endpoint }) => TESTED.includes(endpoint));

/** Inputs per operation, so that the total does not depend on the number of operations. */
const RUNS = Math.max(4, Math.round(800 / ENDPOINTS.length)) * SCALE;

function endpointOf({ method, path }: LocatedOperation): Endpoint {
  const endpoint = ENDPOINTS.find(({ spec }) => spec.method === method && spec.path === path);
  if (!endpoint) throw new Error(`${method} ${path} is documented but not registered`);
  return endpoint;
}

/** Settings of a property. Each has its own seed, so that similar operations get different input. */
function runs(title: string, numRuns: number = RUNS) {
  const seed = [...title].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) | 0, SEED);
  return { seed, numRuns };
}

let sent = 0;

/**
 * One credential for each operation until a request ends it. A session for each request would leave thousands of open objects, more
 * than a process may have open files.
 */
const admitted = new Map<Endpoint, Promise<Credential | null>>();

function keptCredential(endpoint: Endpoint): Promise<Credential | null> {
  const credential = admitted.get(endpoint) ?? admittedCredential(endpoint);
  admitted.set(endpoint, credential);
  return credential;
}

/** Sends a planned request. A request with an invalid clock counts in real time, so it comes from a new address. */
async function send(endpoint: Endpoint, { path, isAdmitted, headers, body }: RequestPlan): Promise<TestResponse> {
  const credential = isAdmitted ? await keptCredential(endpoint) : null;
  sent += 1;
  const address = headers['X-Test-Now'] === undefined ? undefined : `10.77.${(sent >> 8) & 255}.${sent & 255}`;
  const response = await call(path, {
    method: endpoint.spec.method.toUpperCase(),
    authorization: credential?.authorization ?? null,
    ...(address === undefined ? {} : { address }),
    headers,
    body: body && bodyOf(body),
  });
  if (response.status === 401) admitted.delete(endpoint);
  return { ...response, now: Date.parse(response.headers.get('Date') ?? '') / 1000 };
}

/** Expects the invariants of every response. */
function expectInvariants(
  endpoint: Endpoint,
  response: TestResponse,
  { path, headers }: Pick<RequestPlan, 'path' | 'headers'>,
  route: string,
): void {
  expect(response.status, response.text.slice(0, 500)).toBeLessThan(500);
  expect(response.headers.get('X-Request-ID')).toMatch(REQUEST_ID);
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  const code = codeOf(response);
  if (!matchesTemplate(route, path)) return;
  expectDocumented(endpoint, response);
  if (response.status < 300) expectDeclaredBody(endpoint, response);
  // The pipeline refuses a cross-site write of a browser before it counts it.
  const isForeign = code === 'forbidden' && headers.Origin !== undefined && isForBrowsers(endpoint.spec.surface);
  // The handler of an `address` endpoint may refuse a counted request.
  const isRefused = isFreeCode(code) && endpoint.spec.access.kind !== 'address';
  expectCounted(endpoint, response, isForeign || isRefused);
}

const isFreeCode = (code: string | null) => code === 'not_authenticated' || code === 'ip_not_allowed';

/** Expects rate limit headers exactly if the request was counted. */
function expectCounted(endpoint: Endpoint, response: TestResponse, isFree: boolean): void {
  const rate = rateOf(response);
  if (response.status !== 413)
    expect(rate === null, `${response.status} ${response.text.slice(0, 200)}`).toBe(isUncounted(endpoint) || isFree);
}

const FINITE = OPERATIONS.filter(({ endpoint }) => !endpoint.spec.streams);

describe.each(FINITE)('$title', ({ title, document, located, endpoint }) => {
  it('returns a documented response, never 500, for random requests', { timeout: TIMEOUT }, async () => {
    await fc.assert(
      fc.asyncProperty(requestPlan(document, located), async (plan) => {
        expectInvariants(endpoint, await send(endpoint, plan), plan, located.path);
      }),
      runs(title),
    );
  });
});

/** Each edge text is tested on one endpoint in so many, or on all in `npm run test:long`. */
const ENDPOINTS_PER_TEXT = 24;

/** The edge texts for an endpoint. */
function edgeTextsOf(place: number): string[] {
  return EDGE_TEXTS.filter((_, index) => SCALE > 1 || (index + place) % ENDPOINTS_PER_TEXT === 0).map((edge) => edge.toWellFormed());
}

/** Operations with parameters in the URL; `sampleRequest` sends no others. */
const WITH_PARAMETERS = FINITE.filter(({ located }) => located.parameters.some((parameter) => parameter.in !== 'header')).map(
  (operation, place) => ({ ...operation, place }),
);

describe.each(WITH_PARAMETERS)('$title', ({ located, endpoint, place }) => {
  it('does not return 500 for texts that commonly break parsers', { timeout: TIMEOUT }, async () => {
    for (const text of edgeTextsOf(place)) {
      const values = Object.fromEntries(located.parameters.map(({ name }) => [name, text]));
      const { path } = sampleRequest(FULL_DOCUMENT, located, { parameters: values });
      const plan = { path, isAdmitted: true, headers: {}, body: null };
      expectInvariants(endpoint, await send(endpoint, plan), plan, located.path);
    }
  });
});

/** Requests that an endpoint accepts in one window. */
function rateLimitOf(endpoint: Endpoint): number {
  const { access } = endpoint.spec;
  return Math.min(...outcomeFor(access, admittedName(access)).charges.map((name) => RATE_LIMITS[name].limit));
}

/** Status and text without the nonce, which differs in each response. */
const comparable = ({ status, text }: { status: number; text: string }) => ({ status, text: text.replaceAll(/ nonce="[^"]*"/g, '') });

describe.each(FINITE.filter(({ located }) => located.method === 'get'))('$title', ({ title, endpoint }) => {
  it('ignores unknown query parameters', { timeout: TIMEOUT }, async () => {
    const { path } = await validRequest(endpoint);
    const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
    const now = freshInstant();
    const read = async (query: string) => comparable(await call(`${path}${query}`, { authorization, now }));
    const separator = path.includes('?') ? '&' : '?';
    let plain = await read('');
    await fc.assert(
      fc.asyncProperty(fc.tuple(unknownKey, unknownKey), async (pairs) => {
        const query = separator + pairs.join('&');
        let response = await read(query);
        // A cache of the isolate that was read again in between: both responses are of the new state then.
        if (response.text !== plain.text) [plain, response] = [await read(''), await read(query)];
        expect(response).toEqual(plain);
      }),
      runs(title, Math.min(SCALE, 100, rateLimitOf(endpoint) - 1)),
    );
  });
});

const INSERTS = OPERATIONS.filter(({ endpoint }) => endpoint.spec.access.kind === 'master' && endpoint.spec.body);

/** Each edge body is tested on one insert in four, or on all in `npm run test:long`. */
const INSERTS_PER_EDGE = 4;

describe.each(INSERTS.map((insert, place) => ({ ...insert, place })))(
  '$title, refused',
  ({ title, document, located, endpoint, place }) => {
    const media = located.operation.requestBody?.content?.['application/json'];

    /** Reads the stored state once for all bodies. Each has a window of its own, so that a valid body tells whether it started the cooldown. */
    async function expectUntouched(...plans: BodyPlan[]): Promise<void> {
      const before = await storedState();
      const instants: number[] = [];
      for (const plan of plans) {
        const now = freshInstant();
        const refused = await callValid(endpoint, { now, body: bodyOf(plan) });
        if (refused.status < 300) {
          expect(plans, 'only a random body may be valid').toHaveLength(1);
          return;
        }
        expectInvariants(endpoint, refused, { path: located.path, headers: {} }, located.path);
        instants.push(now);
      }
      expect(await storedState()).toBe(before);
      const success = endpoint.spec.ok.status ?? 200;
      for (const now of instants) expect((await callValid(endpoint, { now })).status, 'the cooldown was not started').toBe(success);
    }

    it('stores nothing and keeps the cooldown available for random invalid bodies', { timeout: TIMEOUT }, async () => {
      await fc.assert(
        fc.asyncProperty(bodyPlan(document, media), (plan) => expectUntouched(plan)),
        runs(`${title} refused`, Math.ceil(RUNS / 2)),
      );
    });

    it('stores nothing for bodies that are invalid for every operation', { timeout: TIMEOUT }, async () => {
      await expectUntouched(...EDGE_BODIES.filter((_, index) => SCALE > 1 || (index + place) % INSERTS_PER_EDGE === 0));
    });

    it('stores nothing for a body of 9 MiB', async () => {
      await expectUntouched({ kind: 'repeated', prefix: '{"name":"', unit: 'x', count: 9 * 1024 * 1024, suffix: '"}' });
    });
  },
);

describe('an unknown or malformed path', () => {
  const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');
  const segments = fc.array(fc.oneof(fc.constantFrom('v1', 'rotations', 'server-time', 'docs'), inUrl(junkText)), { maxLength: 5 });

  it('returns an error body', { timeout: TIMEOUT }, async () => {
    await fc.assert(
      fc.asyncProperty(methods, segments, junkHeaders, async (method, parts, headers) => {
        const response = await call(`/${parts.join('/')}`, { method, headers });
        expect(response.status).toBeLessThan(500);
        expect(response.headers.get('X-Request-ID')).toMatch(REQUEST_ID);
        if (method !== 'HEAD') codeOf(response);
      }),
      runs('nowhere', 150 * SCALE),
    );
  });
});
