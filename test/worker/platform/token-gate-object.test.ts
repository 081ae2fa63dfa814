import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { GateCall, TokenCounter } from '../../../src/platform/access/tokens/token-gate.contract.ts';
import { TokenGateObject } from '../../../src/platform/access/tokens/token-gate.object.ts';
import { createTokensStore } from '../../../src/platform/access/tokens/tokens.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { eventually } from '../../support/eventually.ts';
import { FIRST_INSTANT as NOW } from '../../support/requests.ts';
import { createAccount, createToken, gateOf, notifyGate, readToken, type TokenOptions } from '../../support/tokens.ts';

const HOME = '203.0.113.7';

function callOf(hashedToken: string): GateCall {
  return {
    hashedToken,
    demand: { kind: 'public', scopes: 1 },
    callerAddress: HOME,
    now: NOW,
    counter: 'token',
    limit: 120,
    windowSeconds: 60,
    finished: [],
  };
}

/** A stored token with its object, and a function to send requests to the object. */
async function fixture(options: TokenOptions = {}) {
  const secret = await createToken(options);
  const { id, hash: hashedToken } = readToken(secret);
  const stub = gateOf(secret);
  const admit = (more: Partial<GateCall> = {}) => stub.admit({ ...callOf(hashedToken), ...more });
  const change = (assignment: string) => env.DB.prepare(`UPDATE api_tokens SET ${assignment} WHERE id = ?1`).bind(id).run();
  const state = async () => {
    const found = await createTokensStore(createDatabase(env.DB)).find(id);
    if (!found) throw new Error('the token is not stored');
    return found;
  };
  return { hashedToken, stub, admit, change, state, tell: () => notifyGate(secret) };
}

/** A database whose first result is delayed after it was read. */
function delayedDatabase() {
  const read = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const prepare = (query: string) => ({
    bind: (...values: unknown[]) => ({
      async raw() {
        const rows = await env.DB.prepare(query)
          .bind(...values)
          .raw();
        read.resolve();
        await released.promise;
        return rows;
      },
    }),
  });
  return { database: { prepare } as unknown as D1Database, read: read.promise, release: released.resolve };
}

const outcomeOf = async (result: Promise<{ outcome: string }>) => (await result).outcome;

