import { describe, expect, it } from 'vitest';
import { operationOf } from '../support/documents.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { type Answer, call } from '../support/requests.ts';
import { codeOf, errorOf } from './answers.ts';
import { admittedCredential, callValid } from './conformance-checks.ts';
import { validRequest } from './inputs.ts';
import './prepare.ts';

type Parameter = ReturnType<typeof operationOf>['parameters'][number];

/** Every query parameter that `isWanted`, with its endpoint. */
function queryParameters(isWanted: (parameter: Parameter) => boolean) {
  return ENDPOINTS.filter(({ spec }) => !spec.streams).flatMap((endpoint) =>
    operationOf(endpoint)
      .parameters.filter((parameter) => parameter.in === 'query' && isWanted(parameter))
      .map((parameter) => ({ title: `${titleOf(endpoint)} ?${parameter.name}=`, endpoint, name: parameter.name })),
  );
}

/** The smallest valid request of an endpoint, with this parameter set to `value` as well. */
async function callWith(endpoint: (typeof ENDPOINTS)[number], name: string, value: string): Promise<Answer> {
  const authorization = (await admittedCredential(endpoint))?.authorization ?? null;
  const { path, options } = await validRequest(endpoint);
  const [address = '', query = ''] = path.split('?');
  const asked = new URLSearchParams(query);
  asked.set(name, value);
  return call(`${address}?${asked}`, { ...options, authorization });
}

describe.each(queryParameters(({ schema }) => schema?.type === 'boolean'))('$title', ({ endpoint, name }) => {
  it('takes booleans in any form', async () => {
    for (const value of ['True', '0', 'yes', 'OFF']) {
      expect((await callWith(endpoint, name, value)).status, value).toBeLessThan(300);
    }
  });

  it('refuses anything else', async () => {
    const answer = await callWith(endpoint, name, 'maybe');
    expect([answer.status, codeOf(answer)]).toEqual([422, 'validation_error']);
    expect(errorOf(answer).details).toMatchObject([{ loc: ['query', name], type: 'invalid_value' }]);
  });
});

describe.each(queryParameters(({ required }) => !required))('$title', ({ endpoint, name }) => {
  it('means no filter when its value is empty', async () => {
    const without = await callValid(endpoint);
    const empty = await callWith(endpoint, name, '');
    expect(empty.status, empty.text.slice(0, 500)).toBe(without.status);
  });
});
