import { expect, it } from 'vitest';
import { notBefore } from '../../../src/areas/events/instants.domain.ts';

it.each([
  ['a request that began before the boundary', 100, 101, 101],
  ['a request as new as anything', 101, 101, 101],
  ['a newer request', 105, 101, 105],
  ['the longest lag there is', 100, 159, 159],
  ['the clock of a test, far away', 100, 160, 100],
  ['nothing known', 100, 0, 100],
])('%s', (_, now, newest, expected) => {
  expect(notBefore(now, newest)).toBe(expected);
});
