import { describe, expect, it } from 'vitest';
import type { Account } from '../../../src/areas/accounts/accounts.repository.ts';
import { requirePassword } from '../../../src/areas/accounts/sign-in.service.ts';

const ACCOUNT = { id: 'a', email: 'ada@example.com', passwordHash: 'stored' } as Account;
const GIVEN = { email: 'ada@example.com', password: 'secret' };

/** Stubs that record their calls in order. */
function world({ lockedFor = 0, isCorrect = true, needsRehash = false } = {}) {
  const done: string[] = [];
  const note =
    <Value>(value: Value) =>
    (...what: unknown[]) => {
      done.push(what.join(' '));
      return Promise.resolve(value);
    };
  const deps = {
    failures: {
      countAttempt: (email: string) => note(lockedFor)('begin', email),
      clear: (email: string) => note(undefined)('clear', email),
      deleteExpired: note(undefined),
    },
    passwords: {
      check: (password: string, stored: string | null) => note({ isCorrect, needsRehash })('check', password, String(stored)),
      hash: (password: string) => note('new')('hash', password),
    },
    accounts: { rehash: (id: string, hash: string) => note(undefined)('rehash', id, hash) } as never,
  };
  return { done, ask: (account: Account | null) => requirePassword(deps, GIVEN, account, 0) };
}

describe('requirePassword', () => {
  it('counts a failure before verifying the password', async () => {
    const { done, ask: request } = world();
    expect(await request(ACCOUNT)).toBe(ACCOUNT);
    expect(done).toEqual(['begin ada@example.com', 'check secret stored', 'clear ada@example.com']);
  });

  it('does the same work for an unknown account', async () => {
    const { done, ask: request } = world({ isCorrect: false });
    await expect(request(null)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(done).toEqual(['begin ada@example.com', 'check secret null']);
  });

  it('rejects an unknown account even when the password matches the placeholder hash', async () => {
    await expect(world({ isCorrect: true }).ask(null)).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  it('does not verify the password while the address is locked', async () => {
    const { done, ask: request } = world({ lockedFor: 17 });
    await expect(request(ACCOUNT)).rejects.toMatchObject({ code: 'account_locked', headers: { 'Retry-After': '17' } });
    expect(done).toEqual(['begin ada@example.com']);
  });

  it('rehashes the password when the cost changed', async () => {
    const { done, ask: request } = world({ needsRehash: true });
    await request(ACCOUNT);
    expect(done.slice(-2)).toEqual(['hash secret', 'rehash a new']);
  });
});
