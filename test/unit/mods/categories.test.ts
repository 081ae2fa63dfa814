import { describe, expect, it } from 'vitest';
import { MOD_CATEGORIES } from '../../../src/game/mod-categories.data.ts';
import { flagsOfTags, namesOfFlags, readFlags } from '../../../src/game/mod-categories.domain.ts';

describe('MOD_CATEGORIES', () => {
  it('contains nineteen categories with fixed distinct bits', () => {
    expect(MOD_CATEGORIES).toHaveLength(19);
    expect(MOD_CATEGORIES.map(({ bit }) => bit)).toEqual(MOD_CATEGORIES.map((_, index) => 2 ** index));
    expect(MOD_CATEGORIES.map(({ name }) => name).join('|')).toBe(
      'Allies|Banners|Boats and Sails|Cosmetics|Costumes|Dragons|Fishing|GUI|Helmets|Language|Mag Riders|Mounts|NPCs|Wings|Automation|Optimization|Reskin|Waypoint|Radar',
    );
  });
});

describe('flagsOfTags', () => {
  it.each([
    ['Wings', 8192],
    ['wings, MOUNTS', 8192 | 2048],
    [' Boats and Sails\r\n,Radar', 4 | 262144],
    ['Wings,Wings', 8192],
    ['nothing known', 0],
    ['', 0],
    [',,', 0],
    ['__proto__,constructor', 0],
  ])('returns $1 for $0', (tags, flags) => expect(flagsOfTags(tags)).toBe(flags));
});

describe('namesOfFlags', () => {
  it.each([
    [8192, ['Wings']],
    [262144 | 1, ['Allies', 'Radar']],
    [0, []],
    [2 ** 19, []],
    [2 ** 40 + 8192, ['Wings']],
    [-1, MOD_CATEGORIES.map(({ name }) => name)],
  ])('returns $1 for $0', (flags, names) => expect(namesOfFlags(flags)).toEqual(names));
});

describe('readFlags', () => {
  it.each([
    ['8192', 8192],
    [' 8192\n', 8192],
    ['+12', 12],
    ['-1', -1],
    ['-0', 0],
    ['007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', 0],
    ['1'.repeat(300), 0],
    ['', 0],
    ['0x10', 0],
    ['1e3', 0],
    ['1.0', 0],
    ['1 2', 0],
    ['٣', 0],
    [undefined, 0],
  ])('parses %j as %i', (text, flags) => expect(readFlags(text)).toBe(flags));
});
