import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../../src/platform/storage/memory-caches.ts';

describe('BoundedMap', () => {
  it('drops the entry that was set longest ago when it is full', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    map.set('c', 4);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
  });

  it('keeps an entry that is set again and deletes entries on request', () => {
    const map = new BoundedMap<string, number>(1);
    map.set('a', 1);
    map.set('a', 2);
    expect(map.get('a')).toBe(2);
    map.delete('a');
    map.delete('nothing');
    expect(map.get('a')).toBeUndefined();
  });
});
