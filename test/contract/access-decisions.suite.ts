import { describe, expect, it } from 'vitest';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { call, freshInstant } from '../support/requests.ts';
import { bucketOf, classOf, expectBudgetHeaders, onlyUsed, scopeOf, usedBudgets } from './access-checks.ts';
import { CREDENTIALS, outcomeFor } from './access-table.data.ts';
import { codeOf, rateOf } from './answers.ts';
import { credentialFor } from './credentials.ts';
import { validRequest } from './inputs.ts';
import './prepare.ts';

describe.each(ENDPOINTS.map((endpoint) => ({ title: titleOf(endpoint), endpoint })))('$title', ({ endpoint }) => {
  const { access, method, ok } = endpoint.spec;
  const endpointClass = classOf(access);

  it.each(CREDENTIALS)(`${endpointClass} x %s`, async (name) => {
    const expected = outcomeFor(endpointClass, name);
    const credential = await credentialFor(name, scopeOf(access), method);
    const now = freshInstant();
    const { path, options } = await validRequest(endpoint);
    const answer = await call(path, { ...options, authorization: credential.authorization, address: credential.address, now });

    const status = expected.status === 'success' ? (ok.status ?? 200) : expected.status;
    expect({ status: answer.status, code: codeOf(answer) }, answer.text.slice(0, 500)).toEqual({ status, code: expected.code });
    expect(answer.headers.get('WWW-Authenticate')).toBe(expected.status === 401 ? 'Bearer' : null);
    const bucket = bucketOf(access, expected);
    if (bucket === null) expect(rateOf(answer)).toBeNull();
    else expectBudgetHeaders(answer, bucket, 1);
    expect(await usedBudgets(credential, now)).toEqual(onlyUsed(bucket, 1, credential));
  });
});
