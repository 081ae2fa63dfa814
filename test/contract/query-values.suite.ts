import { describe, expect, it } from 'vitest';
import { FULL_DOCUMENT, operationOf } from '../support/documents.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { call, type TestResponse } from '../support/requests.ts';
import { sampleRequest } from '../support/samples.ts';
import { admittedCredential, expectDocumented } from './conformance-checks.ts';
import { inputOf, validRequest } from './inputs.ts';
import { prepare } from './prepare.ts';
import { codeOf, errorOf } from './responses.ts';
import { shareOf } from './share.ts';
import { TESTED } from './tested.ts';

await prepare();

type Parameter = ReturnType<typeof operationOf>['parameters'][number];

/** Every selected parameter, with its endpoint. */
function parametersOf(isSelected: (parameter: Parameter) => boolean) {
  return TESTED.filter(({ spec }) => !spec.streams).flatMap((endpoint) =>
    operationOf(endpoint)
      .parameters.filter(isSelected)
      .map((parameter) => ({
        title: `the ${parameter.in} parameter ${parameter.name} of ${titleOf(endpoint)}`,
        endpoint,
        parameter,
        name: parameter.name,
      })),
  );
}

function queryParameters(isSelected: (parameter: Parameter) => boolean) {
  return parametersOf((parameter) => parameter.in === 'query' && isSelected(parameter));
}

/** Sends the minimal valid request of an endpoint with the query parameters set to `value`, or without them. */
async function callWith(endpoint: (typeof ENDPOINTS)[number], names: readonly string[], value: string | null): Promise<TestResponse> {
  const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
  const { path, options } = await validRequest(endpoint);
  const [address = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  for (const name of names) {
    if (value === null) parameters.delete(name);
    else parameters.set(name, value);
  }
  return call(`${address}?${parameters}`, { ...options, authorization });
}

/** Sends the minimal valid request of an endpoint with the path parameter set to `value`. */
async function callAt(endpoint: (typeof ENDPOINTS)[number], name: string, value: string): Promise<TestResponse> {
  const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
  const { parameters = {}, ...rest } = await inputOf(endpoint);
  const { path, options } = sampleRequest(FULL_DOCUMENT, operationOf(endpoint), { ...rest, parameters: { ...parameters, [name]: value } });
  return call(path, { ...options, authorization });
}

describe.each(queryParameters(({ schema }) => schema?.type === 'boolean'))('$title', ({ endpoint, name }) => {
  it('accepts every documented form of a boolean', async () => {
    for (const value of shareOf(ENDPOINTS.indexOf(endpoint), ['True', '0', 'yes', 'OFF'])) {
      expect((await callWith(endpoint, [name], value)).status, value).toBeLessThan(300);
    }
  });

  it('returns 422 for values that are not a boolean', async () => {
    const response = await callWith(endpoint, [name], 'maybe');
    expect([response.status, codeOf(response)]).toEqual([422, 'validation_error']);
    expect(errorOf(response).details).toMatchObject([{ loc: ['query', name], type: 'invalid_value' }]);
  });
});

const withOptional = Map.groupBy(
  queryParameters(({ required }) => !required),
  ({ endpoint }) => endpoint,
);

describe.each([...withOptional].map(([endpoint, parameters]) => ({ title: titleOf(endpoint), endpoint, parameters })))(
  '$title',
  ({ endpoint, parameters }) => {
    it('treats an empty value of an optional query parameter as absent', async () => {
      const { path } = await validRequest(endpoint);
      const needed = new URLSearchParams(path.split('?')[1]);
      const [own, others] = [true, false].map((isNeeded) =>
        parameters.map(({ name }) => name).filter((name) => needed.has(name) === isNeeded),
      );
      const empty = await callWith(endpoint, others ?? [], '');
      expect(empty.status, `${others}: ${empty.text.slice(0, 500)}`).toBe(endpoint.spec.ok.status ?? 200);
      for (const name of own ?? []) {
        expect((await callWith(endpoint, [name], '')).status, name).toBe((await callWith(endpoint, [name], null)).status);
      }
    });
  },
);

const OUTSIDE = 'zzz-outside';
const OUTSIDE_NUMBER = '99';

/** Possible statuses for a value outside a documented set. */
const STATUSES = [400, 404, 422];

describe.each(parametersOf(({ schema }) => schema?.enum !== undefined))('$title', ({ endpoint, parameter, name }) => {
  it('returns an error that lists the allowed values for an unknown value', async () => {
    const value = parameter.schema?.type === 'integer' ? OUTSIDE_NUMBER : OUTSIDE;
    const response = await (parameter.in === 'path' ? callAt(endpoint, name, value) : callWith(endpoint, [name], value));
    expect(STATUSES).toContain(response.status);
    expectDocumented(endpoint, response);
    const allowed = parameter.schema?.enum;
    const msg = expect.stringMatching(/^must be one of .+, not (?:"zzz-outside"|"?99"?)$/);
    expect(errorOf(response).details).toEqual([{ loc: [parameter.in, name], msg, type: 'invalid_value', allowed }]);
  });
});

/** Query parameters with a comma-separated list of documented values. */
const LISTS: readonly [operationId: string, name: string][] = [
  ['getSnapshot', 'include'],
  ['getCalendarFile', 'types'],
  ['searchCodexes', 'fields'],
];

describe.each(LISTS)('%s', (operationId, name) => {
  it(`reports every unknown name in ${name} in the same format`, async () => {
    const endpoint = ENDPOINTS.find(({ spec }) => spec.operationId === operationId);
    if (!endpoint) throw new Error(`no operation ${operationId}`);
    const response = await callWith(endpoint, [name], `${OUTSIDE},${OUTSIDE}2`);
    const problem = { loc: ['query', name], type: 'invalid_value', allowed: expect.any(Array) };
    expect([response.status, errorOf(response).details]).toMatchObject([422, [problem, problem]]);
  });
});
