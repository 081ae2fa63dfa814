import { describe, expect, it } from 'vitest';
import { operationsIn } from '../../scripts/lib/openapi/openapi-model.ts';
import type { FeatureName } from '../../src/platform/settings/settings.data.ts';
import { ALL_ON, appWithSource, ENDPOINTS, titleOf, withFeatures } from '../support/endpoints.ts';
import { call, type Fetch, type TestResponse } from '../support/requests.ts';
import { onlyUsed, usedRateLimits } from './access-checks.ts';
import type { CredentialName } from './access-table.data.ts';
import { expectApiHeaders } from './conformance-checks.ts';
import { credentialFor } from './credentials.ts';
import { plainRequest } from './inputs.ts';
import { prepare } from './prepare.ts';
import { rateOf } from './responses.ts';
import { shareOf } from './share.ts';
import { TESTED } from './tested.ts';

await prepare();

const SWITCHED = TESTED.flatMap((endpoint) => {
  const { feature } = endpoint.spec;
  return feature ? [{ title: titleOf(endpoint), endpoint, feature }] : [];
});
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const IGNORED: readonly CredentialName[] = ['none', 'malformed', 'scope_ip_ok', 'scope_ip_wrong', 'superuser_ip_ok'];
const FEATURES = [...new Set(SWITCHED.map(({ feature }) => feature))];

let settings = ALL_ON;
const fetch = appWithSource({ current: () => settings, invalidate() {} });

/** The service with some areas disabled. A change of the settings applies to the next request. */
function serviceWithout(...features: FeatureName[]): Fetch {
  const changed = withFeatures(ALL_ON, features, false);
  return (request) => {
    settings = changed;
    return fetch(request);
  };
}

/** The response without fields that differ between requests, and without the hint of the nearest path. */
function comparable({ status, text, headers }: TestResponse): unknown {
  const varying = ['date', 'x-request-id'];
  return { status, text: text.replace(/"hint":".+?",/, ''), headers: [...headers].filter(([name]) => !varying.includes(name)) };
}

const unknownPaths = new Map<string, Promise<unknown>>();

/** The response for a path that no route has. */
function unknownPath(feature: FeatureName, method: string): Promise<unknown> {
  const key = `${feature} ${method}`;
  const response = unknownPaths.get(key) ?? call('/v1/no-such-path', { method }, serviceWithout(feature)).then(comparable);
  unknownPaths.set(key, response);
  return response;
}

describe.each(SWITCHED)('$title with its feature disabled', ({ endpoint, feature }) => {
  const { path, options } = plainRequest(endpoint);
  // All endpoints of a feature are switched off by the same code.
  const isFirst = SWITCHED.find((other) => other.feature === feature)?.endpoint === endpoint;
  const place = ENDPOINTS.indexOf(endpoint);

  it('returns the 404 of an unknown path for each method', async () => {
    const own = endpoint.spec.method.toUpperCase();
    for (const method of isFirst ? METHODS : new Set([own, ...shareOf(place, METHODS)])) {
      const response = await call(path, { ...options, method, body: null }, serviceWithout(feature));
      expect(comparable(response), method).toEqual(await unknownPath(feature, method));
      expect(response.text).not.toContain(`did you mean ${endpoint.spec.path}?`);
      expect(response.status).toBe(404);
    }
  });

  it('ignores credentials and does not count requests', async () => {
    for (const name of isFirst ? IGNORED : shareOf(place, IGNORED)) {
      const credential = await credentialFor(name, 'rotations:read');
      const { authorization, address } = credential;
      const response = await call(path, { ...options, authorization, address }, serviceWithout(feature));
      expect(response.status, name).toBe(404);
      expect(rateOf(response)).toBeNull();
      expectApiHeaders(response);
      if (isFirst) expect(await usedRateLimits(credential, response.now)).toEqual(onlyUsed([], 0, credential));
    }
  });
});

/** Twenty sets of three documents, of which none contains another. */
const DOCUMENTS = [0, 1, 2, 3, 4, 5];
const SETS = DOCUMENTS.flatMap((a) => DOCUMENTS.slice(a + 1).flatMap((b) => DOCUMENTS.slice(b + 1).map((c) => [a, b, c])));

describe.each(DOCUMENTS)('a document without some features (%i)', (document) => {
  // Each feature is off in a set of documents of its own, so an endpoint of another feature is in a wrong document.
  const off = FEATURES.filter((_, place) => SETS[place]?.includes(document));

  it('lists exactly the remaining endpoints in the OpenAPI document', async () => {
    expect(SETS.length).toBeGreaterThanOrEqual(FEATURES.length);
    const { text } = await call('/openapi.json', {}, serviceWithout(...off));
    const listed = operationsIn(JSON.parse(text)).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    const left = ENDPOINTS.filter(({ spec }) => !spec.hidden && !(spec.feature && off.includes(spec.feature)));
    expect(listed.sort()).toEqual(left.map(titleOf).sort());
  });

  it('omits the features from llms.txt', async () => {
    const { text } = await call('/llms.txt', {}, serviceWithout(...off));
    for (const { endpoint } of SWITCHED.filter(({ feature }) => off.includes(feature))) {
      expect(text).not.toContain(` ${endpoint.spec.path} `);
    }
  });
});
