import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  heldStreamSlot,
  newStreamSlot,
  type SlotCalls,
  type SlotDecision,
  type SlotHolder,
} from '../../../src/platform/access/policy/stream-slot.ts';

const HOLDER: SlotHolder = { kind: 'address', key: 'anon:10.0.0.1', limit: 10 };

/** A slot, the calls it made in order, and what they are answered. */
function fixture(answer: () => Promise<SlotDecision> = async () => 'held') {
  const calls: string[] = [];
  const ids = new Set<string>();
  const slotCalls: SlotCalls = {
    async hold(id) {
      ids.add(id);
      calls.push('hold');
      const decision = await answer();
      calls.push('answered');
      return decision;
    },
    async free(id) {
      ids.add(id);
      calls.push('free');
    },
  };
  const slot = newStreamSlot(HOLDER, () => slotCalls);
  return { slot, slotCalls, calls, ids };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('heldStreamSlot', () => {
  it('renews and releases a slot that another object acquired', async () => {
    const { slot, slotCalls, calls, ids } = fixture();
    await slot.take();
    const handle = structuredClone(slot.handle);
    const held = heldStreamSlot(handle, () => slotCalls);
    expect(await held.renew()).toBe(true);
    await held.free();
    expect(calls).toEqual(['hold', 'answered', 'hold', 'answered', 'free']);
    expect(ids.size).toBe(1);
  });

  it('releases a slot that was never renewed', async () => {
    const { slot, slotCalls, calls } = fixture();
    await heldStreamSlot(slot.handle, () => slotCalls).free();
    expect(calls).toEqual(['free']);
  });
});

describe('newStreamSlot', () => {
  it('acquires, renews and releases the same slot', async () => {
    const { slot, calls, ids } = fixture();
    await slot.take();
    expect(await slot.renew()).toBe(true);
    await slot.free();
    expect(calls).toEqual(['hold', 'answered', 'hold', 'answered', 'free']);
    expect(ids.size).toBe(1);
  });

  it('throws 429 at the limit and leaves nothing to release', async () => {
    const { slot, calls } = fixture(async () => ({ limit: 10 }));
    await expect(slot.take()).rejects.toMatchObject({ code: 'rate_limited', details: { limit: 10, window_seconds: 120 } });
    await slot.free();
    expect(calls).toEqual(['hold', 'answered']);
  });

  it('reports a lost slot on renewal', async () => {
    const answers: SlotDecision[] = ['held', 'unauthenticated', { limit: 20 }];
    const { slot } = fixture(async () => answers.shift() ?? 'held');
    await slot.take();
    expect([await slot.renew(), await slot.renew()]).toEqual([false, false]);
  });

  it('releases the slot after a pending renewal and stops renewing it', async () => {
    const { slot, calls } = fixture();
    const taking = slot.take();
    const freeing = slot.free();
    const renewing = slot.renew();
    await Promise.all([taking, freeing]);
    expect(await renewing).toBe(false);
    expect(calls).toEqual(['hold', 'answered', 'free']);
  });

  it('releases the slot when the result of acquiring it is unknown, and continues after a failed renewal', async () => {
    const { slot, calls } = fixture(async () => Promise.reject(new Error('out of reach')));
    await expect(slot.take()).rejects.toThrow('out of reach');
    await slot.free();
    await slot.free();
    expect(calls).toEqual(['hold', 'free']);
  });

  it('does not throw when releasing the slot fails', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const slot = newStreamSlot(HOLDER, () => ({ hold: async () => 'held', free: () => Promise.reject(new Error('out of reach')) }));
    await slot.take();
    await slot.free();
    expect(log).toHaveBeenCalledOnce();
  });
});
