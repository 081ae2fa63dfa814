import { describe, expect, it } from 'vitest';
import type { Access } from '../../src/platform/access/policy/policy.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { call, freshInstantFor } from '../support/requests.ts';
import { bucketOf, classOf, expectBudgetHeaders, onlyUsed, scopeOf, usedBudgets } from './access-checks.ts';
import { BUDGETS, CREDENTIALS, EQUIVALENT, outcomeFor } from './access-table.data.ts';
import { credentialFor } from './credentials.ts';
import { validRequest } from './inputs.ts';
import { codeOf, rateOf } from './responses.ts';
import { IS_LONG_RUN } from './share.ts';
import './prepare.ts';

/** Class and rate limit of an endpoint, which determine the decision for a credential. */
const kindOf = (access: Access) => `${classOf(access)} ${'budget' in access ? access.budget?.name : ''}`;

const REPEATED: readonly string[] = EQUIVALENT.flatMap(([, ...others]) => others);
const FIRST_OF_EACH = CREDENTIALS.filter((name) => !REPEATED.includes(name));

/**
 * Endpoints that are requested with every credential, and after which the counts of other rate limits are read: one per class and rate
 * limit, or all in `npm run test:long`.
 */
const TESTED_WITH_ALL = new Set(
  IS_LONG_RUN ? ENDPOINTS : new Map(ENDPOINTS.map((endpoint) => [kindOf(endpoint.spec.access), endpoint])).values(),
);

describe.each(ENDPOINTS.map((endpoint) => ({ title: titleOf(endpoint), endpoint })))('$title', ({ endpoint }) => {
  const { access, method, ok } = endpoint.spec;
  const endpointClass = classOf(access);

  it.each(TESTED_WITH_ALL.has(endpoint) ? CREDENTIALS : FIRST_OF_EACH)(`${endpointClass} x %s`, async (name) => {
    const expected = outcomeFor(endpointClass, name);
    const credential = await credentialFor(name, scopeOf(access), method);
    const bucket = bucketOf(access, expected);
    const now = freshInstantFor(bucket === null ? 0 : BUDGETS[bucket].windowSeconds);
    const { path, options } = await validRequest(endpoint, [], now);
    const response = await call(path, { ...options, authorization: credential.authorization, address: credential.address, now });

    const status = expected.status === 'success' ? (ok.status ?? 200) : expected.status;
    expect({ status: response.status, code: codeOf(response) }, response.text.slice(0, 500)).toEqual({ status, code: expected.code });
    expect(response.headers.get('WWW-Authenticate')).toBe(expected.status === 401 ? 'Bearer' : null);
    if (bucket === null) expect(rateOf(response)).toBeNull();
    else expectBudgetHeaders(response, bucket, 1);
    if (!TESTED_WITH_ALL.has(endpoint)) return;
    expect(await usedBudgets(credential, now)).toEqual(onlyUsed(bucket, 1, credential));
  });
});
