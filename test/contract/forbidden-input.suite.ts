import { describe, expect, it } from 'vitest';
import { type ParameterObject, resolved } from '../../scripts/lib/openapi/openapi-model.ts';
import { mediaSample } from '../../scripts/lib/openapi/openapi-samples.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { FULL_DOCUMENT, operationOf } from '../support/documents.ts';
import { titleOf } from '../support/endpoints.ts';
import { call, type TestResponse } from '../support/requests.ts';
import { sampleRequest } from '../support/samples.ts';
import { admittedCredential, callValid, expectDocumented } from './conformance-checks.ts';
import { forbiddenBodies, forbiddenTexts } from './forbidden-values.ts';
import { inputOf } from './inputs.ts';
import { prepare } from './prepare.ts';
import { errorOf } from './responses.ts';
import { shareOf } from './share.ts';
import { TESTED } from './tested.ts';

await prepare();

/** Expects an error by validation or by a rule of the game, with the invalid field first in the details. */
function expectRefusal(endpoint: Endpoint, response: TestResponse, loc: readonly string[]): void {
  const codes: Record<number, string> = { 400: 'bad_request', 404: 'not_found', 422: 'validation_error' };
  expect(Object.keys(codes), response.text.slice(0, 300)).toContain(String(response.status));
  expectDocumented(endpoint, response);
  const { code, message, details } = errorOf(response);
  expect(code).toBe(codes[response.status]);
  expect(message).toContain(loc.join('.'));
  const [first] = details as { loc: unknown[]; msg: string; type: string }[];
  expect(first?.loc.slice(0, loc.length)).toEqual(loc);
  expect(first).toMatchObject({ msg: expect.stringMatching(/\S/), type: expect.stringMatching(/\S/) });
}

async function callWith(endpoint: Endpoint, { name }: ParameterObject, text: string, authorization: string | null): Promise<TestResponse> {
  const input = await inputOf(endpoint);
  const { path, options } = sampleRequest(FULL_DOCUMENT, operationOf(endpoint), {
    ...input,
    parameters: { ...input.parameters, [name]: text },
  });
  return call(path, { ...options, authorization });
}

const PARAMETERS = TESTED.flatMap((endpoint) =>
  operationOf(endpoint)
    // Headers cannot contain these texts.
    .parameters.filter((parameter) => parameter.in !== 'header')
    .map((parameter) => ({ title: `${parameter.name} of ${titleOf(endpoint)}`, endpoint, parameter })),
).map((tested, index) => ({ ...tested, texts: forbiddenTexts(tested.parameter.schema ?? {}, (texts) => shareOf(index, texts)) }));

// Suites of their own: an area may have none, and a suite without a test fails.
describe.each(PARAMETERS)('the parameter $title', ({ endpoint, parameter, texts }) => {
  it('is named when its value is of a kind that the OpenAPI document forbids', async () => {
    const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
    for (const text of texts) {
      expectRefusal(endpoint, await callWith(endpoint, parameter, text, authorization), [parameter.in, parameter.name]);
    }
  });
});

const BODIES = TESTED.flatMap((endpoint, position) => {
  const { requestBody } = operationOf(endpoint).operation;
  const media = requestBody && resolved(FULL_DOCUMENT, requestBody).content?.['application/json'];
  const sample = media && mediaSample(FULL_DOCUMENT, media);
  if (!media?.schema || !sample?.ok) return [];
  const good = sample.value as Record<string, unknown>;
  return [
    {
      title: titleOf(endpoint),
      endpoint,
      forbidden: forbiddenBodies(FULL_DOCUMENT, media.schema, good, (index) => (values) => shareOf(position + index, values)),
    },
  ];
});

describe.each(BODIES)('the body of $title', ({ endpoint, forbidden }) => {
  it('is refused with every kind of property that the OpenAPI document forbids, which the error names', async () => {
    for (const { property, body } of forbidden) {
      expectRefusal(endpoint, await callValid(endpoint, { body: JSON.stringify(body) }), ['body', property]);
    }
  });
});
