import { listDurableObjectIds } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { GateCall } from '../../../src/platform/access/tokens/token-gate.contract.ts';
import { createTokenGate } from '../../../src/platform/access/tokens/token-gate.ts';
import { hashToken } from '../../../src/platform/access/tokens/token-hash.ts';
import { createTokensRepository } from '../../../src/platform/access/tokens/tokens.repository.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { FIRST_INSTANT as NOW } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';

const stored = createTokensRepository(createDatabase(env.DB));

/** A gate over the real objects and the real table that counts lookups, with a clock that the test sets. */
function fixture() {
  const lookups: string[] = [];
  const time = { milliseconds: 1_000_000 };
  const tokens = {
    exists(hashedToken: string) {
      lookups.push(hashedToken);
      return stored.exists(hashedToken);
    },
  };
  return { lookups, time, gate: createTokenGate(env.TOKEN_GATES, tokens, null, () => time.milliseconds) };
}

let unknownCount = 0;
/** The hash of a token that does not exist. */
function unknownHash(): string {
  unknownCount += 1;
  return hashToken(`unknown ${unknownCount}`);
}

function callFor(hashedToken: string, callerAddress: string | null = '203.0.113.7'): GateCall {
  return {
    hashedToken,
    demand: { kind: 'public', scopes: 1 },
    callerAddress,
    now: NOW,
    counter: 'token',
    limit: 120,
    windowSeconds: 60,
    finished: [],
  };
}

describe('createTokenGate', () => {
  it('looks up a known hash once', async () => {
    const { gate, lookups } = fixture();
    const call = callFor(hashToken(await createToken()));
    expect((await gate.admit(call)).outcome).toBe('admitted');
    expect((await gate.admit(call)).outcome).toBe('admitted');
    expect(lookups).toHaveLength(1);
  });

  it('creates no object for an unknown hash', async () => {
    const { gate } = fixture();
    const before = (await listDurableObjectIds(env.TOKEN_GATES)).length;
    for (let request = 0; request < 5; request += 1)
      expect(await gate.admit(callFor(unknownHash()))).toEqual({ outcome: 'unauthenticated' });
    expect(await gate.inspect(unknownHash(), null, NOW, {})).toEqual({ outcome: 'unauthenticated' });
    expect(await listDurableObjectIds(env.TOKEN_GATES)).toHaveLength(before);
  });

  it('caches an unknown hash for five seconds', async () => {
    const { gate, lookups, time } = fixture();
    const call = callFor(unknownHash());
    await gate.admit(call);
    time.milliseconds += 4999;
    await gate.admit(call);
    expect(lookups).toHaveLength(1);
    time.milliseconds += 1;
    await gate.admit(call);
    expect(lookups).toHaveLength(2);
  });

  it('drops a cached unknown hash when it is invalidated', async () => {
    const { gate } = fixture();
    const secret = await createToken();
    const hashedToken = hashToken(secret);
    await env.DB.prepare('UPDATE api_tokens SET hashed_token = ?1 WHERE hashed_token = ?2').bind('elsewhere', hashedToken).run();
    expect((await gate.admit(callFor(hashedToken))).outcome).toBe('unauthenticated');
    await env.DB.prepare('UPDATE api_tokens SET hashed_token = ?1 WHERE hashed_token = ?2').bind(hashedToken, 'elsewhere').run();
    expect((await gate.admit(callFor(hashedToken))).outcome).toBe('unauthenticated');
    await gate.invalidate(hashedToken);
    expect((await gate.admit(callFor(hashedToken))).outcome).toBe('admitted');
  });

  it('limits an address to one lookup per second after 20 misses in a minute', async () => {
    const { gate, lookups, time } = fixture();
    const admit = async (address?: string) => (await gate.admit(callFor(unknownHash(), address))).outcome;
    for (let request = 0; request < 21; request += 1) expect(await admit()).toBe('unauthenticated');
    for (let request = 0; request < 30; request += 1) expect(await admit()).toBe('lookups_exhausted');
    expect(lookups).toHaveLength(21);
    expect(await admit('203.0.113.8')).toBe('unauthenticated');
    expect(lookups).toHaveLength(22);
    time.milliseconds += 999;
    expect(await admit()).toBe('lookups_exhausted');
    time.milliseconds += 1;
    expect(await admit()).toBe('unauthenticated');
    expect(await admit()).toBe('lookups_exhausted');
    expect(lookups).toHaveLength(23);
    time.milliseconds += 59_000;
    for (let request = 0; request < 21; request += 1) expect(await admit()).toBe('unauthenticated');
    expect(lookups).toHaveLength(44);
  });

  it('counts concurrent failures together', async () => {
    const { gate, lookups } = fixture();
    await Promise.all(Array.from({ length: 30 }, () => gate.admit(callFor(unknownHash()))));
    expect(lookups).toHaveLength(30);
    await gate.admit(callFor(unknownHash()));
    await gate.admit(callFor(unknownHash()));
    expect(lookups).toHaveLength(31);
  });

  it('counts the addresses of one IPv6 network together', async () => {
    const { gate, lookups } = fixture();
    for (let host = 1; host <= 40; host += 1) await gate.admit(callFor(unknownHash(), `2001:db8::${host.toString(16)}`));
    expect(lookups).toHaveLength(21);
    await gate.admit(callFor(unknownHash(), '2001:db8:0:1::1'));
    expect(lookups).toHaveLength(22);
  });

  it('still admits known tokens from an address that has used up its failures', async () => {
    const { gate } = fixture();
    const known = hashToken(await createToken());
    await gate.admit(callFor(known));
    for (let request = 0; request < 25; request += 1) await gate.admit(callFor(unknownHash()));
    expect((await gate.admit(callFor(known))).outcome).toBe('admitted');
  });

  it('admits many concurrent first requests of one token, because only failures count', async () => {
    const { gate } = fixture();
    const call = callFor(hashToken(await createToken()));
    const results = await Promise.all(Array.from({ length: 60 }, () => gate.admit(call)));
    expect(results.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(60);
  });
});