describe('TokenGateObject', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('returns the token and its usage of the window', async () => {
    const userId = await createAccount({ isSuperuser: true });
    const { admit } = await fixture({ userId, scopes: 3 });
    expect(await admit()).toEqual({
      outcome: 'admitted',
      used: 1,
      caller: { kind: 'token', tokenId: expect.stringMatching(/^[A-Za-z0-9]{11}$/), userId, isSuperuser: true, scopes: 3 },
    });
    expect(await admit()).toMatchObject({ used: 2 });
  });

  it('charges nothing for a request that continues anonymously or is refused for its address', async () => {
    const { admit } = await fixture({ scopes: 1, allowedIps: [HOME] });
    expect(await admit({ demand: { kind: 'public', scopes: 2 }, callerAddress: null })).toEqual({ outcome: 'anonymous' });
    expect(await admit({ callerAddress: '198.51.100.1' })).toEqual({ outcome: 'ip_not_allowed' });
    expect(await admit()).toMatchObject({ outcome: 'admitted', used: 1 });
  });

  it('charges a request that is then refused for its scope or its owner', async () => {
    const { admit } = await fixture({ scopes: 1 });
    expect(await admit({ demand: { kind: 'token', scopes: 8 } })).toMatchObject({ outcome: 'insufficient_scope', used: 1 });
    expect(await admit({ demand: { kind: 'master' } })).toMatchObject({ outcome: 'forbidden', used: 2 });
  });

  it('reports the used-up limit before the missing scope', async () => {
    const { admit } = await fixture({ scopes: 1 });
    await admit({ limit: 1 });
    expect(await admit({ limit: 1, demand: { kind: 'token', scopes: 8 } })).toMatchObject({ outcome: 'rate_limited', used: 2 });
  });

  it('counts the codexes separately', async () => {
    const { admit } = await fixture();
    await admit({ limit: 1 });
    expect(await admit({ limit: 1 })).toMatchObject({ outcome: 'rate_limited' });
    expect(await admit({ limit: 600, counter: 'token-codexes' })).toMatchObject({ outcome: 'admitted', used: 1 });
  });

  it('admits exactly the limit of 100 concurrent requests, including the first read of the row', async () => {
    const { admit } = await fixture();
    const results = await Promise.all(Array.from({ length: 100 }, () => admit({ limit: 30 })));
    expect(results.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(30);
    expect(results.filter(({ outcome }) => outcome === 'rate_limited')).toHaveLength(70);
  });

  it('still refuses after an eviction once the limit is used up', async () => {
    const { admit, stub } = await fixture();
    await admit({ limit: 1 });
    await evictDurableObject(stub);
    expect(await admit({ limit: 1 })).toMatchObject({ outcome: 'rate_limited' });
  });

  it('stores only its row and counts, which it overwrites, and sets no alarm for windows under an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW * 1000 });
    const { admit, stub } = await fixture();
    await admit({ limit: 1 });
    vi.setSystemTime((NOW + 61) * 1000);
    expect(await runDurableObjectAlarm(stub)).toBe(false);
    expect(await runInDurableObject(stub, async (_, state) => [...(await state.storage.list()).keys()])).toEqual(['counters', 'token']);
  });

  it('returns the remaining requests without charging', async () => {
    const { hashedToken, stub, admit } = await fixture({ scopes: 129, allowedIps: [HOME, '10.0.0.0/8'], expiresAt: NOW + 5 });
    await admit();
    await admit();
    await admit({ counter: 'token-codexes', demand: { kind: 'public', scopes: 128 } });
    const windows: Partial<Record<TokenCounter, number>> = { token: 60, 'token-codexes': 60 };
    const expected = {
      outcome: 'admitted',
      self: {
        name: 'test',
        prefix: expect.stringMatching(/^gda_[A-Za-z0-9]{8}$/),
        scopes: 129,
        expiresAt: NOW + 5,
        allowedIpCount: 2,
        used: { token: 2, 'token-codexes': 1 },
      },
    };
    expect(await stub.inspect(hashedToken, HOME, NOW, windows)).toEqual(expected);
    expect(await stub.inspect(hashedToken, HOME, NOW, windows)).toEqual(expected);
    expect(await stub.inspect(hashedToken, '198.51.100.1', NOW, windows)).toEqual({ outcome: 'ip_not_allowed' });
    expect(await stub.inspect(hashedToken, HOME, NOW + 6, windows)).toEqual({ outcome: 'expired' });
  });
});

