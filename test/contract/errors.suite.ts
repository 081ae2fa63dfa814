import { describe, expect, it } from 'vitest';
import { resolved } from '../../scripts/lib/openapi/openapi-model.ts';
import { bodyLimitOf, sizeText } from '../../src/platform/http/body-limit.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { FULL_DOCUMENT, operationOf } from '../support/documents.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { type Answer, call, HOME_ADDRESS } from '../support/requests.ts';
import { isUncounted, onlyUsed, usedBudgets } from './access-checks.ts';
import { codeOf, errorOf, rateOf } from './answers.ts';
import {
  admittedCredential,
  callValid,
  expectApiHeaders,
  expectDocumented,
  expectPortalHeaders,
  isForAnyone,
} from './conformance-checks.ts';
import { validRequest } from './inputs.ts';
import './prepare.ts';

const named = (endpoints: readonly Endpoint[]) => endpoints.map((endpoint) => ({ title: titleOf(endpoint), endpoint }));
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** An error in the envelope, with the headers of every answer, and never kept. */
function expectError(endpoint: Endpoint, answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: codeOf(answer) }, answer.text.slice(0, 500)).toEqual({ status, code });
  if (endpoint.spec.surface === 'portal') expectPortalHeaders(answer);
  else expectApiHeaders(answer);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('ETag')).toBeNull();
}

/** An error of an operation: as `expectError`, documented, and counted where the operation is. */
function expectOperationError(endpoint: Endpoint, answer: Answer, status: number, code: string): void {
  expectError(endpoint, answer, status, code);
  expectDocumented(endpoint, answer);
  const isCharged = !isUncounted(endpoint) && code !== 'not_authenticated';
  expect(rateOf(answer) !== null, 'rate headers').toBe(isCharged);
}

describe.each(named(ENDPOINTS.filter((endpoint) => !isForAnyone(endpoint))))('$title', ({ endpoint }) => {
  it('returns 401 for a malformed credential', async () => {
    const answer = await callValid(endpoint, { authorization: 'Bearer broken' });
    expectOperationError(endpoint, answer, 401, 'not_authenticated');
  });
});

const withQuery = ENDPOINTS.flatMap((endpoint) => {
  const first = operationOf(endpoint).parameters.find((parameter) => parameter.in === 'query');
  return first ? [{ title: titleOf(endpoint), endpoint, parameter: first.name }] : [];
});

describe.each(withQuery)('$title', ({ endpoint, parameter }) => {
  it('returns 422 with the name of a repeated query parameter', async () => {
    const { path, options } = await validRequest(endpoint);
    const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
    const separator = path.includes('?') ? '&' : '?';
    const answer = await call(`${path}${separator}${parameter}=1&${parameter}=1`, { ...options, authorization });
    expectOperationError(endpoint, answer, 422, 'validation_error');
    const problems = errorOf(answer).details as { loc: unknown[]; msg: string; type: string }[];
    expect(problems[0]).toMatchObject({ loc: ['query', parameter], msg: expect.any(String), type: 'repeated' });
  });
});

/** Bodies that count as none. Where every field is optional, none will do. */
const ABSENT_BODIES = ['', 'null'];

/** Bodies that are no JSON object at all, and what becomes of them. */
const BAD_BODIES: { title: string; body: string | Uint8Array; headers?: Record<string, string>; status: number; code: string }[] = [
  { title: 'an empty body', body: '', status: 400, code: 'bad_request' },
  { title: 'half a body', body: '{"name":', status: 400, code: 'bad_request' },
  { title: 'invalid UTF-8', body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]), status: 400, code: 'bad_request' },
  { title: 'another content type', body: '{}', headers: { 'Content-Type': 'text/plain' }, status: 400, code: 'bad_request' },
  { title: 'null', body: 'null', status: 422, code: 'validation_error' },
  { title: 'an array', body: '[]', status: 422, code: 'validation_error' },
  { title: 'a string', body: '"name"', status: 422, code: 'validation_error' },
];

describe.each(named(ENDPOINTS.filter(({ spec }) => spec.body !== undefined)))('the body of $title', ({ endpoint }) => {
  const { bodyIsOptional = false } = endpoint.spec;
  const isAbsent = (body: string | Uint8Array) => typeof body === 'string' && ABSENT_BODIES.includes(body);

  it.each(bodyIsOptional ? ABSENT_BODIES : [])('is optional and may be %j', async (body) => {
    expect((await callValid(endpoint, { body, headers: JSON_TYPE })).status).toBe(endpoint.spec.ok.status ?? 200);
  });

  it.each(BAD_BODIES.filter(({ body }) => !(bodyIsOptional && isAbsent(body))))(
    'may not be $title',
    async ({ body, headers = JSON_TYPE, status, code }) => {
      expectOperationError(endpoint, await callValid(endpoint, { body, headers }), status, code);
    },
  );

  it('accepts every JSON content type', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json']) {
      const answer = await callValid(endpoint, { headers: { 'Content-Type': type } });
      expect(answer.status, type).toBe(endpoint.spec.ok.status ?? 200);
    }
  });
});

describe.each(named(ENDPOINTS.filter(({ spec }) => spec.body ?? spec.rawBody)))('the size of the body of $title', ({ endpoint }) => {
  const limit = bodyLimitOf(endpoint.spec);

  it('is limited to the documented maximum', () => {
    const declared = operationOf(endpoint).operation.responses?.[413];
    expect(declared && resolved(FULL_DOCUMENT, declared).description).toBe(`The body is larger than ${sizeText(limit)}.`);
  });

  it('returns 413 for a too large Content-Length before a request is charged', async () => {
    const answer = await callValid(endpoint, { body: new Uint8Array(limit + 1), headers: JSON_TYPE });
    expectError(endpoint, answer, 413, 'bad_request');
    expectDocumented(endpoint, answer);
    const nobody = { authorization: null, address: HOME_ADDRESS, isValidToken: false };
    expect(await usedBudgets(nobody, answer.now)).toEqual(onlyUsed(null, 0, nobody));
  });

  it('returns 413 while reading a too large body without Content-Length', async () => {
    const type = endpoint.spec.rawBody?.contentTypes[0];
    const headers = type === undefined ? JSON_TYPE : { 'Content-Type': type.startsWith('multipart/') ? `${type}; boundary=x` : type };
    const answer = await callValid(endpoint, { body: chunked(limit + 1), headers });
    if (type === undefined) expectOperationError(endpoint, answer, 413, 'bad_request');
    // What is read piece by piece may be refused for what it holds before it is too long.
    else expect([400, 413, 422]).toContain(answer.status);
    expectDocumented(endpoint, answer);
  });
});

/** A body of spaces that comes in pieces and declares no length. */
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
