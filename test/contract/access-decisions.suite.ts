import { describe, expect, it } from 'vitest';
import type { Access } from '../../src/platform/access/policy/policy.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';
import { call, freshInstant, freshInstantFor, type TestResponse } from '../support/requests.ts';
import type { SampleRequest } from '../support/samples.ts';
import {
  expectShown,
  expectUncounted,
  groupOf,
  longestWindowOf,
  onlyUsed,
  outcomeFor,
  requestWithoutText,
  scopeOf,
  textOf,
  usedRateLimits,
} from './access-checks.ts';
import { CREDENTIALS, type CredentialName, EQUIVALENT } from './access-table.data.ts';
import { expectDocumented, expectErrorHeaders } from './conformance-checks.ts';
import { type Credential, credentialFor } from './credentials.ts';
import { prepare } from './prepare.ts';
import { codeOf } from './responses.ts';
import { IS_LONG_RUN, shareOf } from './share.ts';
import { TESTED } from './tested.ts';

await prepare();

/** One endpoint of each key, or all in `npm run test:long`. */
function oneOfEach(keyOf: (access: Access) => string): ReadonlySet<Endpoint> {
  return new Set(IS_LONG_RUN ? TESTED : new Map(TESTED.map((endpoint) => [keyOf(endpoint.spec.access), endpoint])).values());
}

/** Endpoints that are requested with every credential: one of each row, whose ways decide. */
const TESTED_WITH_ALL = oneOfEach(textOf);
/** Endpoints where the counts of other rate limits are read: one of each row and group of rate limits. */
const GAUGED = oneOfEach((access) => `${textOf(access)} ${groupOf(access)?.name}`);

/** Valid tokens without the scope of the endpoint. */
const WITHOUT_SCOPE: readonly CredentialName[] = ['no_scope_ip_ok', 'no_scope_ip_wrong', 'superuser_without_scope'];

/** Every credential, or none and one for each decision and what it charges: another one at each endpoint. */
function credentialsFor(endpoint: Endpoint): readonly CredentialName[] {
  if (TESTED_WITH_ALL.has(endpoint)) return CREDENTIALS;
  const { access } = endpoint.spec;
  const place = ENDPOINTS.indexOf(endpoint);
  const byDecision = new Map<string, CredentialName[]>();
  for (const name of CREDENTIALS) {
    const outcome = outcomeFor(access, name);
    // Where a token is optional, one without the scope counts as none; the scope is that of the endpoint.
    const decision = JSON.stringify([outcome, 'scope' in access && outcome.status === 'success' && WITHOUT_SCOPE.includes(name)]);
    byDecision.set(decision, [...(byDecision.get(decision) ?? []), name]);
  }
  return [...new Set<CredentialName>(['none', ...[...byDecision.values()].flatMap((names) => shareOf(place, names))])];
}

/**
 * Credentials after which the counts of other rate limits are read: of all 25, one of each group with the same decision in the same line of
 * code, another one at each endpoint.
 */
function gaugedAt(endpoint: Endpoint): readonly CredentialName[] {
  if (!GAUGED.has(endpoint)) return [];
  const names = credentialsFor(endpoint);
  if (!TESTED_WITH_ALL.has(endpoint)) return names;
  const place = ENDPOINTS.indexOf(endpoint);
  const groupWith = (name: CredentialName) => EQUIVALENT.find((group) => group.includes(name)) ?? [name];
  return names.filter((name) => shareOf(place, groupWith(name)).includes(name));
}

/** Expects the declared decision about a request. */
function expectDecision(endpoint: Endpoint, name: CredentialName, response: TestResponse): void {
  const { access, ok } = endpoint.spec;
  const expected = outcomeFor(access, name);
  const status = expected.status === 'success' ? (ok.status ?? 200) : expected.status;
  const message = `${name}: ${response.text.slice(0, 500)}`;
  expect({ status: response.status, code: codeOf(response) }, message).toEqual({ status, code: expected.code });
  expect(response.headers.get('WWW-Authenticate'), name).toBe(expected.status === 401 ? 'Bearer' : null);
  if (expected.status !== 'success') {
    expectErrorHeaders(endpoint, response);
    expectDocumented(endpoint, response);
  }
  expectShown(response, expected, 1, access);
}

/** Requests the endpoint with each of its credentials. */
async function expectDecisions(endpoint: Endpoint): Promise<void> {
  const { access, method } = endpoint.spec;
  const gauged = gaugedAt(endpoint);
  // No limit counts these requests, so they share an instant, at which the limits are read once.
  const uncounted: Credential[] = [];
  const instant = freshInstant();
  let refused: SampleRequest | null = null;
  for (const name of credentialsFor(endpoint)) {
    const { status, code, charges } = outcomeFor(access, name);
    const isUncounted = status !== 'success' && charges.length === 0;
    const credential = await credentialFor(name, scopeOf(access), method);
    const now = isUncounted ? instant : freshInstantFor(longestWindowOf(charges));
    // A refused request uses up nothing of its input, so all have the same one. Handlers refuse with `forbidden` too.
    const isShared = status !== 'success' && code !== 'forbidden';
    const input: SampleRequest = (isShared && refused) || (await requestWithoutText(endpoint, now));
    if (isShared) refused = input;
    const { authorization, address } = credential;
    expectDecision(endpoint, name, await call(input.path, { ...input.options, authorization, address, now }));
    if (!gauged.includes(name)) continue;
    if (isUncounted) uncounted.push(credential);
    else expect(await usedRateLimits(credential, now), name).toEqual(onlyUsed(charges, 1, credential));
  }
  await expectUncounted(uncounted, instant);
}

describe.each(TESTED.map((endpoint) => ({ title: titleOf(endpoint), endpoint })))('$title', ({ endpoint }) => {
  it(`decides as ${endpoint.spec.access.kind} for each credential`, () => expectDecisions(endpoint));
});
