import { expect, it } from 'vitest';
import { bind } from '../../../src/platform/kit/bind.ts';

const add = ({ start }: { start: number }, amount: number, times = 1): number => start + amount * times;

const fail = ({ start }: { start: number }): never => {
  throw new Error(`failed at ${start}`);
};

it('gives the dependencies to each function and passes the other arguments on', () => {
  const { add: bound } = bind({ start: 2 }, { add });
  expect([bound(3), bound(3, 2)]).toEqual([5, 8]);
});

it('keeps the names of the functions in stack traces', () => {
  const { fail: bound } = bind({ start: 2 }, { fail });
  expect(() => bound()).toThrow(expect.objectContaining({ message: 'failed at 2', stack: expect.stringMatching(/at fail /) }));
});
