import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALL_SCOPE_BITS,
  grantsScope,
  isScope,
  SCOPE_NAMES,
  SCOPES,
  scopeMaskOf,
  scopeNamesOf,
} from '../../../src/platform/access/policy/scopes.ts';

const names = fc.subarray([...SCOPE_NAMES]);

describe('scopes', () => {
  it('keep their bits for ever', () => {
    expect(Object.fromEntries(SCOPE_NAMES.map((scope) => [scope, SCOPES[scope].bit]))).toEqual({
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
    expect(ALL_SCOPE_BITS).toBe(32_767);
  });

  it('are all granted by mask 0', () => {
    for (const scope of SCOPE_NAMES) expect(grantsScope(0, scope)).toBe(true);
  });

  it('are otherwise granted bit by bit', () => {
    fc.assert(
      fc.property(names, (granted) => {
        fc.pre(granted.length > 0);
        const mask = scopeMaskOf(granted);
        for (const scope of SCOPE_NAMES) expect(grantsScope(mask, scope)).toBe(granted.includes(scope));
      }),
    );
  });

  it('survive the way to a mask and back', () => {
    fc.assert(
      fc.property(names, (granted) => {
        expect(scopeNamesOf(scopeMaskOf(granted))).toEqual(SCOPE_NAMES.filter((scope) => granted.includes(scope)));
      }),
    );
  });

  it('have no names in mask 0, as the public view of a token shows it', () => {
    expect(scopeNamesOf(0)).toEqual([]);
    expect(scopeMaskOf([])).toBe(0);
  });

  it('are known by their exact names', () => {
    expect(isScope('rotations:read')).toBe(true);
    for (const name of ['rotations', 'Rotations:read', 'rotations:write', '', 'constructor', '__proto__']) {
      expect(isScope(name)).toBe(false);
      expect(() => scopeMaskOf(['feeds:read', name])).toThrow(RangeError);
    }
  });
});
