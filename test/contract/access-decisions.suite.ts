import { describe, expect, it } from 'vitest';
import type { Access } from '../../src/platform/access/policy/policy.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { call, freshInstantFor } from '../support/requests.ts';
import { expectShown, groupOf, longestWindowOf, onlyUsed, outcomeFor, scopeOf, textOf, usedRateLimits } from './access-checks.ts';
import { CREDENTIALS, type CredentialName, EQUIVALENT } from './access-table.data.ts';
import { expectDocumented, expectErrorHeaders } from './conformance-checks.ts';
import { credentialFor } from './credentials.ts';
import { validRequest } from './inputs.ts';
import { prepare } from './prepare.ts';
import { codeOf } from './responses.ts';
import { IS_LONG_RUN, shareOf } from './share.ts';
import { TESTED } from './tested.ts';

await prepare();

/** The row and the group of rate limits of an endpoint, which determine the decision for a credential. */
const kindOf = (access: Access) => `${textOf(access)} ${groupOf(access)?.name}`;

/** Credentials whose decisions tell the kinds of access apart. */
const DECISIVE: readonly CredentialName[] = ['none', 'no_scope_ip_ok', 'scope_ip_ok', 'superuser_ip_ok', 'session_of_ordinary_user'];
/** Tells the levels of accounts apart. */
const UNVERIFIED: CredentialName = 'session_of_unverified_user';
const REPEATED: readonly CredentialName[] = EQUIVALENT.flatMap(([, ...others]) => others);
const OTHERS = CREDENTIALS.filter((name) => name !== UNVERIFIED && !REPEATED.includes(name) && !DECISIVE.includes(name));

/**
 * Endpoints that are requested with every credential: one of each kind, or all in `npm run test:long`. The others are requested with the
 * decisive credentials and one more.
 */
const TESTED_WITH_ALL = new Set(
  IS_LONG_RUN ? TESTED : new Map(TESTED.map((endpoint) => [kindOf(endpoint.spec.access), endpoint])).values(),
);

function credentialsFor(endpoint: Endpoint): readonly CredentialName[] {
  if (TESTED_WITH_ALL.has(endpoint)) return CREDENTIALS;
  const readsSessions = endpoint.spec.access.ways.some(({ credential }) => credential === 'session');
  return [...DECISIVE, ...(readsSessions ? [UNVERIFIED] : []), ...shareOf(ENDPOINTS.indexOf(endpoint), OTHERS)];
}

/**
 * Credentials after which the counts of other rate limits are read, which takes three requests: one of each group with the same decision in the
 * same line of code, another one at each endpoint.
 */
function gaugedAt(endpoint: Endpoint): readonly CredentialName[] {
  if (!TESTED_WITH_ALL.has(endpoint)) return [];
  const place = ENDPOINTS.indexOf(endpoint);
  const groupWith = (name: CredentialName) => EQUIVALENT.find((names) => names.includes(name)) ?? [name];
  return CREDENTIALS.filter((name) => shareOf(place, groupWith(name)).includes(name));
}

/** Requests the endpoint with a credential and expects the declared decision. `isGauged`: and that no other limit counts it. */
async function expectDecision(endpoint: Endpoint, name: CredentialName, isGauged: boolean): Promise<void> {
  const { access, method, ok } = endpoint.spec;
  const expected = outcomeFor(access, name);
  const credential = await credentialFor(name, scopeOf(access), method);
  const now = freshInstantFor(longestWindowOf(expected.charges));
  const { path, options } = await validRequest(endpoint, [], now);
  const response = await call(path, { ...options, authorization: credential.authorization, address: credential.address, now });

  const status = expected.status === 'success' ? (ok.status ?? 200) : expected.status;
  const message = `${name}: ${response.text.slice(0, 500)}`;
  expect({ status: response.status, code: codeOf(response) }, message).toEqual({ status, code: expected.code });
  expect(response.headers.get('WWW-Authenticate'), name).toBe(expected.status === 401 ? 'Bearer' : null);
  if (expected.status !== 'success') {
    expectErrorHeaders(endpoint, response);
    expectDocumented(endpoint, response);
  }
  expectShown(response, expected, 1, access);
  if (isGauged) expect(await usedRateLimits(credential, now), name).toEqual(onlyUsed(expected.charges, 1, credential));
}

describe.each(TESTED.map((endpoint) => ({ title: titleOf(endpoint), endpoint })))('$title', ({ endpoint }) => {
  it(`decides as ${endpoint.spec.access.kind} for each credential`, async () => {
    const gauged = gaugedAt(endpoint);
    for (const name of credentialsFor(endpoint)) await expectDecision(endpoint, name, gauged.includes(name));
  });
});
