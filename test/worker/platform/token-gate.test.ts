import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { PresentedToken } from '../../../src/platform/access/policy/credentials.ts';
import { mintSecret } from '../../../src/platform/access/tokens/token-format.ts';
import type { GateCall } from '../../../src/platform/access/tokens/token-gate.contract.ts';
import { createTokenGate } from '../../../src/platform/access/tokens/token-gate.ts';
import { createTokensStore } from '../../../src/platform/access/tokens/tokens.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { bearer, call, FIRST_INSTANT as NOW } from '../../support/requests.ts';
import { createToken, gateOf, readToken, TOKEN_FORMAT } from '../../support/tokens.ts';
import { testApp } from './test-app.ts';

const PATH = '/v1/rotations/server-time';
const CALL: Omit<GateCall, 'hashedToken' | 'finished'> = {
  demand: { kind: 'public', scopes: 1 },
  callerAddress: '203.0.113.7',
  now: NOW,
  counter: 'token',
  limit: 120,
  windowSeconds: 60,
};

/** The real objects of the tokens, counting how often one is addressed. */
function countingObjects() {
  const counter = { calls: 0 };
  const objects = new Proxy(env.TOKEN_GATES, {
    get(target, name) {
      if (name !== 'getByName') return Reflect.get(target, name);
      return (id: string) => {
        counter.calls += 1;
        return target.getByName(id);
      };
    },
  });
  return { counter, objects };
}

/** A gate over the real objects with a clock that the test sets. */
function fixture() {
  const { counter, objects } = countingObjects();
  const time = { milliseconds: 1_000_000 };
  const gate = createTokenGate(objects, null, null, () => time.milliseconds);
  const admit = async (token: PresentedToken, callerAddress: string | null = CALL.callerAddress) =>
    (await gate.admit(token, { ...CALL, callerAddress })).outcome;
  return { counter, time, gate, admit };
}

const victim = await createToken();
/** A wrong secret of a stored token. */
const wrongSecret = (): PresentedToken => readToken(mintSecret(readToken(victim).id, TOKEN_FORMAT).secret);

describe('createTokenGate', () => {
  it('never charges the token for a wrong secret', async () => {
    const { gate, admit } = fixture();
    const secret = await createToken();
    const { id } = readToken(secret);
    for (let request = 0; request < 5; request += 1) {
      expect(await admit(readToken(mintSecret(id, TOKEN_FORMAT).secret))).toBe('unauthenticated');
    }
    expect(await gate.admit(readToken(secret), CALL)).toMatchObject({ outcome: 'admitted', used: 1 });
  });

  it('remembers a wrong secret for five seconds', async () => {
    const { counter, admit, time } = fixture();
    const token = wrongSecret();
    await admit(token);
    time.milliseconds += 4999;
    await admit(token);
    expect(counter.calls).toBe(1);
    time.milliseconds += 1;
    await admit(token);
    expect(counter.calls).toBe(2);
  });

  it('limits an address to one wrong secret per second after 20 in a minute', async () => {
    const { admit, counter, time } = fixture();
    const guess = (address?: string) => admit(wrongSecret(), address);
    for (let request = 0; request < 21; request += 1) expect(await guess()).toBe('unauthenticated');
    for (let request = 0; request < 30; request += 1) expect(await guess()).toBe('lookups_exhausted');
    expect(counter.calls).toBe(21);
    expect(await guess('203.0.113.8')).toBe('unauthenticated');
    expect(counter.calls).toBe(22);
    time.milliseconds += 999;
    expect(await guess()).toBe('lookups_exhausted');
    time.milliseconds += 1;
    expect(await guess()).toBe('unauthenticated');
    expect(await guess()).toBe('lookups_exhausted');
    expect(counter.calls).toBe(23);
    time.milliseconds += 59_000;
    for (let request = 0; request < 21; request += 1) expect(await guess()).toBe('unauthenticated');
    expect(counter.calls).toBe(44);
  });

  it('counts concurrent failures together', async () => {
    const { admit, counter } = fixture();
    await Promise.all(Array.from({ length: 30 }, () => admit(wrongSecret())));
    expect(counter.calls).toBe(30);
    await admit(wrongSecret());
    await admit(wrongSecret());
    expect(counter.calls).toBe(31);
  });

  it('counts the addresses of one IPv6 network together', async () => {
    const { admit, counter } = fixture();
    for (let host = 1; host <= 40; host += 1) await admit(wrongSecret(), `2001:db8::${host.toString(16)}`);
    expect(counter.calls).toBe(21);
    await admit(wrongSecret(), '2001:db8:0:1::1');
    expect(counter.calls).toBe(22);
  });

  it('still admits known tokens from an address that has used up its failures', async () => {
    const { admit } = fixture();
    const known = readToken(await createToken());
    await admit(known);
    for (let request = 0; request < 25; request += 1) await admit(wrongSecret());
    expect(await admit(known)).toBe('admitted');
  });

  it('admits many concurrent first requests of one token, because only failures count', async () => {
    const { admit } = fixture();
    const token = readToken(await createToken());
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => admit(token)));
    expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(60);
  });
});

