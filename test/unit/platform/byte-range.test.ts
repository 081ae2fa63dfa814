import { describe, expect, it } from 'vitest';
import { parseRange } from '../../../src/platform/http/replies/file-reply.ts';

describe('parseRange', () => {
  it.each([
    ['bytes=0-0', 10, { offset: 0, length: 1 }],
    ['bytes=2-5', 10, { offset: 2, length: 4 }],
    ['bytes=2-99', 10, { offset: 2, length: 8 }],
    ['bytes=7-', 10, { offset: 7, length: 3 }],
    ['bytes=-3', 10, { offset: 7, length: 3 }],
    ['bytes=-99', 10, { offset: 0, length: 10 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-5', 0, 'unsatisfiable'],
    ['bytes=5-2', 10, 'whole'],
    ['bytes=-', 10, 'whole'],
    ['bytes=0-1,3-4', 10, 'whole'],
    ['items=0-1', 10, 'whole'],
    ['Bytes=0-1', 10, { offset: 0, length: 2 }],
    ['BYTES=2-', 10, { offset: 2, length: 8 }],
    [`bytes=4-${'9'.repeat(400)}`, 10, { offset: 4, length: 6 }],
    [`bytes=-${'9'.repeat(30)}`, 10, { offset: 0, length: 10 }],
    [`bytes=${'9'.repeat(30)}-`, 10, 'unsatisfiable'],
    ['bytes=a-b', 10, 'whole'],
    [null, 10, 'whole'],
  ])('parses %s of %i bytes', (header, size, expected) => {
    expect(parseRange(header, size)).toEqual(expected);
  });
});
