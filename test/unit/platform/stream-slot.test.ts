import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createStreamSlot,
  resumeStreamSlot,
  type SlotClient,
  type SlotDecision,
  type SlotHolder,
} from '../../../src/platform/access/policy/stream-slot.ts';

const HOLDER: SlotHolder = { kind: 'address', key: 'anon:10.0.0.1', limit: 10 };

/** A slot, its requests in order, and their responses. */
function fixture(answer: () => Promise<SlotDecision> = async () => 'acquired') {
  const calls: string[] = [];
  const ids = new Set<string>();
  const slotCalls: SlotClient = {
    async acquire(id) {
      ids.add(id);
      calls.push('hold');
      const decision = await answer();
      calls.push('answered');
      return decision;
    },
    async release(id) {
      ids.add(id);
      calls.push('free');
    },
  };
  const slot = createStreamSlot(HOLDER, () => slotCalls);
  return { slot, slotCalls, calls, ids };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('resumeStreamSlot', () => {
  it('renews and releases a slot that another object acquired', async () => {
    const { slot, slotCalls, calls, ids } = fixture();
    await slot.acquire();
    const handle = structuredClone(slot.handle);
    const held = resumeStreamSlot(handle, () => slotCalls);
    expect(await held.renew()).toBe(true);
    await held.release();
    expect(calls).toEqual(['hold', 'answered', 'hold', 'answered', 'free']);
    expect(ids.size).toBe(1);
  });

  it('releases a slot that was never renewed', async () => {
    const { slot, slotCalls, calls } = fixture();
    await resumeStreamSlot(slot.handle, () => slotCalls).release();
    expect(calls).toEqual(['free']);
  });
});

describe('createStreamSlot', () => {
  it('acquires, renews and releases the same slot', async () => {
    const { slot, calls, ids } = fixture();
    await slot.acquire();
    expect(await slot.renew()).toBe(true);
    await slot.release();
    expect(calls).toEqual(['hold', 'answered', 'hold', 'answered', 'free']);
    expect(ids.size).toBe(1);
  });

  it('throws 429 at the limit and leaves nothing to release', async () => {
    const { slot, calls } = fixture(async () => ({ limit: 10 }));
    await expect(slot.acquire()).rejects.toMatchObject({ code: 'rate_limited', details: { limit: 10, window_seconds: 120 } });
    await slot.release();
    expect(calls).toEqual(['hold', 'answered']);
  });

  it('reports a lost slot on renewal', async () => {
    const answers: SlotDecision[] = ['acquired', 'unauthenticated', { limit: 20 }];
    const { slot } = fixture(async () => answers.shift() ?? 'acquired');
    await slot.acquire();
    expect([await slot.renew(), await slot.renew()]).toEqual([false, false]);
  });

  it('releases the slot after a pending renewal and stops renewing it', async () => {
    const { slot, calls } = fixture();
    const taking = slot.acquire();
    const freeing = slot.release();
    const renewing = slot.renew();
    await Promise.all([taking, freeing]);
    expect(await renewing).toBe(false);
    expect(calls).toEqual(['hold', 'answered', 'free']);
  });

  it('releases the slot when the result of acquiring it is unknown, and continues after a failed renewal', async () => {
    const { slot, calls } = fixture(async () => Promise.reject(new Error('out of reach')));
    await expect(slot.acquire()).rejects.toThrow('out of reach');
    await slot.release();
    await slot.release();
    expect(calls).toEqual(['hold', 'free']);
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
