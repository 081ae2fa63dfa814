import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../../src/areas/clientapp/releases.domain.ts';

describe('compareVersions', () => {
  it.each([
    ['v1.2', '1.2.0', 0],
    ['1.2.0.0.0', '1.2', 0],
    ['1.10.0', '1.9.9', 1],
    ['1.2.3.4', '1.2.3.5', -1],
    [' v1.0.0 ', '1.0.0', 0],
    ['1.0.0', '1.0.0-rc.1', 1],
    ['1.0.0-beta.9', '1.0.0-beta.10', -1],
    ['1.0.0-beta', '1.0.0-beta.1', -1],
    ['1.0.0-1', '1.0.0-a', -1],
    ['1.0.0-B', '1.0.0-a', -1],
    ['1.0.0-beta', '1.0.0-beta', 0],
    ['1.0.0beta', '1.0.0-beta', 0],
    ['1.0.0-beta+7', '1.0.0-beta', 0],
    ['1.0.0+7', '1.0.0', 0],
    ['1.0.1-alpha', '1.0.0', 1],
    ['1.0.0 (hotfix)', '1.0.0', -1],
    ['007.1', '7.1', 0],
  ])('compares %s with %s: %i', (one, other, order) => {
    expect(compareVersions(one, other)).toBe(order);
    expect(compareVersions(other, one)).toBe(order === 0 ? 0 : -order);
  });

  it.each(['nightly', 'v', '', ' ', '.1', '-1', 'vv1', `1.${'1.'.repeat(60)}1`])('returns null for %j', (text) => {
    expect([compareVersions(text, '1.0.0'), compareVersions('1.0.0', text)]).toEqual([null, null]);
  });

  it('agrees with semver on SemVer versions', () => {
    const identifier = fc.oneof(fc.nat(30).map(String), fc.constantFrom('alpha', 'beta', 'rc', 'RC', 'x-1'));
    const version = fc
      .tuple(fc.nat(12), fc.nat(12), fc.nat(12), fc.array(identifier, { maxLength: 3 }), fc.constantFrom('', '+5', '+a.b'))
      .map(([major, minor, patch, pre, build]) => `${major}.${minor}.${patch}${pre.length > 0 ? `-${pre.join('.')}` : ''}${build}`);
    fc.assert(
      fc.property(version, version, (one, other) => {
        expect(compareVersions(one, `v${other}`)).toBe(semver.compare(one, other));
      }),
      { numRuns: 300 },
    );
  });
});
