import { expect, it } from 'vitest';
import { atLeast } from '../../../src/areas/events/framing.domain.ts';

it.each([
  ['a request that started before the boundary', 100, 101, 101],
  ['a request at the newest instant', 101, 101, 101],
  ['a newer request', 105, 101, 105],
  ['the longest lag', 100, 159, 159],
  ['a test clock beyond the longest lag', 100, 160, 100],
  ['no newest instant', 100, 0, 100],
])('atLeast returns the later time within 59 seconds: %s', (_, now, newest, expected) => {
  expect(atLeast(now, newest)).toBe(expected);
});