describe('TokenGateObject after a token change', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('applies a change from the next request after its notification', async () => {
    const { admit, change, tell } = await fixture();
    expect(await outcomeOf(admit())).toBe('admitted');
    await change('revoked = 1');
    expect(await outcomeOf(admit())).toBe('admitted');
    await tell();
    expect(await outcomeOf(admit())).toBe('unauthenticated');
    await change('revoked = 0, scopes = 2');
    await tell();
    expect(await outcomeOf(admit())).toBe('anonymous');
  });

  it('keeps the row across evictions without reading the database', async () => {
    const { admit, change, stub } = await fixture();
    await admit();
    await change('revoked = 1');
    await evictDurableObject(stub);
    expect(await outcomeOf(admit())).toBe('admitted');
  });

  it('refreshes a row older than ten minutes in the background', async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const { admit, change } = await fixture();
    await admit();
    await change('revoked = 1');
    vi.setSystemTime(start + 599_999);
    expect(await outcomeOf(admit())).toBe('admitted');
    vi.setSystemTime(start + 600_000);
    expect(await outcomeOf(admit())).toBe('admitted');
    await eventually(async () => expect(await outcomeOf(admit())).toBe('unauthenticated'));
  });

  it('applies changes of the owner: inactive, no longer superuser, deleted', async () => {
    const userId = await createAccount({ isSuperuser: true });
    const { admit, tell } = await fixture({ userId });
    const owner = (statement: string) => env.DB.prepare(statement).bind(userId).run();
    const master = () => outcomeOf(admit({ demand: { kind: 'master' } }));
    expect(await master()).toBe('admitted');
    await owner('UPDATE users SET is_superuser = 0 WHERE id = ?1');
    await tell();
    expect(await master()).toBe('forbidden');
    await owner('UPDATE users SET is_active = 0 WHERE id = ?1');
    await tell();
    expect(await master()).toBe('unauthenticated');
    await owner('DELETE FROM users WHERE id = ?1');
    await tell();
    expect(await master()).toBe('unauthenticated');
  });

  it('ignores an older version, and keeps a deleted token deleted', async () => {
    const { admit, change, state, stub, tell } = await fixture();
    const old = await state();
    await change('revoked = 1');
    await tell();
    await stub.apply(old);
    expect(await outcomeOf(admit())).toBe('unauthenticated');
    await stub.erase();
    await stub.apply({ ...old, version: Date.now() });
    await evictDurableObject(stub);
    expect(await outcomeOf(admit())).toBe('unknown');
  });

  it.each(['newer version', 'deletion'] as const)('discards a first read that ends after the message of a %s', async (kind) => {
    const { hashedToken, change, state, stub } = await fixture();
    await runInDurableObject(stub, async (_, objectState) => {
      const delayed = delayedDatabase();
      const gate = new TokenGateObject(objectState, { ...env, DB: delayed.database });
      const reading = gate.admit(callOf(hashedToken));
      await delayed.read;
      await change('revoked = 1, version = version + 1');
      if (kind === 'deletion') await gate.erase();
      else gate.apply(await state());
      delayed.release();
      const expected = kind === 'deletion' ? 'unknown' : 'unauthenticated';
      expect(await outcomeOf(reading)).toBe(expected);
      expect(await outcomeOf(gate.admit(callOf(hashedToken)))).toBe(expected);
    });
    expect(await outcomeOf(stub.admit(callOf(hashedToken)))).not.toBe('admitted');
  });

  it('accepts the previous secret only until the end of the overlap', async () => {
    const { admit, change, tell } = await fixture();
    const previousHash = 'b'.repeat(64);
    await change(`previous_hash = '${previousHash}', previous_until = ${NOW + 60}`);
    await tell();
    expect(await outcomeOf(admit({ hashedToken: previousHash, now: NOW + 60 }))).toBe('admitted');
    expect(await outcomeOf(admit({ hashedToken: previousHash, now: NOW + 61 }))).toBe('unknown');
    await change('previous_until = NULL');
    await tell();
    expect(await outcomeOf(admit({ hashedToken: previousHash, now: NOW }))).toBe('unknown');
    expect(await outcomeOf(admit())).toBe('admitted');
  });
});

describe('TokenGateObject without a database', () => {
  const rename = (from: string, to: string) => env.DB.prepare(`ALTER TABLE ${from} RENAME TO ${to}`).run();

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('accepts tokens that it knows, even when their rows are old, but no others', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const { admit } = await fixture();
    const other = await fixture();
    await admit();
    await rename('api_tokens', 'api_tokens_away');
    try {
      vi.setSystemTime(start + 3_600_000);
      for (let request = 0; request < 3; request += 1) expect(await outcomeOf(admit())).toBe('admitted');
      // Caught inside the object: an error that crosses its boundary is also reported as unhandled.
      const failed = await runInDurableObject(other.stub, (instance) => instance.admit(callOf(other.hashedToken)).catch(() => 'failed'));
      expect(failed).toBe('failed');
    } finally {
      await rename('api_tokens_away', 'api_tokens');
    }
    expect(await outcomeOf(other.admit())).toBe('admitted');
  });
});
