import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createStreamSlot,
  type SlotClient,
  type SlotDecision,
  type SlotHandle,
  tooManyStreams,
} from '../../../src/platform/access/policy/stream-slot.ts';

const HANDLE: SlotHandle = { id: 'slot', shard: 'shard-0', holder: { kind: 'address', key: 'anon:10.0.0.1', limit: 10 } };
const ACQUIRED: SlotDecision = { outcome: 'acquired', endsAt: null };
const FULL: SlotDecision = { outcome: 'full', limit: 10, shards: ['shard-1'] };

/** A slot, and its RPCs in order. `respond` decides each acquisition. */
function fixture(respond: () => Promise<SlotDecision> = async () => ACQUIRED, isStored = false) {
  const calls: string[] = [];
  const client: SlotClient = {
    async acquire(handle) {
      expect(handle).toEqual(HANDLE);
      calls.push('acquire');
      const decision = await respond();
      calls.push('acquired');
      return decision;
    },
    async release(handle) {
      expect(handle).toEqual(HANDLE);
      calls.push('release');
    },
  };
  return { slot: createStreamSlot(HANDLE, client, isStored), calls };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('createStreamSlot', () => {
  it('acquires, renews and releases the same slot', async () => {
    const { slot, calls } = fixture();
    expect([await slot.acquire(), await slot.acquire()]).toEqual([ACQUIRED, ACQUIRED]);
    await slot.release();
    expect(calls).toEqual(['acquire', 'acquired', 'acquire', 'acquired', 'release']);
  });

  it('has nothing to release after a refusal', async () => {
    const { slot, calls } = fixture(async () => FULL);
    expect(await slot.acquire()).toEqual(FULL);
    await slot.release();
    expect(calls).toEqual(['acquire', 'acquired']);
  });

  it('releases a stored slot that it never acquired', async () => {
    const { slot, calls } = fixture(undefined, true);
    await slot.release();
    expect(calls).toEqual(['release']);
  });

  it('releases the slot after a pending renewal and stops renewing it', async () => {
    const { slot, calls } = fixture();
    const acquiring = slot.acquire();
    await Promise.resolve();
    const releasing = slot.release();
    const renewing = slot.acquire();
    await Promise.all([acquiring, releasing]);
    expect(await renewing).toBeNull();
    expect(calls).toEqual(['acquire', 'acquired', 'release']);
  });

  it('releases the slot when the result of acquiring it is unknown', async () => {
    const { slot, calls } = fixture(async () => Promise.reject(new Error('out of reach')));
    await expect(slot.acquire()).rejects.toThrow('out of reach');
    await slot.release();
    await slot.release();
    expect(calls).toEqual(['acquire', 'release']);
  });

  it('does not throw when releasing the slot fails', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const slot = createStreamSlot(HANDLE, {
      acquire: async () => ACQUIRED,
      release: () => Promise.reject(new Error('out of reach')),
    });
    await slot.acquire();
    await slot.release();
    expect(log).toHaveBeenCalledOnce();
  });
});

describe('tooManyStreams', () => {
  it('returns 429 with the limit and the lease of a lost connection, and names connections', () => {
    expect(tooManyStreams(HANDLE.holder, 50)).toMatchObject({
      code: 'rate_limited',
      message: 'at most 50 connections to the event stream may be open at once for each IP address',
      details: { limit: 50, window_seconds: 1800 },
    });
  });
});
