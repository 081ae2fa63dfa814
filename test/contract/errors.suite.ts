import { describe, expect, it } from 'vitest';
import { resolved } from '../../scripts/lib/openapi/openapi-model.ts';
import { bodyLimitOf, sizeText } from '../../src/platform/http/bodies/body.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { FULL_DOCUMENT, operationOf } from '../support/documents.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { call, HOME_ADDRESS, type TestResponse } from '../support/requests.ts';
import { isUncounted, onlyUsed, usedRateLimits } from './access-checks.ts';
import { admittedCredential, callValid, expectDocumented, expectErrorHeaders, prepareValid } from './conformance-checks.ts';
import { plainRequest, validRequest } from './inputs.ts';
import { prepare } from './prepare.ts';
import { codeOf, errorOf, rateOf } from './responses.ts';
import { IS_LONG_RUN, shareOf } from './share.ts';
import { TESTED } from './tested.ts';

await prepare();

const named = (endpoints: readonly Endpoint[]) => endpoints.map((endpoint) => ({ title: titleOf(endpoint), endpoint }));
const NOBODY = { authorization: null, address: HOME_ADDRESS, isValidToken: false };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Expects an error body with the common headers and `no-store`. */
function expectError(endpoint: Endpoint, response: TestResponse, status: number, code: string, input = ''): void {
  expect({ status: response.status, code: codeOf(response) }, `${input} ${response.text.slice(0, 500)}`).toEqual({ status, code });
  expectErrorHeaders(endpoint, response);
}

/** Like `expectError`; the error must also be documented, and counted if the operation is. */
function expectOperationError(endpoint: Endpoint, response: TestResponse, status: number, code: string, input?: string): void {
  expectError(endpoint, response, status, code, input);
  expectDocumented(endpoint, response);
  const isCharged = !isUncounted(endpoint) && code !== 'not_authenticated';
  expect(rateOf(response) !== null, 'rate headers').toBe(isCharged);
}

const withQuery = TESTED.flatMap((endpoint) => {
  const first = operationOf(endpoint).parameters.find((parameter) => parameter.in === 'query');
  return first ? [{ title: titleOf(endpoint), endpoint, parameter: first.name }] : [];
});

describe.each(withQuery)('$title', ({ endpoint, parameter }) => {
  it('returns 422 with the name of a repeated query parameter', async () => {
    const { path, options } = await validRequest(endpoint);
    const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
    const separator = path.includes('?') ? '&' : '?';
    const response = await call(`${path}${separator}${parameter}=1&${parameter}=1`, { ...options, authorization });
    expectOperationError(endpoint, response, 422, 'validation_error');
    const problems = errorOf(response).details as { loc: unknown[]; msg: string; type: string }[];
    expect(problems[0]).toMatchObject({ loc: ['query', parameter], msg: expect.any(String), type: 'repeated' });
  });
});

/** Bodies that count as absent, which are allowed if every field is optional. */
const ABSENT_BODIES = ['', 'null'];

/** Bodies that are not JSON objects, with the expected error. */
const BAD_BODIES: { title: string; body: string | Uint8Array; headers?: Record<string, string>; status: number; code: string }[] = [
  { title: 'an empty body', body: '', status: 400, code: 'bad_request' },
  { title: 'a truncated body', body: '{"name":', status: 400, code: 'bad_request' },
  { title: 'invalid UTF-8', body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]), status: 400, code: 'bad_request' },
  { title: 'another content type', body: '{}', headers: { 'Content-Type': 'text/plain' }, status: 400, code: 'bad_request' },
  { title: 'null', body: 'null', status: 422, code: 'validation_error' },
  { title: 'an array', body: '[]', status: 422, code: 'validation_error' },
  { title: 'a string', body: '"name"', status: 422, code: 'validation_error' },
];

describe.each(named(TESTED.filter(({ spec }) => spec.body !== undefined)))('the body of $title', ({ endpoint }) => {
  const place = ENDPOINTS.indexOf(endpoint);
  const { bodyIsOptional = false } = endpoint.spec;
  const isAbsent = (body: string | Uint8Array) => typeof body === 'string' && ABSENT_BODIES.includes(body);

  it.each(bodyIsOptional ? ABSENT_BODIES : [])('is optional and may be %j', async (body) => {
    expect((await callValid(endpoint, { body, headers: JSON_TYPE })).status).toBe(endpoint.spec.ok.status ?? 200);
  });

  it('must be a JSON object', async () => {
    const bad = BAD_BODIES.filter(({ body }) => !(bodyIsOptional && isAbsent(body)));
    const send = await prepareValid(endpoint);
    for (const of of [400, 422]) {
      const kind = bad.filter(({ status }) => status === of);
      for (const { title, body, headers = JSON_TYPE, status, code } of shareOf(place, kind)) {
        expectOperationError(endpoint, await send({ body, headers }), status, code, title);
      }
    }
  });
});

/** Replaces `it` if a rule is proven by another endpoint. */
const never = () => {};

/** One endpoint of each limit and content type: their bodies are read by the same code. */
const READ_TO_LIMIT = new Set(
  new Map(
    TESTED.filter(({ spec }) => spec.body ?? spec.rawBody).map((one) => [
      `${bodyLimitOf(one.spec)} ${one.spec.rawBody?.contentTypes[0]} ${one.spec.surface} ${one.spec.access.kind}`,
      one,
    ]),
  ).values(),
);

describe.each(named(TESTED.filter(({ spec }) => spec.body ?? spec.rawBody)))('the size of the body of $title', ({ endpoint }) => {
  const limit = bodyLimitOf(endpoint.spec);
  const isRead = IS_LONG_RUN || READ_TO_LIMIT.has(endpoint);

  it('is limited to the documented maximum', () => {
    const declared = operationOf(endpoint).operation.responses?.[413];
    expect(declared && resolved(FULL_DOCUMENT, declared).description).toBe(`The body is larger than ${sizeText(limit)}.`);
  });

  it('returns 413 for an oversized Content-Length without counting the request', async () => {
    const { path, options } = plainRequest(endpoint);
    // Refused by its headers: neither a credential nor the body is read.
    const headers = { ...JSON_TYPE, 'Content-Length': String(limit + 1) };
    const response = await call(path, { ...options, body: '{}', headers });
    expectError(endpoint, response, 413, 'bad_request');
    expectDocumented(endpoint, response);
    expect(rateOf(response)).toBeNull();
    if (isRead) expect(await usedRateLimits(NOBODY, response.now)).toEqual(onlyUsed([], 0, NOBODY));
  });

  const type = endpoint.spec.rawBody?.contentTypes[0];

  (isRead ? it : never)('returns 413 while reading an oversized body without Content-Length', async () => {
    const headers = type === undefined ? JSON_TYPE : { 'Content-Type': type.startsWith('multipart/') ? `${type}; boundary=x` : type };
    const response = await callValid(endpoint, { body: chunked(limit + 1), headers });
    if (type === undefined) expectOperationError(endpoint, response, 413, 'bad_request');
    // A body that is parsed while it is read may be refused for its content first.
    else expect([400, 413, 422]).toContain(response.status);
    expectDocumented(endpoint, response);
  });
});

/** A body of spaces, in chunks and without a declared length. */
function chunked(length: number): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(256 * 1024).fill(0x20);
  let left = length;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(piece.subarray(0, Math.min(left, piece.byteLength)));
      left -= piece.byteLength;
      if (left <= 0) controller.close();
    },
  });
}
