import { describe, expect, it } from 'vitest';
import { resolved } from '../../scripts/lib/openapi/openapi-model.ts';
import { mediaSample } from '../../scripts/lib/openapi/openapi-samples.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { FULL_DOCUMENT, operationOf } from '../support/documents.ts';
import { titleOf } from '../support/endpoints.ts';
import { call, type TestResponse } from '../support/requests.ts';
import { sampleRequest } from '../support/samples.ts';
import { admittedCredential, expectDocumented, prepareValid } from './conformance-checks.ts';
import { type Forbidden, forbiddenProperties, forbiddenTexts, invalidInputs } from './forbidden-values.ts';
import { inputOf } from './inputs.ts';
import { prepare } from './prepare.ts';
import { errorOf } from './responses.ts';
import { shareOf } from './share.ts';
import { TESTED } from './tested.ts';

await prepare();

const CODES: Readonly<Record<number, string>> = { 400: 'bad_request', 404: 'not_found', 422: 'validation_error' };

/** A problem in the details of an error. */
interface Problem {
  loc: unknown[];
  msg: string;
  type: string;
}

/** Expects an error by validation or by a rule of the game, with the invalid field `name` first in the details. Returns the names in the details. */
function expectRefusal(endpoint: Endpoint, response: TestResponse, source: string, name?: string): unknown[] {
  expect(Object.keys(CODES), response.text.slice(0, 300)).toContain(String(response.status));
  expectDocumented(endpoint, response);
  const { code, message, details } = errorOf(response);
  expect(code).toBe(CODES[response.status]);
  const problems = details as Problem[];
  if (name !== undefined) expect(problems[0]?.loc.slice(0, 2)).toEqual([source, name]);
  expect(message).toContain(problems[0]?.loc.slice(0, 2).join('.'));
  for (const problem of problems) expect(problem).toMatchObject({ msg: expect.stringMatching(/\S/), type: expect.stringMatching(/\S/) });
  return problems.map(({ loc }) => (loc[0] === source ? loc[1] : null));
}

const isRefusalOfFields = ({ status, text }: TestResponse) => Object.hasOwn(CODES, status) && Array.isArray(JSON.parse(text).error.details);

/** Expects that each value is refused and named: with others, or alone if their error does not name it, as that of a rule of the game. */
async function expectNamed(
  endpoint: Endpoint,
  source: string,
  forbidden: Forbidden,
  send: (values: ReadonlyMap<string, unknown>) => Promise<TestResponse>,
): Promise<void> {
  for (const input of invalidInputs(forbidden)) {
    const together = input.size > 1 ? await send(input) : null;
    const named = together && isRefusalOfFields(together) ? expectRefusal(endpoint, together, source) : [];
    for (const [name, value] of input) {
      if (!named.includes(name)) expectRefusal(endpoint, await send(new Map([[name, value]])), source, name);
    }
  }
}

const PARAMETERS = TESTED.flatMap((endpoint) =>
  operationOf(endpoint)
    // Headers cannot contain these texts.
    .parameters.filter((parameter) => parameter.in !== 'header')
    .map((parameter) => ({ endpoint, parameter })),
).map((tested, index) => ({ ...tested, texts: forbiddenTexts(tested.parameter.schema ?? {}, (texts) => shareOf(index, texts)) }));

const PARTS = [...Map.groupBy(PARAMETERS, ({ endpoint, parameter }) => `the ${parameter.in} parameters of ${titleOf(endpoint)}`)].flatMap(
  ([title, tested]) => {
    const forbidden = new Map(tested.map(({ parameter, texts }) => [parameter.name, texts]));
    return tested.slice(0, 1).map(({ endpoint, parameter }) => ({ title, endpoint, source: parameter.in, forbidden }));
  },
);

// Suites of their own: an area may have none, and a suite without a test fails.
describe.each(PARTS)('$title', ({ endpoint, source, forbidden }) => {
  it('are each named when the value is of a kind that the OpenAPI document forbids', async () => {
    const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
    const input = await inputOf(endpoint);
    await expectNamed(endpoint, source, forbidden, (values) => {
      const parameters = { ...input.parameters, ...(Object.fromEntries(values) as Record<string, string>) };
      const { path, options } = sampleRequest(FULL_DOCUMENT, operationOf(endpoint), { ...input, parameters });
      return call(path, { ...options, authorization });
    });
  });
});

const BODIES = TESTED.flatMap((endpoint, position) => {
  const { requestBody } = operationOf(endpoint).operation;
  const media = requestBody && resolved(FULL_DOCUMENT, requestBody).content?.['application/json'];
  const sample = media && mediaSample(FULL_DOCUMENT, media);
  if (!media?.schema || !sample?.ok) return [];
  const good = sample.value as Record<string, unknown>;
  const forbidden = forbiddenProperties(FULL_DOCUMENT, media.schema, (index) => (values) => shareOf(position + index, values));
  return [{ title: titleOf(endpoint), endpoint, good, forbidden }];
});

describe.each(BODIES)('the body of $title', ({ endpoint, good, forbidden }) => {
  it('is refused with every kind of property that the OpenAPI document forbids, which the error names', async () => {
    const send = await prepareValid(endpoint);
    await expectNamed(endpoint, 'body', forbidden, (values) => send({ body: JSON.stringify({ ...good, ...Object.fromEntries(values) }) }));
  });
});
