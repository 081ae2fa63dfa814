import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScopeRegistry, grantsScopes } from '../../../src/platform/access/policy/scopes.ts';
import { SCOPES } from '../../support/declarations.ts';

const names = fc.subarray([...SCOPES.names]);

describe('grantsScopes', () => {
  it('keeps the bit of each released scope', () => {
    expect(Object.fromEntries(SCOPES.names.map((scope) => [scope, SCOPES.bitOf(scope)]))).toEqual({
      'rotations:read': 1,
      'feeds:read': 2,
      'stats:read': 4,
      'gems:read': 8,
      'misc:read': 16,
      'mods:read': 32,
      'updates:read': 64,
      'codexes:read': 128,
      'clientapp:read': 256,
      'leaderboards:read': 512,
      'market:read': 1024,
      'activity:read': 2048,
      'giveaways:read': 4096,
      'events:read': 8192,
      'ocr:read': 16_384,
    });
    expect(SCOPES.allBits).toBe(32_767);
  });

  it('grants every scope for mask 0', () => {
    for (const scope of SCOPES.names) expect(grantsScopes(0, SCOPES.bitOf(scope))).toBe(true);
  });

  it('grants exactly the scopes of the set bits for other masks', () => {
    fc.assert(
      fc.property(names, (granted) => {
        fc.pre(granted.length > 0);
        const mask = SCOPES.maskOf(granted);
        for (const scope of SCOPES.names) expect(grantsScopes(mask, SCOPES.bitOf(scope))).toBe(granted.includes(scope));
      }),
    );
  });

  it('returns the same names after a round trip through a mask', () => {
    fc.assert(
      fc.property(names, (granted) => {
        expect(SCOPES.namesOf(SCOPES.maskOf(granted))).toEqual(SCOPES.names.filter((scope) => granted.includes(scope)));
      }),
    );
  });

  it('has no names for mask 0, as in the public view of a token', () => {
    expect(SCOPES.namesOf(0)).toEqual([]);
    expect(SCOPES.maskOf([])).toBe(0);
  });

  it('recognizes only exact scope names', () => {
    expect(SCOPES.isScope('rotations:read')).toBe(true);
    for (const name of ['rotations', 'Rotations:read', 'rotations:write', '', 'constructor', '__proto__']) {
      expect(SCOPES.isScope(name)).toBe(false);
      expect(() => SCOPES.maskOf(['feeds:read', name])).toThrow(RangeError);
    }
  });

  it('grants several scopes together only when the mask has them all', () => {
    expect(grantsScopes(3, 3)).toBe(true);
    expect(grantsScopes(1, 3)).toBe(false);
    expect(grantsScopes(0, 3)).toBe(true);
  });
});

describe('createScopeRegistry', () => {
  const scope = (bit: number) => ({ bit, description: 'test' });

  it('throws when two areas declare the same bit or the same name', () => {
    expect(() => createScopeRegistry([{ 'a:read': scope(1) }, { 'b:read': scope(1) }])).toThrow('two scopes share a name or a bit');
    expect(() => createScopeRegistry([{ 'a:read': scope(1) }, { 'a:read': scope(2) }])).toThrow('two scopes share a name or a bit');
  });

  it('throws when a bit is not a power of two', () => {
    expect(() => createScopeRegistry([{ 'a:read': scope(3) }])).toThrow('power of two');
  });
});
