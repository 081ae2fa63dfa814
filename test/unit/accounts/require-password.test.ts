import { describe, expect, it } from 'vitest';
import type { Account } from '../../../src/areas/accounts/accounts.store.ts';
import { requirePassword } from '../../../src/areas/accounts/sign-in.service.ts';

const ACCOUNT = { id: 'a', email: 'ada@example.com', passwordHash: 'stored' } as Account;

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
    attempts: {
      count: (key: string) => note(lockedFor)('begin', key),
      clear: (key: string) => note(undefined)('clear', key),
      takeBack: note(undefined),
      deleteExpired: note(undefined),
    },
    passwords: {
      check: (password: string, stored: string | null) => note({ isCorrect, needsRehash })('check', password, String(stored)),
      hash: (password: string) => note('new')('hash', password),
    },
    accounts: { rehash: ({ id }: Account, hash: string) => note(undefined)('rehash', id, hash) } as never,
  };
  return { done, ask: (account: Account) => requirePassword(deps, 'secret', account, 'session 1', 0) };
}

describe('requirePassword', () => {
  it('counts a failure before verifying the password', async () => {
    const { done, ask: request } = world();
    expect(await request(ACCOUNT)).toBe(ACCOUNT);
    expect(done).toEqual(['begin password\nsession 1', 'check secret stored', 'clear password\nsession 1']);
  });

  it('keeps the failure of a wrong password', async () => {
    const { done, ask: request } = world({ isCorrect: false });
    await expect(request(ACCOUNT)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(done).toEqual(['begin password\nsession 1', 'check secret stored']);
  });

  it('does not verify the password while the source is locked', async () => {
    const { done, ask: request } = world({ lockedFor: 17 });
    await expect(request(ACCOUNT)).rejects.toMatchObject({ code: 'account_locked', headers: { 'Retry-After': '17' } });
    expect(done).toEqual(['begin password\nsession 1']);
  });

  it('rehashes the password when the cost changed, and returns the account with the new hash', async () => {
    const { done, ask: request } = world({ needsRehash: true });
    expect(await request(ACCOUNT)).toEqual({ ...ACCOUNT, passwordHash: 'new' });
    expect(done.slice(-2)).toEqual(['hash secret', 'rehash a new']);
  });
});