describe('forged token', () => {
  const FORGERS_FORMAT = { ...TOKEN_FORMAT, key: 'key of a forger' };

  it('creates no object and no row, 1,000 times', async () => {
    const { counter, objects } = countingObjects();
    const fetch = testApp({ bindings: { TOKEN_GATES: objects } });
    const { id } = readToken(await createToken());
    const before = await listDurableObjectIds(env.TOKEN_GATES);
    for (let index = 0; index < 1000; index += 1) {
      const forged = mintSecret(index === 0 ? id : `forged${10_000 + index}`, FORGERS_FORMAT).secret;
      const response = await call(PATH, { authorization: bearer(forged), now: NOW }, fetch);
      expect([response.status, JSON.parse(response.text).error.code]).toEqual([401, 'not_authenticated']);
    }
    expect(counter.calls).toBe(0);
    expect(await listDurableObjectIds(env.TOKEN_GATES)).toHaveLength(before.length);
  });

  it('stores nothing in the object of an id that has no token', async () => {
    const { secret } = mintSecret('idOfNothing', TOKEN_FORMAT);
    expect((await call(PATH, { authorization: bearer(secret), now: NOW }, testApp())).status).toBe(401);
    await runInDurableObject(gateOf(secret), async (_, state) => {
      expect((await state.storage.list()).size).toBe(0);
      expect(await state.storage.getAlarm()).toBeNull();
    });
  });
});

describe('checks that are not verified', () => {
  it('look up the id of a token in the database before its object is used', async () => {
    const { counter, objects } = countingObjects();
    const lookups: string[] = [];
    const stored = createTokensStore(createDatabase(env.DB));
    const tokens = {
      exists(id: string) {
        lookups.push(id);
        return stored.exists(id);
      },
    };
    const gate = createTokenGate(objects, tokens);
    const known = readToken(await createToken());
    for (let request = 0; request < 3; request += 1) expect((await gate.admit(known, CALL)).outcome).toBe('admitted');
    expect([lookups.length, counter.calls]).toEqual([1, 3]);
    const unknown = readToken(mintSecret('idOfNobody1', TOKEN_FORMAT).secret);
    expect((await gate.admit(unknown, CALL)).outcome).toBe('unauthenticated');
    expect([lookups.length, counter.calls]).toEqual([2, 3]);
  });

  it('accept a token of a lost key', async () => {
    const lost = { ...TOKEN_FORMAT, key: 'a key that is no longer configured' };
    const id = 'idOfLostKey';
    const { secret, ...columns } = mintSecret(id, lost);
    await createToken({ row: { id, ...columns } });
    const authorization = bearer(secret);
    expect((await call(PATH, { authorization, now: NOW }, testApp())).status).toBe(401);
    expect((await call(PATH, { authorization, now: NOW }, testApp({ bindings: { TOKEN_CHECK: 'off' } }))).status).toBe(200);
    expect((await call(PATH, { authorization, now: NOW }, testApp({ bindings: { TOKEN_KEY_PREVIOUS: lost.key } }))).status).toBe(200);
  });
});

describe('missing TOKEN_KEY in production', () => {
  it('returns 503 for every token and serves other clients', async () => {
    const fetch = testApp({ bindings: { ENVIRONMENT: 'production', BASE_URL: 'https://api.example.com' } });
    const refused = await call(PATH, { authorization: bearer(await createToken()) }, fetch);
    expect([refused.status, JSON.parse(refused.text).error.message]).toEqual([503, 'API tokens are not configured']);
    expect((await call(PATH, {}, fetch)).status).toBe(200);
  });
});
