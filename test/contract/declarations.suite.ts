import { describe, expect, it } from 'vitest';
import { ACCESS_KINDS, requiresCredential, type Way } from '../../src/platform/access/policy/policy.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { operationOf } from '../support/documents.ts';
import { ENDPOINTS } from '../support/endpoints.ts';
import { groupOf, textOf } from './access-checks.ts';
import {
  ANONYMOUS_WRITES,
  GROUPS,
  OF_KINDS,
  OWN_LIMITS,
  ROWS,
  SCOPE_OF_SECTION,
  SECRETS,
  STATELESS,
  STATUSES,
  UNVERIFIED_WRITES,
} from './declarations.data.ts';

const isWrite = ({ spec }: Endpoint) => spec.method !== 'get';
const idsOf = (isSelected: (endpoint: Endpoint) => boolean) =>
  ENDPOINTS.filter(isSelected)
    .map(({ spec }) => spec.operationId)
    .sort();
const expectIds = (isSelected: (endpoint: Endpoint) => boolean, ids: readonly string[]) => {
  expect(idsOf(isSelected)).toEqual(ids.toSorted());
};

/** Names of the rate limits that an endpoint has besides those of its kind or its group. */
function ownLimitsOf({ access }: Endpoint['spec']): string {
  const names = access.ways.flatMap(({ charges, later }) => [
    ...charges.flatMap((charge) => ('rule' in charge ? [charge.rule.name] : [])),
    ...(later ? [('rule' in later ? later.rule : later.group).name] : []),
  ]);
  return [...new Set(names)].filter((name) => !OF_KINDS.includes(name)).join(' ');
}

describe('declarations', () => {
  it('have the ways of their kind of access', () => {
    const found = ACCESS_KINDS.map((kind): [string, string[]] => {
      const rows = ENDPOINTS.filter(({ spec }) => spec.access.kind === kind).map(({ spec }) => textOf(spec.access));
      return [kind, [...new Set(rows)].sort()];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(ROWS).map(([kind, rows]): [string, string[]] => [kind, rows.toSorted()])),
    );
  });

  it('require the scope of their section', () => {
    const wrong = ENDPOINTS.flatMap(({ spec: { access, path } }) => {
      const section = /^\/v1\/([\w-]+)/.exec(path)?.[1];
      if (section === undefined || !('scope' in access)) return [];
      const scope = SCOPE_OF_SECTION[section] ?? `${section}:read`;
      return access.scope === scope ? [] : [`${path}: ${access.scope}, not ${scope}`];
    });
    expect(wrong).toEqual([]);
  });

  it('let only the snapshot need more scopes, and only the crafting tree depend on the token', () => {
    const query = new URLSearchParams('include=activity,game-status,news');
    const scopesOf = (way: Way) => (way.credential === 'token' && typeof way.requires === 'function' ? way.requires(query) : []);
    expectIds(({ spec: { access } }) => access.ways.some((way) => scopesOf(way).length > 1), ['getSnapshot']);
    expectIds(({ spec }) => spec.dependsOnToken === true, ['getCraftingTree']);
  });

  it('let administrators alone use the paths of administration', () => {
    expectIds(({ spec }) => spec.path.startsWith('/admin') !== (spec.access.kind === 'admin'), []);
  });

  it('let clients without a credential write only what is listed', () => {
    expectIds((one) => isWrite(one) && !requiresCredential(one.spec.access), ANONYMOUS_WRITES);
  });

  it('require a verified address for writes of an account that are not listed', () => {
    const isUnverified = ({ access }: Endpoint['spec']) =>
      access.ways.some((way) => way.credential === 'session' && way.requires === 'ordinary');
    expectIds((one) => isWrite(one) && isUnverified(one.spec), UNVERIFIED_WRITES);
  });

  it('give every insert a cooldown of its own, and reads none', () => {
    const cooldowns = ENDPOINTS.flatMap(({ spec: { access, method } }) => (access.kind === 'master' ? [{ method, ...access }] : []));
    expect(cooldowns.filter(({ method, cooldown }) => (method === 'get') !== (cooldown === null))).toEqual([]);
    const names = cooldowns.flatMap(({ cooldown }) => cooldown ?? []);
    expect(new Set(names).size).toBe(names.length);
  });

  it('have the rate limits that are listed', () => {
    const own = ENDPOINTS.filter(({ spec }) => ownLimitsOf(spec) !== '' && ownLimitsOf(spec) !== 'previews preview-drawings');
    const byName = Map.groupBy(own, ({ spec }) => ownLimitsOf(spec));
    const found = [...byName].map(([name, endpoints]): [string, string[]] => [name, endpoints.map(({ spec }) => spec.operationId).sort()]);
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(OWN_LIMITS).map(([name, ids]): [string, string[]] => [name, ids.toSorted()])),
    );
    const previews = ENDPOINTS.filter(({ spec }) => /^get\w+Preview$/.test(spec.operationId));
    expect(previews.filter(({ spec }) => ownLimitsOf(spec) !== 'previews preview-drawings').map(({ spec }) => spec.path)).toEqual([]);
  });

  it('have the group of rate limits of their path', () => {
    const wrong = ENDPOINTS.flatMap(({ spec: { access, path } }) => {
      const found = groupOf(access)?.name;
      const group = GROUPS.find(([pattern]) => pattern.test(path))?.[1] ?? 'standard';
      return found === undefined || found === group ? [] : [`${path}: ${found}, not ${group}`];
    });
    expect(wrong).toEqual([]);
  });

  it('say which responses have a secret and which writes store nothing', () => {
    expectIds(({ spec }) => spec.showsSecret === true, SECRETS);
    const calculators = idsOf((one) => isWrite(one) && one.spec.path.startsWith('/v1/gems/'));
    expectIds(({ spec }) => spec.isStateless === true, [...STATELESS, ...calculators]);
  });

  it('have the status of their success', () => {
    for (const [status, ids] of Object.entries(STATUSES)) expectIds(({ spec }) => spec.ok.status === Number(status), ids.split(' '));
    expectIds(({ spec }) => !Object.hasOwn(STATUSES, spec.ok.status ?? 200) && (spec.ok.status ?? 200) !== 200, []);
  });

  it('have the bounds of numbers that their descriptions say', () => {
    const described = ENDPOINTS.flatMap((endpoint) =>
      operationOf(endpoint).parameters.flatMap(({ name, description = '', schema }) => {
        const [, min, max] = /(?<!years )\b(\d[\d,]*) to (\d[\d,]*)/.exec(description || (schema?.description ?? '')) ?? [];
        if (schema?.type !== 'integer' || min === undefined || max === undefined) return [];
        return [{ at: `${endpoint.spec.path} ${name}`, said: [min, max].map((text) => Number(text.replaceAll(',', ''))), schema }];
      }),
    );
    expect(described.length).toBeGreaterThan(40);
    const wrong = described.filter(({ said, schema: { minimum, maximum } }) => said[0] !== minimum || said[1] !== maximum);
    expect(wrong.map(({ at, said }) => `${at}: not ${said.join(' to ')}`)).toEqual([]);
  });
});
