import { describe, expect, it } from 'vitest';
import type { AccessServices } from '../../../src/platform/access/policy/admission.ts';
import { admitEarly } from '../../../src/platform/http/pipeline/early-admission.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';

const NOW = 1_773_156_630;
const WINDOW_SECONDS = 60;
const CALL = {
  demand: { kind: 'master' as const },
  callerAddress: null,
  now: NOW,
  counter: 'token' as const,
  windowSeconds: WINDOW_SECONDS,
};
const TOKEN = { id: 'id', hash: 'hash' };

/** Services with one counter, and the limits that it was called with. */
function countingServices() {
  const calls: number[] = [];
  let counted = 0;
  const count = (limit: number) => {
    calls.push(limit);
    if (counted < limit) counted += 1;
    else return limit + 1;
    return counted;
  };
  const services = {
    limiter: {
      charge: async (_key: string, rateLimit: { limit: number }) => ({
        rateLimit,
        used: count(rateLimit.limit),
        resetAt: NOW + WINDOW_SECONDS,
      }),
    },
    gate: { admit: async (_token: unknown, { limit }: { limit: number }) => ({ outcome: 'admitted', used: count(limit), caller: {} }) },
  } as unknown as AccessServices;
  return { services, calls };
}

const { services: SERVICES } = countingServices();

describe('admitEarly', () => {
  it('returns the decision if the settings that it read have the expected values', async () => {
    const early = admitEarly(DEFAULT_SETTINGS, SERVICES, async ({ apiRateLimitMax }) => ({ apiRateLimitMax }));
    const settings = { ...DEFAULT_SETTINGS, sessionRateLimitMax: 1 };
    const decision = await early.under(settings);
    expect(decision).toEqual({ apiRateLimitMax: DEFAULT_SETTINGS.apiRateLimitMax });
    expect(await early.under(settings)).toBe(decision);
  });

  it('decides again if a setting that the decision read has another value', async () => {
    const early = admitEarly(DEFAULT_SETTINGS, SERVICES, async ({ apiRateLimitMax }) => apiRateLimitMax);
    expect(await early.under({ ...DEFAULT_SETTINGS, apiRateLimitMax: 1 })).toBe(1);
  });

  it('throws the error of a refusal only if the settings confirm it', async () => {
    const early = admitEarly(DEFAULT_SETTINGS, SERVICES, async ({ apiRateLimitMax }) => {
      if (apiRateLimitMax > 1) throw new Error(`refused at ${apiRateLimitMax}`);
      return 'admitted';
    });
    await expect(early.under(DEFAULT_SETTINGS)).rejects.toThrow('refused at');
    expect(await early.under({ ...DEFAULT_SETTINGS, apiRateLimitMax: 1 })).toBe('admitted');
  });

  it.each([
    ['lower', 5, 3, [5], [1, 3]],
    ['higher', 5, 9, [5], [1, 9]],
  ])('counts a request of an address once under a %s limit', async (_name, expected, actual, calls, decision) => {
    const counting = countingServices();
    const early = admitEarly({ ...DEFAULT_SETTINGS, apiRateLimitMax: expected }, counting.services, async (settings, { limiter }) => {
      const { used, rateLimit } = await limiter.charge(
        'address',
        { name: 'anon', limit: settings.apiRateLimitMax, windowSeconds: WINDOW_SECONDS },
        NOW,
      );
      return [used, rateLimit.limit];
    });
    expect(await early.under({ ...DEFAULT_SETTINGS, apiRateLimitMax: actual })).toEqual(decision);
    expect(counting.calls).toEqual(calls);
  });

  it('counts a request of a token once under another limit', async () => {
    const counting = countingServices();
    const early = admitEarly(DEFAULT_SETTINGS, counting.services, async (settings, { gate }) =>
      gate.admit(TOKEN as never, { ...CALL, limit: settings.apiRateLimitMax }),
    );
    expect(await early.under({ ...DEFAULT_SETTINGS, apiRateLimitMax: 7 })).toMatchObject({ used: 1 });
    expect(counting.calls).toEqual([DEFAULT_SETTINGS.apiRateLimitMax]);
  });

  it('asks the counter again if the expected limit refused the request', async () => {
    const counting = countingServices();
    const early = admitEarly({ ...DEFAULT_SETTINGS, apiRateLimitMax: 0 }, counting.services, async (settings, { gate }) =>
      gate.admit(TOKEN as never, { ...CALL, limit: settings.apiRateLimitMax }),
    );
    expect(await early.under({ ...DEFAULT_SETTINGS, apiRateLimitMax: 7 })).toMatchObject({ used: 1 });
    expect(counting.calls).toEqual([0, 7]);
  });
});
