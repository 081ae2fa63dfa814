import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OBJECT_REPEATS } from '../../../../src/object-repeats.ts';
import { type Repeat, reachObjects } from '../../../../src/platform/durable/object-calls.ts';
import { infrastructureFaultOf } from '../../../../src/platform/kit/errors/infrastructure-fault.ts';

const errorWith = (message: string, flags: object = {}) => Object.assign(new Error(message), flags);
const RESET = errorWith('Durable Object reset because its code was updated.', { retryable: true });
const OVERLOADED = errorWith('Durable Object is overloaded. Too many requests queued.', { retryable: true, overloaded: true });
const LOST = errorWith('Network connection lost.');
const OWN = errorWith('row without a name', { remote: true });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Calls an object whose first calls fail with the errors. Returns the result, and the stubs and times of the calls. */
async function callThat(errors: readonly Error[], repeat: Repeat) {
  const left = [...errors];
  const calls: { stub: number; at: number }[] = [];
  let stubs = 0;
  const start = Date.now();
  const objects = {
    getByName(name: string) {
      stubs += 1;
      const stub = stubs;
      return {
        async count(step: number) {
          calls.push({ stub, at: Date.now() - start });
          const error = left.shift();
          if (error) throw error;
          return `${name} ${step}`;
        },
      };
    },
  };
  const object = reachObjects(objects, { count: repeat }).getByName('one');
  const outcome = object.count(7).then(
    (value) => value,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return { outcome: await outcome, calls };
}

describe('reachObjects', () => {
  it.each<[string, Error, Repeat, boolean]>([
    ['a reset', RESET, 'safe', true],
    ['a reset', RESET, 'keyed', true],
    ['a reset', RESET, 'never', false],
    ['a fault without flags', LOST, 'safe', true],
    ['a fault without flags', LOST, 'keyed', false],
    ['an overload', OVERLOADED, 'safe', false],
    ['an exception of the object', OWN, 'safe', false],
  ])('after %s (%s) of a method that is %s, repeats: %s', async (_, error, repeat, isRepeated) => {
    const { outcome, calls } = await callThat([error], repeat);
    expect(outcome).toBe(isRepeated ? 'one 7' : error);
    expect(calls).toHaveLength(isRepeated ? 2 : 1);
  });

  it('repeats once, with a fresh stub, after 50 to 200 ms', async () => {
    for (let run = 0; run < 20; run += 1) {
      const { outcome, calls } = await callThat([RESET, RESET], 'safe');
      expect(outcome).toBe(RESET);
      expect(calls.map(({ stub }) => stub)).toEqual([1, 2]);
      expect(calls[1]?.at).toBeGreaterThanOrEqual(50);
      expect(calls[1]?.at).toBeLessThanOrEqual(200);
    }
  });

  it('passes on what has no declaration', () => {
    const objects = { getByName: (_name: string) => ({ id: 'x', other: () => 'raw' }) };
    const object = reachObjects(objects, {}).getByName('one') as { id: string; other(): string };
    expect([object.id, object.other()]).toEqual(['x', 'raw']);
  });
});

describe('OBJECT_REPEATS', () => {
  it('repeats no message to a chat and no opened stream', () => {
    const never = Object.entries(OBJECT_REPEATS).flatMap(([binding, methods]) =>
      Object.entries(methods).flatMap(([method, repeat]) => (repeat === 'never' ? [`${binding} ${method}`] : [])),
    );
    expect(never).toEqual(['EVENT_SHARDS fetch', 'WEBHOOK_SENDERS postTest']);
  });
});

describe('infrastructureFaultOf', () => {
  it.each([
    ['Durable Object reset because its code was updated.', 'unflagged'],
    ['Durable Object storage operation exceeded timeout which caused object to be reset.', 'unflagged'],
    ['Cannot resolve Durable Object due to transient issue on remote node.', 'unflagged'],
    ['internal error; reference = 0123456789abcdef', 'unflagged'],
    ['Durable Object exceeded its memory limit and was reset.', 'unflagged'],
    ['D1_ERROR: Network connection lost.', 'unflagged'],
    ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', 'overloaded'],
    ['KV PUT failed: 429 Too Many Requests', 'unflagged'],
    ['KV GET failed: 503 Service Unavailable', 'unflagged'],
    ['KV GET failed: 400 UTF-8 encoded length exceeds key length limit', null],
    ['put: We encountered an internal error. Please try again. (10001)', 'unflagged'],
    ['put: The specified object name is not valid. (10020)', null],
    ['D1_ERROR: UNIQUE constraint failed: users.email: SQLITE_CONSTRAINT_UNIQUE', null],
    ['row without a name', null],
  ])('of "%s" is %s', (message, fault) => {
    expect(infrastructureFaultOf(new Error(message))).toBe(fault);
  });
});
