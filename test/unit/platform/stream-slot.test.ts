import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createStreamSlot,
  resumeStreamSlot,
  type SlotClient,
  type SlotDecision,
  type SlotHolder,
} from '../../../src/platform/access/policy/stream-slot.ts';

const HOLDER: SlotHolder = { kind: 'address', key: 'anon:10.0.0.1', limit: 10 };

/** A slot, and its RPCs in order. `respond` decides each acquisition. */
function fixture(respond: () => Promise<SlotDecision> = async () => 'acquired') {
  const calls: string[] = [];
  const ids = new Set<string>();
  const slotClient: SlotClient = {
    async acquire(id) {
      ids.add(id);
      calls.push('acquire');
      const decision = await respond();
      calls.push('acquired');
      return decision;
    },
    async release(id) {
      ids.add(id);
      calls.push('release');
    },
  };
  const slot = createStreamSlot(HOLDER, () => slotClient);
  return { slot, slotClient, calls, ids };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('resumeStreamSlot', () => {
  it('renews and releases a slot that another object acquired', async () => {
    const { slot, slotClient, calls, ids } = fixture();
    await slot.acquire();
    const handle = structuredClone(slot.handle);
    const resumed = resumeStreamSlot(handle, () => slotClient);
    expect(await resumed.renew()).toBe(true);
    await resumed.release();
    expect(calls).toEqual(['acquire', 'acquired', 'acquire', 'acquired', 'release']);
    expect(ids.size).toBe(1);
  });

  it('releases a slot that was never renewed', async () => {
    const { slot, slotClient, calls } = fixture();
    await resumeStreamSlot(slot.handle, () => slotClient).release();
    expect(calls).toEqual(['release']);
  });
});

describe('createStreamSlot', () => {
  it('acquires, renews and releases the same slot', async () => {
    const { slot, calls, ids } = fixture();
    await slot.acquire();
    expect(await slot.renew()).toBe(true);
    await slot.release();
    expect(calls).toEqual(['acquire', 'acquired', 'acquire', 'acquired', 'release']);
    expect(ids.size).toBe(1);
  });

  it('throws 429 at the limit and leaves nothing to release', async () => {
    const { slot, calls } = fixture(async () => ({ limit: 10 }));
    await expect(slot.acquire()).rejects.toMatchObject({ code: 'rate_limited', details: { limit: 10, window_seconds: 120 } });
    await slot.release();
    expect(calls).toEqual(['acquire', 'acquired']);
  });

  it('reports a lost slot on renewal', async () => {
    const decisions: SlotDecision[] = ['acquired', 'unauthenticated', { limit: 20 }];
    const { slot } = fixture(async () => decisions.shift() ?? 'acquired');
    await slot.acquire();
    expect([await slot.renew(), await slot.renew()]).toEqual([false, false]);
  });

  it('releases the slot after a pending renewal and stops renewing it', async () => {
    const { slot, calls } = fixture();
    const acquiring = slot.acquire();
    const releasing = slot.release();
    const renewing = slot.renew();
    await Promise.all([acquiring, releasing]);
    expect(await renewing).toBe(false);
    expect(calls).toEqual(['acquire', 'acquired', 'release']);
  });

  it('releases the slot when the result of acquiring it is unknown, and continues after a failed renewal', async () => {
    const { slot, calls } = fixture(async () => Promise.reject(new Error('out of reach')));
    await expect(slot.acquire()).rejects.toThrow('out of reach');
    await slot.release();
    await slot.release();
    expect(calls).toEqual(['acquire', 'release']);
  });

  it('does not throw when releasing the slot fails', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const slot = createStreamSlot(HOLDER, () => ({
      acquire: async () => 'acquired',
      release: () => Promise.reject(new Error('out of reach')),
    }));
    await slot.acquire();
    await slot.release();
    expect(log).toHaveBeenCalledOnce();
  });
});
